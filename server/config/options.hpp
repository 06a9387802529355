// ServeOptions: the options of `ptyd serve`, one row each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "server/config/serve_config.hpp"

namespace ptyd {

/// The options, and the places that their values go to: the configuration, whose members are the defaults, or a text
/// that is checked together with others (config.cpp). An option's name in the environment follows from its flag.
///
/// Owns    what it parses into; stays where it was made.
struct ServeOptions {
  ServeOptions();
  ServeOptions(const ServeOptions&) = delete;
  ServeOptions& operator=(const ServeOptions&) = delete;

  CLI::App app;
  ServeConfig config;
  std::vector<std::string> listen, trusted_proxies;
  std::string public_url, web_dir;
};

}  // namespace ptyd
