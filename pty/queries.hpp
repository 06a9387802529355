// Queries: what a program asks its terminal, and who answers.
#pragma once

#include <cstdint>
#include <string>

#include "pty/modes.hpp"
#include "pty/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// What a token is when looked at as a question.
struct Query {
  enum class Kind : std::uint8_t {
    none,      ///< no question: viewers see it
    answered,  ///< `answer` goes to the program
    viewer,    ///< only a viewer can know; one of them is asked
    refused,   ///< nobody answers: the answer would contain what the program (or who wrote its text) chose
  };
  Kind kind = Kind::none;
  std::string answer;
};

/// Answers are fixed text, digits, colours of `traits` and its emulator's name: nothing that a program prints can
/// choose bytes that come back to it.
Query classify(const Token& token, const Modes& modes, const ViewerTraits& traits);

}  // namespace ptyd
