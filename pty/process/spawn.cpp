#include "pty/process/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "pty/process/pidfd.hpp"

namespace ptyd {
namespace {

/// Where on its way to the exec a child is.
enum class Step : int { session, terminal, descriptors, directory, exec };

/// What a child writes about a failure, in one piece; for Step::exec once per candidate.
struct Failure {
  Step step = Step::exec;
  std::size_t candidate = 0;
  int error = 0;
};

constexpr int kExecFailed = 127;  // what shells and forkpty programs exit with when there was nothing to run
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

/// Set by raise_descriptor_limit(), before there are threads.
std::optional<rlimit> original_descriptor_limit;

std::string describe(int error) {
  return std::generic_category().message(error);
}

Error spawn_error(const std::string& what, int error) {
  return Error(Errc::spawn_failed, what + ": " + describe(error));
}

/// One candidate, as exec wants it.
struct Attempt {
  std::vector<std::string> paths;  // where it may be, in order
  std::vector<char*> argv;
};

/// Everything a child needs between fork and exec, allocated before the fork. Points into the LaunchSpec.
struct Plan {
  std::vector<Attempt> attempts;
  std::vector<std::string> assignments;
  std::vector<char*> envp;
  const char* cwd = nullptr;
  int slave = -1;
  int report = -1;
};

/// True for the failures after which the next candidate is tried.
bool means_not_found(int error) {
  return error == ENOENT || error == ENOTDIR;
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

std::string_view path_of(const Environment& environment) {
  std::string_view path = kDefaultPath;
  for (const auto& [name, value] : environment) {
    if (name == "PATH") path = value;
  }
  return path;
}

/// A name without a slash is looked for in every directory of the child's PATH; an empty one means its cwd.
std::vector<std::string> places(const std::string& program, std::string_view path) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> result;
  while (true) {
    const std::size_t colon = path.find(':');
    const std::string_view directory = path.substr(0, colon);
    result.push_back(directory.empty() ? "./" + program : std::string(directory) + '/' + program);
    if (colon == std::string_view::npos) return result;
    path.remove_prefix(colon + 1);
  }
}

// exec takes char* for historical reasons and does not write through it.
char* exec_text(const std::string& text) {
  return const_cast<char*>(text.c_str());
}

Plan make_plan(const LaunchSpec& spec) {
  Plan plan;
  for (const Program& program : spec.candidates) {
    Attempt& attempt = plan.attempts.emplace_back();
    attempt.paths = places(program.path, path_of(spec.environment));
    attempt.argv.push_back(exec_text(program.path));
    for (const std::string& arg : program.args) attempt.argv.push_back(exec_text(arg));
    attempt.argv.push_back(nullptr);
  }
  plan.assignments.reserve(spec.environment.size());
  for (const auto& [name, value] : spec.environment) plan.assignments.push_back(name + '=' + value);
  for (const std::string& assignment : plan.assignments) plan.envp.push_back(exec_text(assignment));
  plan.envp.push_back(nullptr);
  plan.cwd = spec.cwd.c_str();
  return plan;
}

struct Terminal {
  UniqueFd master, slave;
};

Result<Terminal> open_terminal(Size size) {
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
  if (::tcsetattr(terminal.slave.get(), TCSANOW, &modes) != 0)
    return spawn_error("Failed to set terminal modes", errno);
  winsize window{};
  window.ws_col = size.cols;
  window.ws_row = size.rows;
  if (::ioctl(master, TIOCSWINSZ, &window) != 0) return spawn_error("Failed to set the terminal's size", errno);
  return terminal;
}

// --- between fork and exec: only async-signal-safe calls; the memory is the parent's, who waits

[[noreturn]] void fail(int report, Step step, std::size_t candidate) {
  const Failure failure{step, candidate, errno};
  (void)!::write(report, &failure, sizeof failure);
  ::_exit(kExecFailed);
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
}

void close_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = first; fd < static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 16)); ++fd) ::close(fd);
}

/// Leaves 0-2 on the terminal and the report, which closes by itself at the exec, on 3.
int arrange_descriptors(const Plan& plan) {
  constexpr int kReport = 3;
  const int slave = ::fcntl(plan.slave, F_DUPFD, kReport + 1);  // out of the way of the numbers they shall get
  const int report = ::fcntl(plan.report, F_DUPFD, kReport + 1);
  if (slave < 0 || report < 0) fail(plan.report, Step::descriptors, 0);
  for (int fd = 0; fd < kReport; ++fd) {
    if (::dup2(slave, fd) < 0) fail(report, Step::descriptors, 0);
  }
  if (::dup3(report, kReport, O_CLOEXEC) < 0) fail(report, Step::descriptors, 0);
  close_from(kReport + 1);
  return kReport;
}

/// Tries every place; leaves in errno what speaks most: that a program is there but may not be run beats that it is
/// not.
void execute(const Attempt& attempt, char* const* envp) {
  int error = ENOENT;
  for (const std::string& path : attempt.paths) {
    ::execve(path.c_str(), attempt.argv.data(), envp);
    if (!means_not_found(errno)) error = errno;
    if (!means_not_found(errno) && errno != EACCES) break;
  }
  errno = error;
}

[[noreturn]] void become(const Plan& plan) {
  if (::setsid() < 0) fail(plan.report, Step::session, 0);
  if (::ioctl(plan.slave, TIOCSCTTY, 0) < 0) fail(plan.report, Step::terminal, 0);
  reset_signals();
  const int report = arrange_descriptors(plan);
  if (original_descriptor_limit) ::setrlimit(RLIMIT_NOFILE, &*original_descriptor_limit);
  if (::chdir(plan.cwd) < 0) fail(report, Step::directory, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  for (std::size_t i = 0; i < plan.attempts.size(); ++i) {
    execute(plan.attempts[i], plan.envp.data());
    if (!means_not_found(errno) || i + 1 == plan.attempts.size()) fail(report, Step::exec, i);
    const Failure failure{Step::exec, i, errno};
    (void)!::write(report, &failure, sizeof failure);
  }
  ::_exit(kExecFailed);
}

// --- the fork

/// Forks with every signal blocked, so that no handler of ours ever runs in the child. Returns after its exec.
[[gnu::noinline]] pid_t fork_child(const Plan& plan) {
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

/// What a child said about its way to the exec; at the end of its pipe the exec has happened, or failed for good.
std::vector<Failure> read_report(int descriptor) {
  std::vector<Failure> failures;
  while (true) {
    Failure failure;
    const ssize_t count = ::read(descriptor, &failure, sizeof failure);
    if (count < 0 && errno == EINTR) continue;
    if (count != static_cast<ssize_t>(sizeof failure)) return failures;
    failures.push_back(failure);
  }
}

/// Without arguments: those may hold what is not for everybody's eyes.
Error exec_error(const LaunchSpec& spec, const Failure& last) {
  std::string detail = "Failed to start " + spec.candidates[last.candidate].path + ": " + describe(last.error);
  detail += ". Tried shells: ";
  for (std::size_t i = 0; i <= last.candidate; ++i) detail += (i > 0 ? ", " : "") + spec.candidates[i].path;
  return Error(Errc::spawn_failed, detail + ".");
}

/// Whether one of the candidates runs, or why none does.
Result<void> outcome(const LaunchSpec& spec, const std::vector<Failure>& failures) {
  if (failures.empty()) return {};
  const Failure& last = failures.back();
  switch (last.step) {
    case Step::session:
      return spawn_error("Failed to make a session", last.error);
    case Step::terminal:
      return spawn_error("Failed to take the terminal", last.error);
    case Step::descriptors:
      return spawn_error("Failed to arrange descriptors", last.error);
    case Step::directory:
      return Error(Errc::bad_cwd, "Terminal cwd cannot be entered: " + spec.cwd + ": " + describe(last.error));
    case Step::exec:
      break;
  }
  if (means_not_found(last.error) && last.candidate + 1 < spec.candidates.size()) return {};
  return exec_error(spec, last);
}

/// It has ended or is about to: nobody else waits for it, so its number is not a stranger's.
void bury(int pid) {
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
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
    if (cut || means_not_found(errno)) return Error(Errc::bad_cwd, "Terminal cwd does not exist: " + path);
    return Error(Errc::bad_cwd, "Terminal cwd cannot be used: " + path + ": " + describe(errno));
  }
  if (!S_ISDIR(status.st_mode)) return Error(Errc::bad_cwd, "Terminal cwd is not a directory: " + path);
  return {};
}

void end_at_once(int pid) {
  ::kill(pid, SIGKILL);
  bury(pid);
}

Result<Spawned> spawn(const LaunchSpec& spec) {
  if (auto ok = check_spec(spec); !ok) return ok.error();
  auto terminal = open_terminal(spec.size);
  if (!terminal) return terminal.error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return spawn_error("Failed to make a pipe", errno);
  const UniqueFd report(ends[0]);
  UniqueFd child_end(ends[1]);

  Plan plan = make_plan(spec);
  plan.slave = terminal->slave.get();
  plan.report = child_end.get();
  Spawned spawned;
  spawned.pid = fork_child(plan);
  if (spawned.pid < 0) return spawn_error("Failed to fork", errno);
  child_end.reset();
  if (const auto started = outcome(spec, read_report(report.get())); !started) {
    bury(spawned.pid);
    return started.error();
  }
  spawned.process = open_pidfd(spawned.pid);
  if (!spawned.process) {
    const int error = errno;
    end_at_once(spawned.pid);
    return spawn_error("Failed to hold the new process", error);
  }
  spawned.master = std::move(terminal->master);
  return spawned;
}

}  // namespace ptyd
