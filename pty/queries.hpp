// Queries: what a program asks its terminal, and who answers.
#pragma once

#include <cstdint>
#include <string>

#include "pty/modes.hpp"
#include "pty/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// What a token is when looked at as a question. Whatever it is but `none`, it is cut out of what viewers see.
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

/// Judges any token, also broken and overlong ones, as the most lenient viewer would take them.
///
/// Answers are fixed text, digits, colours of `traits` and its emulator's name: nothing that a program prints can
/// choose bytes that come back to it, save the number of the mode it asked for.
Query classify(const Token& token, const Modes& modes, const ViewerTraits& traits);

}  // namespace ptyd
