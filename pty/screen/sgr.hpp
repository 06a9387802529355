// SGR: how a pen is written as a control sequence.
#pragma once

#include <string>

#include "pty/screen/cell.hpp"

namespace ptyd {

/// Appends the parameters that make a default pen into `pen`, links aside, each preceded by `;`; nothing for the
/// default one.
void append_sgr(const Pen& pen, std::string& text);

}  // namespace ptyd
