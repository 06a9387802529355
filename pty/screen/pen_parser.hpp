// The way from SGR to a pen; sgr.hpp goes the other way.
#pragma once

#include <string_view>

#include "pty/screen/grid/cell.hpp"

namespace ptyd {

/// Changes `pen` as SGR with these parameters says; no parameters are one 0. Links are not SGR's, they stay.
///
/// Colours are understood as `38:2::r:g:b`, `38:2:r:g:b`, `38;2;r;g;b` and `38:5:n`, `38;5;n`; a colour that is cut off
/// or beyond 255 changes nothing.
void apply_sgr(std::string_view parameters, Pen& pen);

}  // namespace ptyd
