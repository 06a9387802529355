#include "server/init.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "server/config/drain_signals.hpp"

namespace ptyd {
namespace {

/// Signals that the server handles. Any other would only kill it, so it is not handed on.
constexpr int kHandedOn[] = {SIGTERM, SIGINT, SIGHUP, kDrain, kUndoDrain};

sigset_t signals_of_init() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  for (const int signal : kHandedOn) ::sigaddset(&signals, signal);
  return signals;
}

/// Exit code as shells report it: 128 plus the number for a signal.
int exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void collect_the_dead(pid_t server) {
  int status = 0;
  for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0; pid = ::waitpid(-1, &status, WNOHANG)) {
    if (pid == server) ::_exit(exit_code(status));
  }
}

[[noreturn]] void serve_as_init(pid_t server, const sigset_t& signals) {
  for (;;) {
    int signal = 0;
    if (::sigwait(&signals, &signal) != 0) continue;
    if (signal == SIGCHLD) {
      collect_the_dead(server);
    } else {
      ::kill(server, signal);
    }
  }
}

}  // namespace

void stay_behind_as_init() {
  if (::getpid() != 1) return;
  const sigset_t signals = signals_of_init();
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t server = ::fork();
  if (server < 0) throw std::system_error(errno, std::generic_category(), "fork");
  // A terminal sends Ctrl-C to the whole group: the server would have it twice, and the second ends it at once. Parent
  // and child both set the group, so that it is set before either goes on.
  ::setpgid(server, server);
  if (server > 0) serve_as_init(server, signals);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace ptyd
