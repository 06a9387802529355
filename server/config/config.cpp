#include "server/config/config.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "server/config/options.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;

void check_listen(ServeOptions& given) {
  auto& listen = given.config.net.listen;
  listen.clear();
  for (const auto& text : given.listen) {
    auto address = parse_listen_address(text);
    if (!address) throw CLI::ValidationError("--listen", address.error().detail());
    listen.push_back(std::move(*address));
  }
  if (listen.empty()) throw CLI::ValidationError("--listen", "give at least one address");
}

void check_public_url(ServeOptions& given) {
  if (given.public_url.empty()) return;
  auto url = parse_public_url(given.public_url);
  if (!url) throw CLI::ValidationError("--public-url", url.error().detail());
  given.config.net.public_url = std::move(*url);
}

void check_trusted_proxies(ServeOptions& given) {
  auto& net = given.config.net;
  auto proxies = TrustedProxies::parse(given.trusted_proxies);
  if (!proxies) throw CLI::ValidationError("--trusted-proxies", proxies.error().detail());
  net.trusted_proxies = given.trusted_proxies.empty() && net.public_url ? TrustedProxies::nearby() : *proxies;
}

void check_web_dir(ServeOptions& given) {
  if (given.web_dir == "none") return;
  auto& web_dir = given.config.net.web_dir;
  web_dir = given.web_dir.empty() ? default_web_dir() : fs::path(given.web_dir);
  if (!given.web_dir.empty() && !fs::is_directory(web_dir)) {
    throw CLI::ValidationError("--web-dir", given.web_dir + " is not a directory");
  }
}

void check_pairs(const ServeConfig& config) {
  if (config.tls_cert.empty() != config.tls_key.empty()) {
    throw CLI::ValidationError("--tls-cert", "and --tls-key belong together");
  }
  if (config.net.ping_timeout <= config.net.ping_interval) {
    throw CLI::ValidationError("--ping-timeout", "must be longer than --ping-interval");
  }
}

void check_reach(ServeConfig& config) {
  const auto& net = config.net;
  const auto remote = std::find_if(net.listen.begin(), net.listen.end(), [](auto& a) { return !a.is_local(); });
  const bool local = remote == net.listen.end();
  if (!local && net.auth == AuthMode::none) {
    throw CLI::ValidationError("--auth", "none is for loopback addresses and unix sockets only, and " +
                                             to_string(*remote) +
                                             " can be reached from other machines: leave it at token");
  }
  if (!local && config.tls_cert.empty() && !net.public_url) {
    config.warnings.push_back(to_string(*remote) +
                              " can be reached from other machines and what is typed travels in "
                              "the clear: give --tls-cert and --tls-key, or --public-url when a proxy does TLS");
  }
  if (net.auth == AuthMode::none && net.public_url) {
    config.warnings.push_back("--auth none behind --public-url: every client that gets past the proxy has a shell");
  }
}

void check_whole(ServeOptions& given) {
  check_listen(given);
  check_public_url(given);
  check_trusted_proxies(given);
  check_web_dir(given);
  check_pairs(given.config);
  check_reach(given.config);
}

/// CLI11 lets a file overrule the environment; people expect it the other way round. So what the environment says, and
/// the command line does not, is put in as if it had been typed.
std::vector<std::string> with_environment(const CLI::App& app, std::vector<std::string> arguments) {
  std::vector<std::string> result;
  for (const auto* option : app.get_options()) {
    const auto name = option->get_name();
    const char* value = option->get_envname().empty() ? nullptr : std::getenv(option->get_envname().c_str());
    const bool typed = std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
      return argument == name || argument.starts_with(name + "=");
    });
    if (value != nullptr && *value != '\0' && !typed) result.push_back(name + "=" + value);
  }
  result.insert(result.end(), arguments.begin(), arguments.end());
  std::reverse(result.begin(), result.end());  // CLI11 takes them from the back
  return result;
}

}  // namespace

std::variant<ServeConfig, int> parse_serve(int argc, const char* const* argv) {
  ServeOptions given;
  try {
    given.app.parse(with_environment(given.app, {argv + 1, argv + argc}));
    check_whole(given);
  } catch (const CLI::ParseError& error) {
    return given.app.exit(error);
  }
  return std::move(given.config);
}

}  // namespace ptyd
