// Query: a token that asks its terminal something, and what it is told.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ptyd {

/// Meaning of a token between program and terminal. A token that is anything but `none` is cut out of what viewers see.
struct Query {
  enum class Kind : std::uint8_t {
    none,       ///< no question: viewers see it
    answered,   ///< `answer` goes to the program
    refused,    ///< not answered: the answer could carry text that the program or its input chose, or there is none
    clipboard,  ///< text for the clipboard of one viewer: `selections` and `base64`
  };
  /// Longest text for a clipboard, in bytes. The base64 of it, with the rest of the sequence, fits into a string that
  /// the Scanner hands on whole.
  static constexpr std::size_t kMaxClipboard = 24'000;

  /// Bytes of an answer; the longest answers report all colours.
  static constexpr std::size_t kMaxAnswer = 16 << 10;

  Kind kind = Kind::none;
  std::string answer = {};
  std::string selections = {};  ///< OSC 52's letters (`c` clipboard, `p` primary, `q`, `s`, `0` to `7`); never empty
  std::string base64 = {};      ///< valid, with padding; empty to empty the clipboard
};

/// Further settings that decide an answer.
struct QueryOptions {
  /// DECRQCRA: lets a program that prints read its own screen, which only conformance suites want.
  bool answer_checksums = false;
};

}  // namespace ptyd
