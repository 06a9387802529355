// ServeConfig: what `ptyd serve` was told, from flags, environment and configuration file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "server/net/net_options.hpp"
#include "server/session/session_facts.hpp"

namespace ptyd {

/// Complete and checked: what can be known to be wrong before the start has been refused. Each default stands at its
/// member, here or in the options of the room that it is for.
struct ServeConfig {
  SessionOptions sessions;
  NetOptions net;  ///< secrets, TLS and facts are filled in at the start
  std::size_t threads = 1;
  std::filesystem::path token_file;       ///< empty: the state directory's own
  std::filesystem::path view_token_file;  ///< empty: there is no such token
  std::filesystem::path ready_file;
  std::filesystem::path tls_cert, tls_key;
  std::string log_level = "info";
  /// Allowed, and worth a word to the person that started it.
  std::vector<std::string> warnings;
};

/// An option as people are told of it, by --help and in README.md of this folder.
struct OptionRow {
  std::string flag;         ///< `--state-dir`
  std::string environment;  ///< `PTYD_STATE_DIR`
  std::string initially;    ///< its default, or words for it; never empty
  std::string meaning;
};
std::vector<OptionRow> option_rows();

/// Either the configuration, or the exit code after help or a complaint was printed.
std::variant<ServeConfig, int> parse_serve(int argc, const char* const* argv);

/// $XDG_STATE_HOME/ptyd or ~/.local/state/ptyd.
std::filesystem::path default_state_dir();
/// The page beside this program: as installed (<prefix>/share/ptyd/web), or in the tree it was built in. Empty: none.
std::filesystem::path default_web_dir();

}  // namespace ptyd
