// Text from outside, made fit for one line of a log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ptyd {

/// Everything but printable ASCII (and the backslash) becomes \xNN; cut after `limit` bytes of input with "...".
std::string log_text(std::string_view text, std::size_t limit = 200);

/// For --trace: kind and key of a frame, as far as its first bytes show them, never content.
std::string frame_kind(std::string_view frame);

}  // namespace ptyd
