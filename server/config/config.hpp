// ServeConfig: what `ptyd serve` was told, from flags, environment and configuration file.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/net/access/auth.hpp"
#include "server/net/access/public_url.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// Complete and checked: what can be known to be wrong before the start has been refused.
struct ServeConfig {
  std::vector<ListenAddress> listen;
  std::filesystem::path state_dir;
  std::string shell;  ///< "" means the user's
  std::size_t threads = 1;
  std::string emulator = "native";
  std::size_t scrollback = 5000;  ///< lines
  bool answer_checksums = false;
  AuthMode auth = AuthMode::token;
  std::filesystem::path token_file;       ///< empty: the state directory's own
  std::filesystem::path view_token_file;  ///< likewise
  std::filesystem::path web_dir;          ///< empty: no page
  std::optional<PublicUrl> public_url;
  std::filesystem::path ready_file;
  std::filesystem::path tls_cert, tls_key;
  std::string log_level = "info";
  bool trace = false;
  bool deflate = false;
  std::size_t max_sessions = 1024;
  std::size_t max_connections = 1024;
  std::chrono::milliseconds ping_interval{20000};
  std::chrono::milliseconds ping_timeout{60000};
  /// Allowed, and worth a word to whoever started it.
  std::vector<std::string> warnings;
};

/// Either the configuration, or the exit code after help or a complaint was printed.
std::variant<ServeConfig, int> parse_serve(int argc, const char* const* argv);

/// $XDG_STATE_HOME/ptyd or ~/.local/state/ptyd.
std::filesystem::path default_state_dir();
/// The page beside this program: as installed (<prefix>/share/ptyd/web), or in the tree it was built in. Empty: none.
std::filesystem::path default_web_dir();

}  // namespace ptyd
