#include "pty/process/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "pty/process/exec_plan.hpp"
#include "pty/process/orphans.hpp"
#include "pty/process/pidfd.hpp"

namespace ptyd {
namespace {

/// Set by raise_descriptor_limit(), before there are threads.
std::optional<rlimit> original_descriptor_limit;

std::string describe(int error) {
  return std::generic_category().message(error);
}

Error spawn_error(const std::string& what, int error) {
  return Error(Errc::spawn_failed, what + ": " + describe(error));
}

// --- before the fork

Result<void> check_text(const std::string& what, std::string_view text) {
  if (text.find('\0') == std::string_view::npos) return {};
  return Error(Errc::bad_request, what + ": contains a NUL byte");
}

Result<void> check_spec(const LaunchSpec& spec) {
  if (spec.candidates.empty()) return Error(Errc::bad_request, "candidates: there is no program to start");
  for (const Program& program : spec.candidates) {
    if (program.path.empty()) return Error(Errc::bad_request, "program: its name is empty");
    if (auto ok = check_text("program", program.path); !ok) return ok.error();
    for (const std::string& arg : program.args) {
      if (auto ok = check_text("argument", arg); !ok) return ok.error();
    }
  }
  for (const auto& [name, value] : spec.environment) {
    if (name.empty() || name.find('=') != std::string::npos) {
      return Error(Errc::bad_request, "env: a name is empty or contains '='");
    }
    if (auto ok = check_text("env name", name); !ok) return ok.error();
    if (auto ok = check_text("env." + name, value); !ok) return ok.error();
  }
  return check_text("cwd", spec.cwd);
}

struct Terminal {
  UniqueFd master, slave;
};

Result<Terminal> open_terminal(const LaunchSpec& spec) {
  Terminal terminal;
  terminal.master = UniqueFd(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!terminal.master) return spawn_error("Failed to open a pty", errno);
  const int master = terminal.master.get();
  if (::grantpt(master) != 0 || ::unlockpt(master) != 0) return spawn_error("Failed to unlock a pty", errno);
  // Not by name: another mount namespace may call this pty differently.
  terminal.slave = UniqueFd(::ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.slave) return spawn_error("Failed to open a pty's terminal side", errno);

  termios modes{};
  if (::tcgetattr(terminal.slave.get(), &modes) != 0) return spawn_error("Failed to read terminal modes", errno);
  modes.c_iflag |= IUTF8;  // so that the kernel's line editing erases whole characters
  // No person types: input is an answer to a query of the program, and must not be echoed into the output.
  if (spec.null_input) modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  if (::tcsetattr(terminal.slave.get(), TCSANOW, &modes) != 0)
    return spawn_error("Failed to set terminal modes", errno);
  winsize window{};
  window.ws_col = spec.size.cols;
  window.ws_row = spec.size.rows;
  if (::ioctl(master, TIOCSWINSZ, &window) != 0) return spawn_error("Failed to set the terminal's size", errno);
  return terminal;
}

Result<UniqueFd> open_null() {
  UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null) return spawn_error("Failed to open /dev/null", errno);
  return null;
}

// --- the fork

/// Forks with every signal blocked, so that no handler of ours ever runs in the child. Returns after its exec.
[[gnu::noinline]] pid_t fork_child(ExecPlan& plan) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::vfork();
  if (pid == 0) become(plan);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

// --- afterwards

/// A child's report about its way to the exec; at the end of its pipe the exec has happened, or failed for good.
std::vector<ExecFailure> read_report(int descriptor) {
  std::vector<ExecFailure> failures;
  while (true) {
    ExecFailure failure;
    const ssize_t count = ::read(descriptor, &failure, sizeof failure);
    if (count < 0 && errno == EINTR) continue;
    if (count != static_cast<ssize_t>(sizeof failure)) return failures;
    failures.push_back(failure);
  }
}

/// Names the first `count` candidates, without arguments: these may hold secrets.
std::string tried(const LaunchSpec& spec, std::size_t count) {
  std::string paths = ". Tried shells: ";
  for (std::size_t i = 0; i < count; ++i) paths += (i > 0 ? ", " : "") + spec.candidates[i].path;
  return paths + ".";
}

Error exec_error(const LaunchSpec& spec, const ExecFailure& last) {
  return Error(Errc::spawn_failed,
               "Failed to start " + spec.candidates[last.candidate].path + ": " + describe(last.error) +
                   tried(spec, last.candidate + 1),
               last.error);
}

/// Which of the candidates runs, or why none does.
Result<std::size_t> outcome(const LaunchSpec& spec, const std::vector<ExecFailure>& failures) {
  if (failures.empty()) return std::size_t{0};
  const ExecFailure& last = failures.back();
  switch (last.step) {
    case ExecStep::session:
      return spawn_error("Failed to make a session", last.error);
    case ExecStep::terminal:
      return spawn_error("Failed to take the terminal", last.error);
    case ExecStep::descriptors:
      return spawn_error("Failed to arrange descriptors", last.error);
    case ExecStep::directory:
      return Error(Errc::bad_cwd, "Terminal cwd cannot be entered: " + spec.cwd + ": " + describe(last.error));
    case ExecStep::exec:
      break;
  }
  if (means_not_found(last.error) && last.candidate + 1 < spec.candidates.size()) return last.candidate + 1;
  return exec_error(spec, last);
}

/// Kills a child by number, which no other process can have: only this process waits for the child.
void end_at_once(int pid) {
  ::kill(pid, SIGKILL);
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  own_children::remove(pid);
  ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG);
}

Result<Spawned> hold(int pid, std::size_t candidate, UniqueFd master, bool has_controlling_terminal) {
  Spawned spawned{pid, candidate, std::move(master), open_pidfd(pid), has_controlling_terminal};
  if (spawned.process) return spawned;
  return spawn_error("Failed to hold the new process", errno);
}

}  // namespace

rlimit raise_descriptor_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (!original_descriptor_limit) original_descriptor_limit = limit;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return *original_descriptor_limit;
}

Result<void> check_cwd(const std::string& path) {
  struct stat status {};
  if (const bool cut = path.find('\0') != std::string::npos; cut || ::stat(path.c_str(), &status) != 0) {
    if (cut || errno == ENOENT || errno == ENOTDIR) return Error(Errc::bad_cwd, "Terminal cwd does not exist: " + path);
    return Error(Errc::bad_cwd, "Terminal cwd cannot be used: " + path + ": " + describe(errno));
  }
  if (!S_ISDIR(status.st_mode)) return Error(Errc::bad_cwd, "Terminal cwd is not a directory: " + path);
  return {};
}

Spawned::Spawned(int number, std::size_t which, UniqueFd master_side, UniqueFd pidfd, bool controlling)
    : pid(number),
      candidate(which),
      master(std::move(master_side)),
      process(std::move(pidfd)),
      has_controlling_terminal(controlling) {}

Spawned::Spawned(Spawned&& other) noexcept
    : pid(other.take_on()),
      candidate(other.candidate),
      master(std::move(other.master)),
      process(std::move(other.process)),
      has_controlling_terminal(other.has_controlling_terminal) {}

Spawned::~Spawned() {
  if (pid > 0) end_at_once(pid);
}

int Spawned::take_on() {
  return std::exchange(pid, 0);
}

Error no_answer(const LaunchSpec& spec, std::chrono::seconds patience) {
  const auto first = spec.candidates.empty() ? "" : spec.candidates.front().path;
  return Error(Errc::spawn_failed, "Failed to start " + first + " in " + spec.cwd + ": there was no answer for " +
                                       std::to_string(patience.count()) + " s" + tried(spec, spec.candidates.size()));
}

Result<Spawned> spawn(const LaunchSpec& spec, std::chrono::seconds patience) {
  if (auto ok = check_spec(spec); !ok) return ok.error();
  auto terminal = open_terminal(spec);
  if (!terminal) return terminal.error();
  auto null = spec.null_input ? open_null() : UniqueFd();
  if (!null) return null.error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return spawn_error("Failed to make a pipe", errno);
  const UniqueFd report(ends[0]);
  UniqueFd child_end(ends[1]);

  ExecPlan plan = make_exec_plan(spec);
  plan.descriptor_limit = original_descriptor_limit ? &*original_descriptor_limit : nullptr;
  plan.terminal = terminal->slave.get();
  plan.has_controlling_terminal = !spec.null_input;
  plan.input = spec.null_input ? null->get() : plan.terminal;
  plan.report = child_end.get();
  plan.patience = patience;
  const auto begun = std::chrono::steady_clock::now();
  const pid_t pid = fork_child(plan);
  if (pid < 0) return spawn_error("Failed to fork", errno);
  child_end.reset();
  const auto failures = read_report(report.get());
  // A child that was killed on its way reports as little as one that has arrived.
  const bool late = std::chrono::steady_clock::now() - begun >= patience;
  const auto started = late ? Result<std::size_t>(no_answer(spec, patience)) : outcome(spec, failures);
  if (started) return hold(pid, *started, std::move(terminal->master), plan.has_controlling_terminal);
  end_at_once(pid);
  return started.error();
}

}  // namespace ptyd
