// The escaper of output frames: one pass that checks UTF-8, escapes for JSON and copies.
#pragma once

#include <cstddef>
#include <string_view>

namespace ptyd::escaper {

/// Bytes that escape() may touch for `n` bytes of input: six for each, and whole vectors beyond.
constexpr std::size_t room_for(std::size_t n) {
  return n * 6 + 32;
}

struct Written {
  std::size_t written = 0;      ///< bytes put at `out`
  std::size_t byte_length = 0;  ///< bytes of UTF-8 they stand for
};

/// Writes the inside of a JSON string for `text` at `out`, which has room_for(text.size()). Invalid UTF-8 becomes
/// U+FFFD as in utf8::repair; DEL, C1 controls and all other characters pass as they are.
Written escape(char* out, std::string_view text);

}  // namespace ptyd::escaper
