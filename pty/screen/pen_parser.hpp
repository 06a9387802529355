// The way from SGR and OSC 8 to a pen; sgr.hpp goes the other way.
#pragma once

#include <optional>
#include <string_view>

#include "pty/screen/grid/cell.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Changes `pen` as SGR with these parameters says; no parameters are one 0. Links are not SGR's, they stay.
///
/// Colours are understood as `38:2::r:g:b`, `38:2:r:g:b`, `38;2;r;g;b` and `38:5:n`, `38;5;n`; a colour that is cut off
/// or beyond 255 changes nothing.
void apply_sgr(std::string_view parameters, Pen& pen);

/// The link that what is printed from here on leads to, if `token` is an OSC 8; of several ids the first. One without
/// an address ends the link; so do an address and an id that are no text.
std::optional<Link> parse_link(const Token& token);

}  // namespace ptyd
