// ServeConfig: the options given to `ptyd serve`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "server/net/net_options.hpp"
#include "server/session/context/session_facts.hpp"

namespace ptyd {

/// Complete and checked: what can be known to be wrong before the start has been refused. Each default stands at its
/// member, here, in SessionOptions or in NetOptions.
struct ServeConfig {
  SessionOptions sessions;
  NetOptions net;  ///< secrets, TLS and facts are filled in at the start
  std::size_t threads = 1;
  std::filesystem::path token_file;       ///< empty: the state directory's own
  std::filesystem::path view_token_file;  ///< empty: there is no such token
  std::filesystem::path ready_file;
  std::filesystem::path tls_cert, tls_key;
  std::string log_level = "info";
  /// Of settings that are allowed, and worth a word to the person that started the server.
  std::vector<std::string> warnings;
};

/// $XDG_STATE_HOME/ptyd or ~/.local/state/ptyd.
std::filesystem::path default_state_dir();
/// The page beside this program: as installed (<prefix>/share/ptyd/web), or in the tree it was built in. Empty: none.
std::filesystem::path default_web_dir();

}  // namespace ptyd
