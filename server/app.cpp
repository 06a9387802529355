#include "server/app.hpp"

#include <fcntl.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "pty/process/spawn.hpp"
#include "pty/process/unix_pty.hpp"
#include "server/config/private_file.hpp"
#include "server/config/state_dir.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/http/session_json.hpp"
#include "server/net/net_server.hpp"
#include "server/net/socket/tls.hpp"
#include "server/session/session_manager.hpp"

namespace ptyd {
namespace {

void set_up_log(const ServeConfig& config) {
  auto log = spdlog::stderr_color_mt("ptyd");
  log->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  spdlog::set_default_logger(std::move(log));
  spdlog::set_level(spdlog::level::from_str(config.log_level));
}

struct Secrets {
  std::string token, view_token;
};

Result<Secrets> load_secrets(const ServeConfig& config, const StateDir& state) {
  if (config.auth == AuthMode::none) return Secrets{};
  auto token = config.token_file.empty() ? state.secret("token") : read_token_file(config.token_file);
  if (!token) return token.error();
  auto view = config.view_token_file.empty() ? state.secret("view-token") : read_token_file(config.view_token_file);
  if (!view) return view.error();
  return Secrets{std::move(*token), std::move(*view)};
}

WelcomeFacts welcome_facts() {
  std::error_code error;
  const auto cwd = std::filesystem::current_path(error);
  const char* home = std::getenv("HOME");
  return {cwd.string(), home == nullptr ? "" : home, cwd.filename().string()};
}

/// One server, from its start to its orderly end.
///
/// Owns    everything. Declared so that who uses something goes before it.
/// Thread  loop 0.
class App {
 public:
  App(const ServeConfig& config, StateDir state, Secrets secrets, std::shared_ptr<TlsContext> tls);

  Result<void> start();
  void run() { loops_.run(); }
  ~App();

 private:
  NetServer::Options net_options(const ServeConfig& config, Secrets secrets, std::shared_ptr<TlsContext> tls);
  void await_signal();
  void shut_down(std::string reason);
  Result<void> announce();

  const ServeConfig& config_;
  StateDir state_;
  std::string token_;
  Loops loops_;
  SessionManager sessions_;
  NetServer net_;
  boost::asio::signal_set signals_;
  bool announced_ = false;  ///< the ready file is ours
};

SessionManager::Options session_options(const ServeConfig& config, const StateDir& state) {
  SessionManager::Options options;
  options.state_dir = state.path();
  options.shell = config.shell;
  options.screen.emulator = config.emulator == "libvterm" ? EmulatorKind::vterm : EmulatorKind::native;
  options.screen.scrollback = config.scrollback;
  options.queries.answer_checksums = config.answer_checksums;
  options.max_sessions = config.max_sessions;
  return options;
}

App::App(const ServeConfig& config, StateDir state, Secrets secrets, std::shared_ptr<TlsContext> tls)
    : config_(config),
      state_(std::move(state)),
      token_(secrets.token),
      loops_(config.threads),
      sessions_(
          loops_, [](Loop& loop) { return std::make_unique<UnixLauncher>(loop.context().get_executor()); },
          session_options(config, state_)),
      net_(loops_, sessions_, net_options(config, std::move(secrets), std::move(tls))),
      signals_(loops_.main().context(), SIGTERM, SIGINT) {}

App::~App() {
  if (announced_) ::unlink(config_.ready_file.c_str());
}

NetServer::Options App::net_options(const ServeConfig& config, Secrets secrets, std::shared_ptr<TlsContext> tls) {
  NetServer::Options options;
  options.listen = config.listen;
  options.auth = config.auth;
  options.token = std::move(secrets.token);
  options.view_token = std::move(secrets.view_token);
  options.web_dir = config.web_dir;
  options.public_url = config.public_url;
  options.tls = std::move(tls);
  options.max_connections = config.max_connections;
  options.ping_interval = config.ping_interval;
  options.ping_timeout = config.ping_timeout;
  options.trace = config.trace;
  options.deflate = config.deflate;
  options.facts = welcome_facts();
  return options;
}

Result<void> App::start() {
  if (auto bound = net_.bind(); !bound) return bound.error();
  await_signal();
  net_.start();
  return announce();
}

Result<void> App::announce() {
  const auto& url = net_.site().url();
  // The one place where the token is shown: a fragment, which no browser sends anywhere.
  std::printf("%s\n", (token_.empty() ? url : url + "#token=" + percent_encode(token_)).c_str());
  std::fflush(stdout);
  if (config_.ready_file.empty()) return {};
  auto written = write_private_file(AT_FDCWD, config_.ready_file.string(),
                                    ready_json({url, net_.site().port(), ::getpid(), token_}) + "\n");
  announced_ = written.has_value();
  return written;
}

/// The first signal ends in good order, the second at once.
void App::await_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    signals_.async_wait([](const boost::system::error_code& aborted, int) {
      if (!aborted) std::_Exit(1);
    });
    shut_down(number == SIGINT ? "interrupted" : "terminated");
  });
}

void App::shut_down(std::string reason) {
  spdlog::info("ending: {}", reason);
  net_.stop_accepting();
  sessions_.shutdown(reason, [this] { net_.close_all("the server is ending", [this] { loops_.stop(); }); });
}

int fail(const Error& error) {
  spdlog::critical("{}", error.detail());
  return 1;
}

}  // namespace

int serve(const ServeConfig& config) {
  set_up_log(config);
  for (const auto& warning : config.warnings) spdlog::warn("{}", warning);
  ::signal(SIGPIPE, SIG_IGN);
  // A limit on file sizes is an error of the write; journals go on in memory then.
  ::signal(SIGXFSZ, SIG_IGN);
  raise_descriptor_limit();  // every session takes two descriptors, every viewer one
  auto state = StateDir::open(config.state_dir);
  if (!state) return fail(state.error());
  auto secrets = load_secrets(config, *state);
  if (!secrets) return fail(secrets.error());
  std::shared_ptr<TlsContext> tls;
  if (!config.tls_cert.empty()) {
    auto loaded = TlsContext::load(config.tls_cert, config.tls_key);
    if (!loaded) return fail(loaded.error());
    tls = std::move(*loaded);
  }
  App app(config, std::move(*state), std::move(*secrets), std::move(tls));
  if (const auto started = app.start(); !started) return fail(started.error());
  app.run();
  return 0;
}

}  // namespace ptyd
