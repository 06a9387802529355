#include "server/config/config.hpp"

#include <pwd.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "pty/screen/screen.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxThreads = 256;          ///< more loops than any machine has use for
constexpr std::size_t kMostSessions = 4096;       ///< the kernel's default number of ptys on a whole machine
constexpr std::size_t kMostConnections = 100000;  ///< each costs a descriptor and some 20 KB
constexpr double kMaxPingSeconds = 3600;

/// What the options were set to, before it is checked as a whole.
struct Texts {
  std::vector<std::string> listen{"127.0.0.1:7681"};
  std::string state_dir, token_file, view_token_file, web_dir, public_url, ready_file, tls_cert, tls_key;
  std::string auth = "token";
  double ping_interval = 20, ping_timeout = 60;
};

void add_places(CLI::App& app, Texts& texts, ServeConfig& config) {
  app.add_option("--listen", texts.listen, "IP:PORT, [IPv6]:PORT or unix:PATH; may be repeated; port 0 picks one")
      ->envname("PTYD_LISTEN")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--state-dir", texts.state_dir, "Where tokens and transcripts are kept; one server each")
      ->envname("PTYD_STATE_DIR")
      ->default_str(default_state_dir().string());
  app.add_option("--web-dir", texts.web_dir, "The page's files; 'none' serves no page")->envname("PTYD_WEB_DIR");
  app.add_option("--public-url", texts.public_url, "How people reach the server through a proxy, base path included")
      ->envname("PTYD_PUBLIC_URL");
  app.add_option("--ready-file", texts.ready_file, "Gets {url, port, pid, token} as JSON once the server accepts")
      ->envname("PTYD_READY_FILE");
  app.add_option("--shell", config.shell, "The shell to start (default: $SHELL, else bash)")->envname("PTYD_SHELL");
}

void add_screen(CLI::App& app, ServeConfig& config) {
  app.add_option("--emulator", config.emulator, "Who draws the screens that the server keeps")
      ->envname("PTYD_EMULATOR")
      ->check(CLI::IsMember({"native", "libvterm"}))
      ->capture_default_str();
  app.add_option("--scrollback", config.scrollback, "Lines that are kept above each screen")
      ->envname("PTYD_SCROLLBACK")
      ->check(CLI::Range(std::size_t{0}, Screen::kMaxScrollback))
      ->capture_default_str();
  app.add_flag("--answer-checksums", config.answer_checksums,
               "Let programs read their own screen (DECRQCRA); only for conformance suites")
      ->envname("PTYD_ANSWER_CHECKSUMS");
}

void add_safety(CLI::App& app, Texts& texts) {
  app.add_option("--auth", texts.auth, "'none' only on loopback addresses and unix sockets")
      ->envname("PTYD_AUTH")
      ->check(CLI::IsMember({"token", "none"}))
      ->capture_default_str();
  app.add_option("--token-file", texts.token_file, "A token of your own (default: made once in the state directory)")
      ->envname("PTYD_TOKEN_FILE");
  app.add_option("--view-token-file", texts.view_token_file, "The same for the token of those who may only look on")
      ->envname("PTYD_VIEW_TOKEN_FILE");
  app.add_option("--tls-cert", texts.tls_cert, "PEM certificate chain")->envname("PTYD_TLS_CERT");
  app.add_option("--tls-key", texts.tls_key, "PEM private key")->envname("PTYD_TLS_KEY");
}

void add_limits(CLI::App& app, Texts& texts, ServeConfig& config) {
  app.add_option("--threads", config.threads, "Event loops")
      ->envname("PTYD_THREADS")
      ->check(CLI::Range(std::size_t{1}, kMaxThreads))
      ->capture_default_str();
  app.add_option("--max-sessions", config.max_sessions, "Terminals running at once")
      ->envname("PTYD_MAX_SESSIONS")
      ->check(CLI::Range(std::size_t{1}, kMostSessions))
      ->capture_default_str();
  app.add_option("--max-connections", config.max_connections, "WebSockets open at once")
      ->envname("PTYD_MAX_CONNECTIONS")
      ->check(CLI::Range(std::size_t{1}, kMostConnections))
      ->capture_default_str();
  app.add_option("--ping-interval", texts.ping_interval, "Seconds between pings on a quiet connection")
      ->envname("PTYD_PING_INTERVAL")
      ->check(CLI::Range(0.01, kMaxPingSeconds))
      ->capture_default_str();
  app.add_option("--ping-timeout", texts.ping_timeout, "Seconds without an answer after which a connection is closed")
      ->envname("PTYD_PING_TIMEOUT")
      ->check(CLI::Range(0.01, kMaxPingSeconds))
      ->capture_default_str();
  app.add_flag("--deflate", config.deflate, "Offer permessage-deflate to clients that are not on this machine")
      ->envname("PTYD_DEFLATE");
}

void add_logging(CLI::App& app, ServeConfig& config) {
  app.add_option("--log-level", config.log_level, "To standard error")
      ->envname("PTYD_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  app.add_flag("--trace", config.trace, "One line per frame: direction, kind, size; never content")
      ->envname("PTYD_TRACE");
}

void check_listen(const Texts& texts, ServeConfig& config) {
  for (const auto& text : texts.listen) {
    auto address = parse_listen_address(text);
    if (!address) throw CLI::ValidationError("--listen", address.error().detail());
    config.listen.push_back(std::move(*address));
  }
  if (config.listen.empty()) throw CLI::ValidationError("--listen", "give at least one address");
}

void check_reach(ServeConfig& config) {
  const auto remote = std::find_if(config.listen.begin(), config.listen.end(), [](auto& a) { return !a.is_local(); });
  const bool local = remote == config.listen.end();
  if (!local && config.auth == AuthMode::none) {
    throw CLI::ValidationError("--auth", "none is for loopback addresses and unix sockets only, and " +
                                             to_string(*remote) +
                                             " can be reached from other machines: leave it at token");
  }
  if (!local && config.tls_cert.empty() && !config.public_url) {
    config.warnings.push_back(to_string(*remote) +
                              " can be reached from other machines and what is typed travels in "
                              "the clear: give --tls-cert and --tls-key, or --public-url when a proxy does TLS");
  }
  if (config.auth == AuthMode::none && config.public_url) {
    config.warnings.push_back("--auth none behind --public-url: whoever gets past the proxy has a shell");
  }
}

void check_whole(const Texts& texts, ServeConfig& config) {
  check_listen(texts, config);
  config.auth = texts.auth == "none" ? AuthMode::none : AuthMode::token;
  config.state_dir = texts.state_dir.empty() ? default_state_dir() : fs::path(texts.state_dir);
  config.token_file = texts.token_file;
  config.view_token_file = texts.view_token_file;
  config.ready_file = texts.ready_file;
  config.tls_cert = texts.tls_cert;
  config.tls_key = texts.tls_key;
  if (texts.tls_cert.empty() != texts.tls_key.empty()) {
    throw CLI::ValidationError("--tls-cert", "and --tls-key belong together");
  }
  if (!texts.public_url.empty()) {
    auto url = parse_public_url(texts.public_url);
    if (!url) throw CLI::ValidationError("--public-url", url.error().detail());
    config.public_url = std::move(*url);
  }
  if (texts.web_dir != "none") config.web_dir = texts.web_dir.empty() ? default_web_dir() : fs::path(texts.web_dir);
  if (!texts.web_dir.empty() && texts.web_dir != "none" && !fs::is_directory(config.web_dir)) {
    throw CLI::ValidationError("--web-dir", texts.web_dir + " is not a directory");
  }
  if (texts.ping_timeout <= texts.ping_interval) {
    throw CLI::ValidationError("--ping-timeout", "must be longer than --ping-interval");
  }
  config.ping_interval = std::chrono::milliseconds(static_cast<std::int64_t>(texts.ping_interval * 1000));
  config.ping_timeout = std::chrono::milliseconds(static_cast<std::int64_t>(texts.ping_timeout * 1000));
  check_reach(config);
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

fs::path home() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return home;
  if (const auto* entry = ::getpwuid(::geteuid()); entry != nullptr) return entry->pw_dir;
  return "/";
}

}  // namespace

fs::path default_state_dir() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const bool usable = state != nullptr && *state == '/';
  return (usable ? fs::path(state) : home() / ".local" / "state") / "ptyd";
}

fs::path default_web_dir() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const auto beside = program.parent_path();
  // Installed: <prefix>/bin/ptyd. Built: <tree>/build/<preset>/ptyd.
  for (const auto& place : {beside / "../share/ptyd/web", beside / "web", beside / "../../web/dist"}) {
    if (fs::is_regular_file(place / "index.html", error)) return fs::weakly_canonical(place, error);
  }
  return {};
}

std::variant<ServeConfig, int> parse_serve(int argc, const char* const* argv) {
  ServeConfig config;
  Texts texts;
  config.threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
  CLI::App app(
      "Serves terminals. Each option can also be set as PTYD_<NAME> and in the file that --config names; "
      "a flag counts more than the environment, the environment more than the file.",
      "ptyd serve");
  app.set_config("--config", "", "A file of `name = value` lines")->envname("PTYD_CONFIG");
  app.allow_config_extras(CLI::config_extras_mode::error);
  add_places(app, texts, config);
  add_safety(app, texts);
  add_screen(app, config);
  add_limits(app, texts, config);
  add_logging(app, config);
  try {
    app.parse(with_environment(app, {argv + 1, argv + argc}));
    check_whole(texts, config);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return config;
}

}  // namespace ptyd
