// Configuration: from flags, environment and file to a ServeConfig.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "server/config/serve_config.hpp"

namespace ptyd {

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

}  // namespace ptyd
