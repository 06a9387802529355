#include "pty/process/exec_plan.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string_view>
#include <utility>

#include "pty/process/environment.hpp"
#include "pty/process/orphans.hpp"

namespace ptyd {
namespace {

constexpr int kExecFailed = 127;  // exit code of shells and forkpty programs that found nothing to run
constexpr const char* kScriptShell = "/bin/sh";

// --- before the fork

/// Directories of a PATH that are looked into: far more than people have, little for a peer to make the server keep.
constexpr std::size_t kMaxPlaces = 1024;

/// Whether `program` is looked for in the directories of PATH. A name longer than NAME_MAX, such as a whole command
/// line, is in none.
bool is_searched(const std::string& program) {
  return program.find('/') == std::string::npos && program.size() <= NAME_MAX;
}

/// Paths to try for `program`: itself, or in each directory of the child's PATH; an empty directory means the cwd.
std::vector<std::string> places(const std::string& program, std::string_view path) {
  if (!is_searched(program)) return {program};
  std::vector<std::string> result;
  while (result.size() < kMaxPlaces) {
    const std::size_t colon = path.find(':');
    const std::string_view directory = path.substr(0, colon);
    result.push_back(directory.empty() ? "./" + program : std::string(directory) + '/' + program);
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  return result;
}

// exec takes char* for historical reasons and does not write through it.
char* exec_text(const char* text) {
  return const_cast<char*>(text);
}

ExecAttempt make_attempt(const Program& program, std::string_view path) {
  ExecAttempt attempt;
  attempt.paths = places(program.path, path);
  attempt.is_searched = is_searched(program.path);
  attempt.argv = {exec_text(kScriptShell), exec_text(program.path.c_str())};
  for (const std::string& arg : program.args) attempt.argv.push_back(exec_text(arg.c_str()));
  attempt.argv.push_back(nullptr);
  return attempt;
}

// --- between fork and exec: only async-signal-safe calls; the memory is the parent's, which waits

[[noreturn]] void fail(int report, ExecStep step, std::size_t candidate) {
  const ExecFailure failure{step, candidate, errno};
  (void)!::write(report, &failure, sizeof failure);
  ::_exit(kExecFailed);
}

/// KILLs this process after `time`, unless it has become a program by then: an exec ends its timers. Where the kernel
/// has no timer nothing ends it. By plain calls, since those of the C library may allocate.
void limit_time(std::chrono::seconds time) {
  sigevent end{};
  end.sigev_notify = SIGEV_SIGNAL;
  end.sigev_signo = SIGKILL;
  int timer = 0;
  if (::syscall(SYS_timer_create, CLOCK_MONOTONIC, &end, &timer) != 0) return;
  itimerspec due{};
  due.it_value.tv_sec = static_cast<time_t>(time.count());
  ::syscall(SYS_timer_settime, timer, 0, &due, nullptr);
}

void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
}

/// Gives up a protection from the OOM killer that the server may have: else a program that takes too much memory would
/// outlive the server.
void give_up_being_spared() {
  const int score = ::open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
  if (score < 0) return;
  char sign = 0;
  if (::read(score, &sign, 1) == 1 && sign == '-') (void)!::pwrite(score, "0", 1, 0);
  ::close(score);
}

void close_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  for (int fd = first; fd < static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 16)); ++fd) ::close(fd);
}

/// Leaves 0 on the input, 1 and 2 on the terminal, and the report, which closes by itself at the exec, on 3.
int arrange_descriptors(const ExecPlan& plan) {
  constexpr int kReport = 3;
  const int terminal = ::fcntl(plan.terminal, F_DUPFD, kReport + 1);  // out of the way of the numbers they shall get
  const int input = ::fcntl(plan.input, F_DUPFD, kReport + 1);
  const int report = ::fcntl(plan.report, F_DUPFD, kReport + 1);
  if (terminal < 0 || input < 0 || report < 0) fail(plan.report, ExecStep::descriptors, 0);
  for (int fd = 0; fd < kReport; ++fd) {
    if (::dup2(fd == STDIN_FILENO ? input : terminal, fd) < 0) fail(report, ExecStep::descriptors, 0);
  }
  if (::dup3(report, kReport, O_CLOEXEC) < 0) fail(report, ExecStep::descriptors, 0);
  close_from(kReport + 1);
  return kReport;
}

/// Whether the first line of a file has no NUL: a program for another machine is nothing for a shell to read.
bool is_text(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 128> start;
  const ssize_t count = ::read(file, start.data(), start.size());
  ::close(file);
  if (count < 0) return false;
  const auto line_end = std::find(start.data(), start.data() + count, '\n');
  return std::find(start.data(), line_end, '\0') == line_end;
}

/// A script without "#!": run by sh, as execvp does it.
void execute_script(ExecAttempt& attempt, const std::string& path, char* const* envp) {
  if (is_text(path.c_str())) {
    char* const name = std::exchange(attempt.argv[1], exec_text(path.c_str()));
    ::execve(kScriptShell, attempt.argv.data(), envp);
    attempt.argv[1] = name;
  }
  errno = ENOEXEC;
}

/// Whether exec's EACCES came from a directory of PATH that may not be searched: as good as not there.
bool is_out_of_sight(const ExecAttempt& attempt, const std::string& path) {
  return attempt.is_searched && ::access(path.c_str(), F_OK) != 0;
}

/// Tries every path. Leaves the most telling error in errno: that a program may not be run tells more than that there
/// is none.
void execute(ExecAttempt& attempt, char* const* envp) {
  int error = ENOENT;
  for (const std::string& path : attempt.paths) {
    ::execve(path.c_str(), attempt.argv.data() + 1, envp);
    if (errno == ENOEXEC) execute_script(attempt, path, envp);
    const int found = errno;
    if (means_not_found(found) || (found == EACCES && is_out_of_sight(attempt, path))) continue;
    error = found;
    if (error != EACCES) break;
  }
  errno = error;
}

}  // namespace

bool means_not_found(int error) {
  return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

ExecPlan make_exec_plan(const LaunchSpec& spec) {
  ExecPlan plan;
  const auto path = value_of(spec.environment, "PATH", kDefaultPath);
  for (const Program& program : spec.candidates) plan.attempts.push_back(make_attempt(program, path));
  plan.assignments.reserve(spec.environment.size());
  for (const auto& [name, value] : spec.environment) plan.assignments.push_back(name + '=' + value);
  for (const std::string& assignment : plan.assignments) plan.envp.push_back(exec_text(assignment.c_str()));
  plan.envp.push_back(nullptr);
  plan.cwd = spec.cwd.c_str();
  return plan;
}

void become(ExecPlan& plan) {
  become_root();
  limit_time(plan.patience);
  if (::setsid() < 0) fail(plan.report, ExecStep::session, 0);
  if (plan.has_controlling_terminal && ::ioctl(plan.terminal, TIOCSCTTY, 0) < 0)
    fail(plan.report, ExecStep::terminal, 0);
  reset_signals();
  give_up_being_spared();
  const int report = arrange_descriptors(plan);
  if (plan.descriptor_limit != nullptr) ::setrlimit(RLIMIT_NOFILE, plan.descriptor_limit);
  if (::chdir(plan.cwd) < 0) fail(report, ExecStep::directory, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);

  for (std::size_t i = 0; i < plan.attempts.size(); ++i) {
    execute(plan.attempts[i], plan.envp.data());
    if (!means_not_found(errno) || i + 1 == plan.attempts.size()) fail(report, ExecStep::exec, i);
    const ExecFailure failure{ExecStep::exec, i, errno};
    (void)!::write(report, &failure, sizeof failure);
  }
  ::_exit(kExecFailed);
}

}  // namespace ptyd
