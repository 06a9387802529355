// The way from SGR and OSC 8 to a pen; sgr.hpp goes the other way.
#pragma once

#include <optional>
#include <string_view>

#include "pty/screen/grid/cell.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// The parameters of a token that is an SGR of digits, `;` and `:` and holds nothing else, which most sequences are;
/// nothing for all others.
inline std::optional<std::string_view> plain_sgr(const Token& token) {
  std::string_view bytes = token.bytes;
  if (token.cancelled || token.overlong || bytes.back() != 'm' || bytes[1] != '[') return std::nullopt;
  bytes = bytes.substr(2, bytes.size() - 3);
  for (const char c : bytes)
    if (c < '0' || c > ';') return std::nullopt;
  return bytes;
}

/// Changes `pen` as SGR with these parameters says; no parameters are one 0. Links are not SGR's, they stay.
///
/// Colours are understood as `38:2::r:g:b`, `38:2:r:g:b`, `38;2;r;g;b` and `38:5:n`, `38;5;n`; a colour that is cut off
/// or beyond 255 changes nothing.
void apply_sgr(std::string_view parameters, Pen& pen);

/// The link that what is printed from here on leads to, if `token` is an OSC 8; of several ids the first. One without
/// an address ends the link; so do an address and an id that are no text.
std::optional<Link> parse_link(const Token& token);

}  // namespace ptyd
