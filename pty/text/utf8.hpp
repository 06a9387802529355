// UTF-8: character boundaries and validation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ptyd::utf8 {

/// Length in bytes of the valid character at the start of `text`; 0 when there is none (bad or cut).
std::size_t character(std::string_view text);
/// How many bytes a decoder takes at once from the start of `text`, which is not empty: a valid character, or else the
/// longest beginning of one (at least one byte), which stands for one U+FFFD.
std::size_t unit(std::string_view text);
/// How many bytes at the end of `text` begin a character that more bytes could finish (0 to 3).
std::size_t unfinished_tail(std::string_view text);
bool valid(std::string_view text);
/// Bytes that belong to no character become U+FFFD, one each, except that a cut-off prefix becomes one together.
std::string repair(std::string_view text);
/// Length as JavaScript counts it: UTF-16 code units. `text` must be valid.
std::size_t utf16_length(std::string_view text);
/// The code point of a valid character of `text.size()` bytes, as character() measured it.
char32_t decode(std::string_view text);
/// Appends a code point; one that Unicode does not have becomes U+FFFD.
void append(char32_t code_point, std::string& text);

}  // namespace ptyd::utf8
