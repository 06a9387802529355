// The text of the relay's frames: JSON escapes and UTF-8, as fast as they can be had. The server's own are not used, so
// that a change there shows beside them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ptyd::bench {

/// Bytes at the end of `text` that begin a character without finishing it.
std::size_t unfinished_tail(std::string_view text);
/// Appends `text` as it stands within a JSON string; each byte that is not UTF-8 becomes U+FFFD.
void append_escaped(std::string& to, std::string_view text);

}  // namespace ptyd::bench
