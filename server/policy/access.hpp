// Access: the rights that a connection's credential gives, and its visibility to others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ptyd {

/// The rights that the credential of a connection gives.
enum class Access : std::uint8_t {
  view,  ///< hear and list; nothing that a child or another viewer would notice
  full,
};

/// Whether a child, and others, may notice that a connection with `access` is there: its pace, its traits, its wish for
/// the clipboard's text, what is held for it.
constexpr bool is_noticed(Access access) {
  return access == Access::full;
}

/// Places for connections with `access` where there are `most` for those with full access. Connections that may only
/// view have half as many of their own, and so take none from others.
constexpr std::size_t places(Access access, std::size_t most) {
  return access == Access::full ? most : std::max<std::size_t>(most / 2, 1);
}

}  // namespace ptyd
