// Site: which names this server answers to, and whose pages may speak to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/access/public_url.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// The defence against web pages of strangers: DNS rebinding (by Host) and cross-site requests (by Origin). A browser
/// sets both and no page can forge them; that the peer is on loopback proves nothing, the victim's browser is there
/// too.
///
/// Thread  any; never changes.
class Site {
 public:
  struct Options {
    std::vector<ListenAddress> listening;  ///< with the ports really bound
    bool tls = false;
    std::optional<PublicUrl> public_url;
    std::string machine;  ///< this machine's host name, accepted where every address is listened on
  };
  explicit Site(Options options);

  /// Whether `host` (a request's Host) is us. Else 421.
  bool answers_to(std::string_view host) const;
  /// Whether a page of `origin` (a request's Origin, byte for byte as browsers write it) may speak to us, in a request
  /// whose Host was `host`. Else 403.
  bool trusts(std::string_view origin, std::string_view host) const;

  /// Of --public-url: "" or "/a/b".
  const std::string& base_path() const { return base_path_; }
  /// `path` as seen from the base path; a proxy may have removed that already.
  std::string_view below_base(std::string_view path) const;
  /// Address that a person opens: the public one, else the first we listen on. With a slash at the end.
  std::string url() const;
  /// Part of the cookie's name, since cookies do not tell ports apart.
  std::uint16_t port() const;
  bool secure() const;
  /// The first we listen on.
  const ListenAddress& first() const { return options_.listening.front(); }

 private:
  bool is_ours(std::string_view host) const;
  bool is_ours_by_number(std::string_view host) const;

  Options options_;
  std::string base_path_;
  std::vector<std::string> names_;  ///< "host:port" which are surely this server
};

}  // namespace ptyd
