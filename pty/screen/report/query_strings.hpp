// Questions inside OSC, DCS and APC strings; for queries.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pty/screen/palette.hpp"
#include "pty/screen/report/query.hpp"
#include "pty/text/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

class Screen;

/// `token` is a string, whole or not.
Query classify_string(const Token& token, const Screen& screen, const ViewerTraits& traits);

/// Colours of terminals whose viewers have announced none.
inline constexpr std::uint32_t kDefaultForeground = 0xe6e6e6, kDefaultBackground = 0x101418,
                               kDefaultCaretColour = 0xe6e6e6;
/// Size of a cell in pixels, where viewers have announced none.
inline constexpr Size kDefaultCellSize{8, 17};

/// The colour that OSC `number`, 10 to 19, names: the program's, the viewer's or the default. Nothing where the program
/// has set it by a name.
std::optional<std::uint32_t> dynamic_colour(int number, const Palette& palette, const ViewerTraits& traits);

/// DCS `body` ST.
std::string dcs(const std::string& body);

}  // namespace ptyd
