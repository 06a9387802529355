#include "server/app.hpp"

#include <fcntl.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "pty/process/environment.hpp"
#include "pty/process/mounts.hpp"
#include "pty/process/orphans.hpp"
#include "pty/process/spawn.hpp"
#include "pty/process/unix_pty.hpp"
#include "server/config/drain_signals.hpp"
#include "server/config/private_file.hpp"
#include "server/config/state_dir.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/log.hpp"
#include "server/machine_clock.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/access/secrets.hpp"
#include "server/net/http/session_json.hpp"
#include "server/net/net_server.hpp"
#include "server/net/socket/tls.hpp"
#include "server/session/routing/session_manager.hpp"

namespace ptyd {
namespace {

/// Longest wait at the end for the log to be written.
constexpr std::chrono::milliseconds kLastWords{2000};

Result<std::string> load_token(const std::filesystem::path& path) {
  auto file = load_token_file(path);
  if (!file) return file.error();
  for (const auto& warning : file->warnings) spdlog::warn("{}", warning);
  return std::move(file->token);
}

Result<void> load_tokens(const ServeConfig& config, const StateDir& state, NetSecrets& secrets) {
  if (config.net.auth == AuthMode::none) return {};
  secrets.is_new = config.token_file.empty() && !state.has_secret("token");
  auto token = config.token_file.empty() ? state.secret("token") : load_token(config.token_file);
  if (!token) return token.error();
  secrets.token = std::move(*token);
  if (config.view_token_file.empty()) return {};
  auto view = load_token(config.view_token_file);
  if (!view) return view.error();
  secrets.view_token = std::move(*view);
  return {};
}

Result<void> load_tls(const ServeConfig& config, NetSecrets& secrets) {
  if (config.tls_cert.empty()) return {};
  const auto warning = secret_warning(config.tls_key.string());
  if (!warning) return warning.error();
  if (!warning->empty()) spdlog::warn("{}", *warning);
  auto loaded = TlsContext::load(config.tls_cert, config.tls_key);
  if (!loaded) return loaded.error();
  secrets.tls = std::move(*loaded);
  return {};
}

/// The secrets as the files have them now.
Result<NetSecrets> load_secrets(const ServeConfig& config, const StateDir& state) {
  NetSecrets secrets;
  if (const auto loaded = load_tokens(config, state, secrets); !loaded) return loaded.error();
  if (const auto loaded = load_tls(config, secrets); !loaded) return loaded.error();
  return secrets;
}

/// Whether the server has a controlling terminal, whose SIGHUP ends it. Asked at the start: at a SIGHUP it is gone.
bool has_terminal() {
  return static_cast<bool>(UniqueFd(::open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)));
}

WelcomeFacts welcome_facts() {
  std::error_code error;
  const auto cwd = std::filesystem::current_path(error);
  const char* home = std::getenv("HOME");
  return {cwd.string(),  home == nullptr ? "" : home, cwd.filename().string(), make_name,
          has_made_name, is_refused_to_agents};
}

/// SIGHUP: the terminal that it was started in is gone.
std::string reason_of(int signal) {
  if (signal == SIGHUP) return "hung up";
  return signal == SIGINT ? "interrupted" : "terminated";
}

/// Mount point of the drive on which a launch may hang; "" for the drive at "/".
std::string drive_of(const LaunchSpec& spec) {
  const auto mounts = Mounts::now();
  const auto& program = spec.candidates.empty() ? spec.cwd : spec.candidates.front().path;
  for (const auto& mount : {mounts.of(program), mounts.of(spec.cwd)})
    if (mount != "/") return mount;
  return "";
}

/// On a thread that may hang. A start that hangs at a drive is killed: it bars no other, and does not take all threads.
Result<Spawned> spawn_there(const LaunchSpec& spec, const BlockingPool::Enter& enter) {
  static_cast<void>(enter(drive_of(spec)));
  return spawn(spec);
}

/// Children get to their exec beside `loop`, which waits for each no longer than kLaunchPatience.
Spawner spawn_beside(Loop& loop, BlockingPool& launches) {
  return [&loop, &launches](LaunchSpec spec, std::function<void(Result<Spawned>)> spawned) {
    BlockingPool::Patience patience{kLaunchPatience, no_answer(spec)};
    launches.run(
        loop, "", std::move(patience),
        [spec = std::move(spec)](const BlockingPool::Enter& enter) { return spawn_there(spec, enter); },
        std::move(spawned));
  };
}

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Whether a SIGHUP came before the App took signals: files may have changed since they were read.
volatile std::sig_atomic_t came_early = 0;

/// Remembers a SIGHUP without a terminal until the App takes signals: a service that is reloaded while it starts, on a
/// slow disk, goes on. A signal mask would be inherited by threads and programs.
void remember_reload() {
  if (!is_ignored(SIGHUP) && !has_terminal()) ::signal(SIGHUP, [](int) { came_early = 1; });
}

/// One server, from its start to its orderly end.
///
/// Owns    everything. Declared so that each is destroyed before what it uses.
/// Thread  loop 0.
class App {
 public:
  App(ServeConfig config, StateDir state);

  Result<void> start();
  void run() { loops_.run(); }
  ~App();

 private:
  void await_signal();
  void shut_down(std::string reason);
  void reload();
  void drain(bool on);
  void tell_drain(std::optional<std::size_t> running);
  Result<void> announce();
  std::string address_to_open() const;
  Result<void> write_ready_file();

  ServeConfig config_;
  StateDir state_;
  Loops loops_;
  OrphanWatch orphans_{loops_.main().context().get_executor()};
  BlockingPool launches_{BlockingPool::Options()};
  SessionManager sessions_;
  NetServer net_;
  boost::asio::signal_set signals_;
  const bool has_terminal_ = has_terminal();
  bool ending_ = false, draining_ = false;
  std::string announced_;  ///< text of the ready file, as this server wrote it
};

App::App(ServeConfig config, StateDir state)
    : config_(std::move(config)),
      state_(std::move(state)),
      loops_(config_.threads, machine_clock()),
      sessions_(
          loops_,
          [this](Loop& loop) {
            return std::make_unique<UnixLauncher>(loop.context().get_executor(), Graces(),
                                                  spawn_beside(loop, launches_));
          },
          config_.sessions),
      net_(loops_, sessions_, config_.net),
      signals_(loops_.main().context(), SIGTERM, SIGINT) {
  for (const int signal : {kDrain, kUndoDrain}) signals_.add(signal);
  // Started with nohup, the server is to outlive its terminal.
  if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
  if (came_early != 0) ::raise(SIGHUP);
}

App::~App() {
  if (draining_) (void)state_.tell_drain(std::nullopt);
  if (announced_.empty()) return;
  // Another server may have put its own there since.
  const auto now = read_private_file(AT_FDCWD, config_.ready_file.string());
  if (now && *now == announced_) ::unlink(config_.ready_file.c_str());
}

Result<void> App::start() {
  if (auto bound = net_.bind(); !bound) return bound.error();
  await_signal();
  net_.start();
  return announce();
}

Result<void> App::announce() {
  const auto told = state_.tell_place(net_.site().first(), !config_.tls_cert.empty());
  if (!told) spdlog::error("`ptyd health` will not find this server: {}", told.error().detail());
  std::printf("%s\n", address_to_open().c_str());
  std::fflush(stdout);
  return write_ready_file();
}

/// The address with the token as a fragment, which no browser sends anywhere. Standard output may be a log that others
/// read: there only the start that made the token shows it, and later ones name the file that holds it.
std::string App::address_to_open() const {
  const auto& url = net_.site().url();
  const auto& secrets = config_.net.secrets;
  if (secrets.token.empty()) return url;
  if (secrets.is_new || ::isatty(STDOUT_FILENO) != 0) return url + "#token=" + percent_encode(secrets.token);
  const auto file = config_.token_file.empty() ? state_.path() / "token" : config_.token_file;
  return url + " (the token is in " + file.string() + ")";
}

Result<void> App::write_ready_file() {
  if (config_.ready_file.empty()) return {};
  const auto& site = net_.site();
  auto text = ready_json({site.url(), site.port(), ::getpid(), config_.net.secrets.token}) + "\n";
  auto written = write_private_file(AT_FDCWD, config_.ready_file.string(), text);
  if (written) announced_ = std::move(text);
  return written;
}

/// SIGHUP without a terminal, as service managers send it, means that files have changed. Else the first signal ends in
/// good order, the second at once. But when a terminal is closed, kernel and shell may hang up one after the other:
/// these are one signal.
void App::await_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    if (number == kDrain || number == kUndoDrain) {
      await_signal();
      return drain(number == kDrain);
    }
    if (number == SIGHUP && !has_terminal_ && !ending_) {
      await_signal();
      return reload();
    }
    const bool again = std::exchange(ending_, true);
    if (again && number != SIGHUP) std::_Exit(1);
    await_signal();
    if (!again) shut_down(reason_of(number));
  });
}

/// Reads tokens, certificate and key again. One that cannot be read leaves all as they were.
void App::reload() {
  auto secrets = load_secrets(config_, state_);
  if (!secrets) return spdlog::error("nothing is reloaded: {}", secrets.error().detail());
  config_.net.secrets = *secrets;
  net_.renew(std::move(*secrets));
  if (const auto written = write_ready_file(); !written) spdlog::error("{}", written.error().detail());
  spdlog::info("tokens and certificates are reloaded");
}

/// Terminals and connections go on; none is added.
void App::drain(bool on) {
  if (ending_) return;
  spdlog::info("{}", on ? "draining: no new connections and no new terminals" : "draining is undone");
  draining_ = on;
  net_.set_draining(on);
  sessions_.drain(on ? [this](std::size_t running) { tell_drain(running); } : std::function<void(std::size_t)>());
  if (!on) tell_drain(std::nullopt);
}

/// Writes the file beside the loops, one call after the other.
void App::tell_drain(std::optional<std::size_t> running) {
  launches_.run(
      loops_.main(), "drain", std::nullopt, [this, running] { return state_.tell_drain(running); },
      [](const Result<void>& told) {
        if (!told) spdlog::error("{}", told.error().detail());
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

int serve_in_good_order(ServeConfig config) {
  for (const auto& warning : config.warnings) spdlog::warn("{}", warning);
  if (::geteuid() == 0) spdlog::warn("this server runs as root, and so does every shell of a client with the token");
  ::signal(SIGPIPE, SIG_IGN);
  // A limit on file sizes is an error of the write; journals go on in memory then.
  ::signal(SIGXFSZ, SIG_IGN);
  // Until the App takes them.
  for (const int signal : {kDrain, kUndoDrain}) ::signal(signal, SIG_IGN);
  remember_reload();
  raise_descriptor_limit();  // every session takes three descriptors, every viewer one
  if (const auto adopted = adopt_orphans(); !adopted)
    spdlog::warn("daemons will outlive their terminals: {}", adopted.error().detail());
  auto state = StateDir::open(config.sessions.state_dir);
  if (!state) return fail(state.error());
  config.sessions.state_dir = state->path();
  auto secrets = load_secrets(config, *state);
  if (!secrets) return fail(secrets.error());
  config.net.secrets = std::move(*secrets);
  config.net.facts = welcome_facts();
  App app(std::move(config), std::move(*state));
  if (const auto started = app.start(); !started) return fail(started.error());
  app.run();
  return 0;
}

}  // namespace

int serve(ServeConfig config) {
  Log log(std::make_shared<spdlog::sinks::stderr_color_sink_mt>(), config.log_level);
  const int code = serve_in_good_order(std::move(config));
  const bool all_written = log.end(kLastWords);
  if (!all_written || BlockingPool::left_behind() > 0) std::_Exit(code);
  return code;
}

}  // namespace ptyd
