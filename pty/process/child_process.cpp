#include "pty/process/child_process.hpp"

#include <sys/wait.h>

#include <boost/asio/post.hpp>
#include <cerrno>
#include <utility>

#include "pty/process/orphans.hpp"
#include "pty/process/pidfd.hpp"

namespace ptyd {
namespace {

ExitStatus status_of(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return {info.si_status, {}};
  return {{}, info.si_status};
}

}  // namespace

ChildProcess::ChildProcess(boost::asio::any_io_executor executor, int pid, UniqueFd process,
                           bool has_controlling_terminal)
    : handle_(process.get()),
      process_(std::move(executor)),
      pid_(pid),
      has_controlling_terminal_(has_controlling_terminal) {
  process_.assign(process.get());
  process.release();
}

void ChildProcess::watch(OnExit on_exit, OnBuried on_buried) {
  on_exit_ = std::move(on_exit);
  on_buried_ = std::move(on_buried);
  await_exit();
}

bool ChildProcess::has_number() const {
  siginfo_t info{};
  return !buried_ && ::waitid(P_PIDFD, static_cast<id_t>(handle_), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void ChildProcess::await_exit() {
  process_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [self = shared_from_this()](boost::system::error_code error) {
                        if (!error) self->look();
                      });
}

void ChildProcess::look() {
  siginfo_t info{};
  // The wait completes spuriously; only the kernel's own answer counts.
  const int failed = ::waitid(P_PIDFD, static_cast<id_t>(handle_), &info, WEXITED | WNOHANG | WNOWAIT);
  if (failed == 0 ? info.si_pid == 0 : (errno == EAGAIN || errno == EINTR)) return await_exit();
  ended_ = true;
  // Another process waited for our child: its number is free, and its exit status is lost; that it ended is not.
  if (failed != 0) keeps_number_ = false;
  if (!keeps_number_) bury();
  constexpr int kUnknownCode = 255;
  const ExitStatus status = failed == 0 ? status_of(info) : ExitStatus{kUnknownCode, {}};
  if (const OnExit on_exit = std::exchange(on_exit_, nullptr)) on_exit(status);
}

void ChildProcess::signal(int number) const {
  if (!buried_) signal_pidfd(handle_, number);
}

void ChildProcess::bury() {
  keeps_number_ = false;
  if (!ended_ || buried_) return;
  own_children::remove(pid_);
  siginfo_t info{};
  ::waitid(P_PIDFD, static_cast<id_t>(handle_), &info, WEXITED | WNOHANG);
  buried_ = true;
  boost::system::error_code ignored;
  process_.close(ignored);
  // In a later turn, behind the exit: the caller that buries it goes on with others.
  boost::asio::post(process_.get_executor(), [self = shared_from_this()] {
    if (const OnBuried on_buried = std::exchange(self->on_buried_, nullptr)) on_buried();
  });
}

}  // namespace ptyd
