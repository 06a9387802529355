// NetOptions: settings of a NetServer.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/language/dialect.hpp"
#include "server/net/access/auth.hpp"
#include "server/net/access/connection_shares.hpp"
#include "server/net/access/public_url.hpp"
#include "server/net/access/trusted_proxies.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

class TlsContext;

/// The secrets of a server, which can be exchanged while it runs.
struct NetSecrets {
  std::string token, view_token;
  std::shared_ptr<TlsContext> tls;  ///< null: none
  bool is_new = false;              ///< the token was made just now
};

/// Values here are the defaults of the options of these names.
struct NetOptions {
  std::vector<ListenAddress> listen{{"127.0.0.1", 7681, {}}};
  AuthMode auth = AuthMode::token;
  NetSecrets secrets;
  std::filesystem::path web_dir;  ///< empty: no page
  std::optional<PublicUrl> public_url;
  std::size_t max_connections = 1024;
  ConnectionShares::Limits shares;
  TrustedProxies trusted_proxies;
  std::chrono::milliseconds ping_interval{20000}, ping_timeout{60000};
  bool access_log = true;
  bool trace = false;
  bool deflate = false;
  WelcomeFacts facts;
};

}  // namespace ptyd
