// SGR: the control sequence of a pen.
#pragma once

#include <string>

#include "pty/screen/grid/cell.hpp"

namespace ptyd {

/// Appends the parameters that make a default pen into `pen`, links aside, each preceded by `;`; nothing for the
/// default one.
void append_sgr(const Pen& pen, std::string& text);

/// Appends the sequences that make the pen `from` into `to`, its link too, which is `link`.
void append_pen_change(const Pen& from, const Pen& to, const Link& link, std::string& text);

}  // namespace ptyd
