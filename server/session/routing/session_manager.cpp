#include "server/session/routing/session_manager.hpp"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <system_error>

#include "pty/process/environment.hpp"
#include "pty/process/shell_choice.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/gather.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/delivery/event_source.hpp"
#include "server/session/recording/retention.hpp"
#include "server/session/routing/directory.hpp"
#include "server/session/routing/session_host.hpp"
#include "server/session/session.hpp"

namespace ptyd {

namespace {

/// Asks every host on its loop for values of one kind and hands all of them to `done` on `loop`.
template <class Value>
void gather(Loops& loops, const Directory::Hosts& hosts, Loop& loop,
            std::function<std::vector<Value>(SessionHost&)> ask, std::function<void(std::vector<Value>)> done) {
  ptyd::gather<Value>(
      loops, loop, [&hosts, ask = std::move(ask)](std::size_t index) { return ask(*hosts[index]); }, std::move(done));
}

std::vector<TerminalInfo> terminals_of(SessionHost& host, const Caller& caller, const List& asked) {
  std::vector<TerminalInfo> infos;
  for (const auto& [key, session] : host.sessions())
    if ((!asked.thread_id || key.thread_id == *asked.thread_id) && session->is_listed() &&
        (!asked.lost || session->is_lost_to(caller)))
      infos.push_back(session->session_info().info());
  return infos;
}

/// Longest wait for a disk when the server ends.
constexpr std::chrono::seconds kLastPatience{1};

/// Where nothing is kept on disk they are in a folder of this process.
std::filesystem::path shell_files_in(const std::filesystem::path& state_dir) {
  if (!state_dir.empty()) return state_dir / "shells";
  return std::filesystem::temp_directory_path() / ("ptyd-shells-" + std::to_string(::getpid()));
}

std::string current_directory() {
  std::error_code failed;
  const auto path = std::filesystem::current_path(failed);
  return failed ? "/" : path.string();
}

void add(SessionMetrics& sum, const SessionMetrics& more) {
  sum.sessions += more.sessions;
  sum.running += more.running;
  sum.sessions_started += more.sessions_started;
  sum.failed_starts += more.failed_starts;
  sum.disk_errors += more.disk_errors;
  sum.journals_in_memory += more.journals_in_memory;
  sum.subscriptions += more.subscriptions;
  sum.output_bytes += more.output_bytes;
  sum.input_bytes += more.input_bytes;
  sum.resyncs += more.resyncs;
}

}  // namespace

struct SessionManager::Impl final : SessionDelegate {
  Impl(Loops& all, const MakeLauncher& make_launcher, Options given)
      : loops(all),
        options(std::move(given)),
        looks(options.blocking_pool),
        files(options.blocking_pool),
        settings(make_settings()),
        retention(loops.main(), files, settings.store, options.retention),
        directory(loops.main(), hosts, options, looks) {
    // Files that an earlier server left are of no shell any more.
    std::error_code ignored;
    std::filesystem::remove_all(settings.shell_files, ignored);
    for (std::size_t i = 0; i < loops.size(); i++)
      hosts.push_back(std::make_unique<SessionHost>(loops.at(i), make_launcher(loops.at(i)), settings));
  }

  HostSettings make_settings() {
    const auto environment = current_environment();
    return {environment,
            shell_candidates(options.shell, value_of(environment, "SHELL")),
            Store(options.state_dir),
            {options.screen, options.queries},
            files,
            options.file_patience,
            *this,
            options.linger,
            options.agent_linger,
            shell_files_in(options.state_dir),
            current_directory()};
  }

  // SessionDelegate
  void broadcast(const std::shared_ptr<const EncodedEvent>& encoded) override;
  void on_ended(const SessionKey& key, LaunchNumber launch, Remains remains) override;
  void ask_again(const Caller& caller, const Request& request) override;
  void on_failed(const SessionKey& key, const std::string& what) override;
  void on_released(const SessionKey& key) override;
  void when_gone(const std::shared_ptr<Viewer>& viewer,
                 const std::shared_ptr<const DisconnectCallbacks::Callback>& told) override;
  SubscriptionId next_subscription() override { return ++last_subscription; }
  LaunchNumber next_launch() override { return ++last_launch; }
  const std::shared_ptr<CellBudget>& cells() override { return all_cells; }

  SessionHost& host_of(const Loop& loop) { return *hosts[loop.index()]; }

  // Commands about all sessions: one overload each, so that a new one cannot be forgotten.
  void on(const Caller& caller, const List& asked);
  void on(const Caller& caller, const Subscribe& asked);
  void on(const Caller& caller, const Unsubscribe& asked);
  void send(Caller caller, Request request);
  void straight(SessionHost& host, Caller caller, Request request);
  void through_directory(Caller caller, Request request);
  void shut_down(std::function<void()> done);
  void shut_down_hosts(const std::function<void()>& done);

  Loops& loops;
  Options options;
  BlockingPool looks, files;
  std::atomic<SubscriptionId> last_subscription = 0;
  std::atomic<LaunchNumber> last_launch = 0;
  std::shared_ptr<CellBudget> all_cells = std::make_shared<CellBudget>(options.max_cells);
  HostSettings settings;
  Retention retention;
  Directory::Hosts hosts;
  Directory directory;
};

void SessionManager::Impl::broadcast(const std::shared_ptr<const EncodedEvent>& encoded) {
  for (const auto& host : hosts) host->loop().dispatch([to = host.get(), encoded] { to->tell_viewers(encoded); });
}

void SessionManager::Impl::on_ended(const SessionKey& key, LaunchNumber launch, Remains remains) {
  loops.main().post([this, key, launch, remains] { directory.on_ended(key, launch, remains); });
}

void SessionManager::Impl::ask_again(const Caller& caller, const Request& request) {
  caller.loop().post([this, caller, request] { through_directory(caller, request); });
}

void SessionManager::Impl::on_failed(const SessionKey& key, const std::string& what) {
  loops.main().post([this, key, what] { directory.on_failed(key, what); });
}

void SessionManager::Impl::on_released(const SessionKey& key) {
  loops.main().post([this, key] { directory.on_released(key); });
}

void SessionManager::Impl::when_gone(const std::shared_ptr<Viewer>& viewer,
                                     const std::shared_ptr<const DisconnectCallbacks::Callback>& told) {
  viewer->loop().dispatch([&host = host_of(viewer->loop()), viewer, waits = std::weak_ptr(told)] {
    if (const auto still = waits.lock()) host.when_gone(viewer, still);
  });
}

void SessionManager::Impl::send(Caller caller, Request request) {
  if (const auto loop = host_of(caller.loop()).router().straight_to(request))
    return straight(*hosts[*loop], std::move(caller), std::move(request));
  through_directory(std::move(caller), std::move(request));
}

void SessionManager::Impl::straight(SessionHost& host, Caller caller, Request request) {
  host.loop().dispatch([&host, caller = std::move(caller), request = std::move(request)] {
    auto* session = host.find(key_of(request.command()));
    if (!session) return caller.reply(unknown_terminal(key_of(request.command())));
    session->carry_out(caller, request, [] {});
  });
}

void SessionManager::Impl::through_directory(Caller caller, Request request) {
  auto& home = host_of(caller.loop());
  const auto place = home.router().sent(request);
  auto arrived = [&home, place] { home.loop().dispatch([&home, place] { home.router().arrived(place); }); };
  loops.main().post([this, &home, caller = std::move(caller), request = std::move(request), arrived]() mutable {
    retention.expect_more();
    directory.submit(std::move(caller), home, std::move(request), arrived);
  });
}

void SessionManager::Impl::on(const Caller& caller, const List& asked) {
  gather<TerminalInfo>(
      loops, hosts, loops.main(), [caller, asked](SessionHost& host) { return terminals_of(host, caller, asked); },
      [caller](std::vector<TerminalInfo> terminals) {
        std::sort(terminals.begin(), terminals.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
        caller.reply(Reply(TerminalList{std::move(terminals)}));
      });
}

void SessionManager::Impl::on(const Caller& caller, const Subscribe&) {
  if (!caller.viewer()) return caller.reply(Error(Errc::bad_request, "This connection cannot receive events"));
  loops.main().post([this, caller] { directory.watch(caller.viewer(), [caller] { caller.reply(Reply(Done{})); }); });
}

void SessionManager::Impl::on(const Caller& caller, const Unsubscribe&) {
  loops.main().post([this, viewer = caller.viewer()] { directory.unwatch(viewer); });
  caller.reply(Reply(Done{}));
}

void SessionManager::Impl::shut_down(std::function<void()> done) {
  for (auto* pool : {&looks, &files}) pool->end(server_is_ending());
  // Callers that waited for a task are answered first.
  loops.main().post([this, done = std::move(done)] {
    retention.stop();
    shut_down_hosts(done);
  });
}

void SessionManager::Impl::shut_down_hosts(const std::function<void()>& done) {
  auto left = std::make_shared<std::size_t>(hosts.size());
  for (const auto& host : hosts)
    host->loop().dispatch([this, host = host.get(), left, done] {
      host->shut_down([this, left, done] {
        loops.main().dispatch([left, done] {
          if (--*left == 0) done();
        });
      });
    });
}

SessionManager::SessionManager(Loops& loops, MakeLauncher make_launcher, Options options)
    : impl_(std::make_unique<Impl>(loops, make_launcher, std::move(options))) {}

SessionManager::~SessionManager() = default;

void SessionManager::add_viewer(const std::shared_ptr<Viewer>& viewer) {
  impl_->host_of(viewer->loop()).add_viewer(viewer);
}

void SessionManager::remove_viewer(const std::shared_ptr<Viewer>& viewer) {
  impl_->host_of(viewer->loop()).remove_viewer(viewer);
  impl_->loops.main().post([this, viewer] { impl_->directory.unwatch(viewer); });
}

void SessionManager::submit(Caller caller, Request request) {
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (CommandTraits<Asked>::dispatch == Dispatch::server) {
          impl_->on(caller, asked);
        } else if constexpr (CommandTraits<Asked>::dispatch == Dispatch::peer) {
          caller.reply(Error(Errc::internal, "A peer answers this itself"));
        } else {
          impl_->send(std::move(caller), std::move(request));
        }
      },
      request.command());
}

void SessionManager::submit(const std::shared_ptr<Viewer>& viewer, Command command, ReplyHandler done) {
  submit(Caller(viewer->loop(), viewer, std::move(done)), Request(std::move(command)));
}

void SessionManager::drain(std::function<void(std::size_t running)> told) {
  impl_->loops.main().dispatch([this, told = std::move(told)] { impl_->directory.drain(told); });
}

void SessionManager::shutdown(std::string reason, std::function<void()> done) {
  impl_->broadcast(make_broadcast({}, impl_->loops.main().clock().unix_now(), Shutdown{std::move(reason)}));
  // Before the pool ends: the shells end in a moment, and read nothing there any more.
  impl_->files.run(
      impl_->loops.main(), "", BlockingPool::Patience{kLastPatience, server_is_ending()},
      [folder = impl_->settings.shell_files]() -> Result<void> {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        return {};
      },
      [this, done = std::move(done)](const Result<void>&) { impl_->shut_down(done); });
}

void SessionManager::collect(Loop& loop, std::function<void(SessionMetrics)> done) {
  gather<SessionMetrics>(
      impl_->loops, impl_->hosts, loop, [](SessionHost& host) { return std::vector<SessionMetrics>{host.metrics()}; },
      [done = std::move(done)](const std::vector<SessionMetrics>& each) {
        SessionMetrics sum;
        for (const auto& one : each) add(sum, one);
        done(sum);
      });
}

void SessionManager::describe(Loop& loop, std::function<void(std::vector<SessionDebug>)> done) {
  gather<SessionDebug>(
      impl_->loops, impl_->hosts, loop,
      [](SessionHost& host) {
        std::vector<SessionDebug> all;
        for (const auto& [key, session] : host.sessions())
          all.push_back(session->session_info().debug(host.loop().index()));
        return all;
      },
      std::move(done));
}

}  // namespace ptyd
