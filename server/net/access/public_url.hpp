// PublicUrl: the address of the server for people outside, when a proxy stands in front of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

/// `scheme://host[:port]/base`, taken apart.
struct PublicUrl {
  std::string scheme;      ///< "http" or "https"
  std::string host;        ///< lower case; IPv6 in brackets
  std::uint16_t port = 0;  ///< never 0; the scheme's own when the URL names none
  std::string base_path;   ///< "" or "/a/b", without a slash at the end

  bool has_default_port() const { return port == (scheme == "https" ? 443 : 80); }
  /// host, and the port where it is not the scheme's own; what browsers put into Host.
  std::string authority() const;
  /// Origin as browsers tell it.
  std::string origin() const { return scheme + "://" + authority(); }
  /// With a slash at the end.
  std::string text() const { return origin() + base_path + "/"; }
  bool operator==(const PublicUrl&) const = default;
};

Result<PublicUrl> parse_public_url(std::string_view text);

}  // namespace ptyd
