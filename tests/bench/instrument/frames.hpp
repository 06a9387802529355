// The frames of a terminal session in the envelope protocol (protocol/README.md), as a fast client reads and writes
// them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ptyd::bench {

/// Each of them is a request for the terminal `default` of `thread`.
std::string open_frame(std::string_view thread);
std::string write_frame(std::string_view thread, std::string_view data);

/// Appends to `output` what the terminal has printed according to `frame`: an output event, or the history of an open's
/// reply. Nothing for any other frame.
void read_frame(std::string_view frame, std::string& output);

}  // namespace ptyd::bench
