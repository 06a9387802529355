// JSON text written without a JSON library: strings, numbers and times, straight into the frame they go into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pty/types.hpp"

namespace ptyd::json_text {

/// Appends `text` as the inside of a JSON string: control characters, quote and backslash escaped, everything else as
/// it is, bytes that are no UTF-8 as U+FFFD (as utf8::repair does). Returns how many bytes of UTF-8 a reader will get.
std::size_t append_escaped(std::string& out, std::string_view text);

/// Appends `text` as a JSON string with its quotes.
void append_string(std::string& out, std::string_view text);

/// Appends `bytes` as Base64 with padding, which needs no escaping; without quotes.
void append_base64(std::string& out, std::string_view bytes);

void append_integer(std::string& out, std::int64_t number);

/// Appends `2026-06-14T08:00:00.123Z`, without quotes. Times outside the years 1970 to 9999 become the nearest in them.
void append_time(std::string& out, UnixMillis time);

}  // namespace ptyd::json_text
