#include "pty/process/unix_pty.hpp"

#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "pty/process/child_process.hpp"
#include "pty/process/process_tree.hpp"
#include "pty/process/reaper.hpp"

namespace ptyd {
namespace {

using boost::asio::posix::stream_descriptor;
using boost::system::error_code;

/// Bytes that are read after the child's exit. The kernel holds fewer (19 KB) of what the child wrote: a writer of more
/// is a background job that kept the terminal open, and must not put off the end for ever.
constexpr std::size_t kReadAfterExit = 64 << 10;

/// A program may close its terminal and open it again; until then the kernel reports an end that is none, and no event.
constexpr std::chrono::milliseconds kLookAgain{50};

/// The master side and its observer; the loop may hold it longer than its Pty lives.
struct Line : std::enable_shared_from_this<Line> {
  Line(const boost::asio::any_io_executor& executor, UniqueFd master, PtyObserver& told)
      : fd(master.get()), descriptor(executor), read_again(executor), write_again(executor), observer(&told) {
    descriptor.assign(master.get());
    master.release();
  }

  template <class Tell>
  void watch(stream_descriptor::wait_type what, boost::asio::steady_timer& again, bool& watches, Tell tell);
  void stop_waiting();
  void leave();
  void exit(ExitStatus status);
  void close();

  int fd;  // of descriptor
  stream_descriptor descriptor;
  boost::asio::steady_timer read_again, write_again;
  PtyObserver* observer;  // none once the Pty is gone
  bool watches_read = false, watches_write = false;
  bool nobody_there = false;  // the last call met a terminal that no process has open
  bool exited = false;
  std::size_t read_after_exit = 0;
  bool ended = false;  // all output of the child itself has been read; jobs that it left behind print on
};

template <class Tell>
void Line::watch(stream_descriptor::wait_type what, boost::asio::steady_timer& again, bool& watches, Tell tell) {
  if (std::exchange(watches, true)) return;
  auto told = [self = shared_from_this(), &watches, tell](error_code) {
    watches = false;
    if (self->observer != nullptr) tell(*self->observer);
  };
  if (exited && !ended) {  // there is always something: the rest, or the end
    boost::asio::post(descriptor.get_executor(), [told] { told({}); });
  } else if (nobody_there) {
    again.expires_after(kLookAgain);
    again.async_wait(std::move(told));
  } else {
    descriptor.async_wait(what, std::move(told));
  }
}

void Line::stop_waiting() {
  read_again.cancel();
  write_again.cancel();
  error_code ignored;
  descriptor.cancel(ignored);
}

void Line::leave() {
  observer = nullptr;
  stop_waiting();
}

void Line::exit(ExitStatus status) {
  exited = true;
  stop_waiting();
  if (observer != nullptr) observer->on_exit(status);
}

/// Called when all was read after the exit. Processes left behind meet a terminal that is gone, as when a window is
/// closed.
void Line::close() {
  fd = -1;
  error_code ignored;
  descriptor.close(ignored);
}

Error io_error(Errc code, const char* what) {
  return Error(code, std::string(what) + ": " + std::generic_category().message(errno));
}

class UnixPty final : public Pty {
 public:
  UnixPty(std::shared_ptr<Line> line, std::shared_ptr<ChildProcess> child, std::size_t candidate,
          std::shared_ptr<Reaper> reaper)
      : line_(std::move(line)), child_(std::move(child)), candidate_(candidate), reaper_(std::move(reaper)) {
    child_->keep_number();
    child_->watch(
        [line = line_, reaper = reaper_, child = child_.get()](ExitStatus status) {
          reaper->on_child_ended(child->shared_from_this());
          line->exit(status);
        },
        [line = line_] {
          if (line->observer != nullptr) line->observer->on_processes_gone();
        });
  }
  ~UnixPty() override {
    line_->leave();
    child_->forget();
    reaper_->end(child_, std::move(line_));
  }

  int pid() const override { return child_->pid(); }
  std::size_t candidate() const override { return candidate_; }

  Result<std::size_t> read(std::span<char> space) override;
  Result<std::size_t> write(std::string_view bytes) override;
  Result<void> resize(Size size) override;
  bool prints_on() const override { return line_->ended && line_->fd >= 0; }
  void watch_readable() override;
  void watch_writable() override;
  LineMode line_mode() const override;
  std::optional<Foreground> foreground() const override;
  bool is_in_front() const override;
  std::chrono::milliseconds time_used() const override;
  Result<void> signal(int number) override;
  void hang_up() override { reaper_->end(child_, nullptr); }
  bool has_processes() const override { return !child_->buried(); }

 private:
  bool signal_group(int number) const;

  std::shared_ptr<Line> line_;
  std::shared_ptr<ChildProcess> child_;
  const std::size_t candidate_;
  std::shared_ptr<Reaper> reaper_;
};

Result<std::size_t> UnixPty::read(std::span<char> space) {
  Line& line = *line_;
  while (line.fd >= 0 && (line.ended || line.read_after_exit < kReadAfterExit)) {
    const ssize_t count = ::read(line.fd, space.data(), space.size());
    line.nobody_there = count < 0 && errno == EIO;
    if (count > 0) {
      if (line.exited) line.read_after_exit += static_cast<std::size_t>(count);
      return static_cast<std::size_t>(count);
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EIO) return io_error(Errc::internal, "reading from a terminal");
    // The kernel brings everything written so far before it says that there is nothing.
    if (line.ended ? line.nobody_there : line.exited) break;
    return std::size_t{0};
  }
  const bool may_print_on = !child_->has_controlling_terminal() && !line.ended && !line.nobody_there && line.fd >= 0;
  line.ended = line.ended || may_print_on;
  if (!may_print_on) line.close();
  return Error(Errc::end, "the terminal's output has ended");
}

Result<std::size_t> UnixPty::write(std::string_view bytes) {
  if (line_->exited) return Error(Errc::exited, "the terminal's program has ended");
  while (true) {
    const ssize_t count = ::write(line_->fd, bytes.data(), bytes.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    line_->nobody_there = errno == EIO;
    if (errno == EAGAIN || errno == EIO) return std::size_t{0};
    if (errno != EINTR) return io_error(Errc::internal, "writing to a terminal");
  }
}

void UnixPty::watch_readable() {
  line_->watch(stream_descriptor::wait_read, line_->read_again, line_->watches_read,
               [](PtyObserver& observer) { observer.on_readable(); });
}

void UnixPty::watch_writable() {
  line_->watch(stream_descriptor::wait_write, line_->write_again, line_->watches_write,
               [](PtyObserver& observer) { observer.on_writable(); });
}

Result<void> UnixPty::resize(Size size) {
  winsize window{};
  window.ws_col = size.cols;
  window.ws_row = size.rows;
  if (::ioctl(line_->fd, TIOCSWINSZ, &window) != 0) return io_error(Errc::internal, "resizing a terminal");
  // The kernel tells the session whose controlling terminal it is.
  if (!child_->has_controlling_terminal()) signal_group(SIGWINCH);
  return {};
}

/// Signals the group that the child leads: the child made its session, and keeps its number while a process of that
/// runs.
bool UnixPty::signal_group(int number) const {
  return child_->has_number() && ::kill(-child_->pid(), number) == 0;
}

LineMode UnixPty::line_mode() const {
  termios modes{};
  if (::tcgetattr(line_->fd, &modes) != 0) return {};
  return {(modes.c_lflag & ICANON) != 0, (modes.c_lflag & ECHO) != 0};
}

std::optional<Foreground> UnixPty::foreground() const {
  if (line_->exited || line_->fd < 0) return std::nullopt;
  const pid_t group = ::tcgetpgrp(line_->fd);
  auto front = group > 1 ? foreground_of_group(group, child_->pid()) : std::nullopt;
  return front ? front : foreground_of(child_->pid());
}

bool UnixPty::is_in_front() const {
  return !line_->exited && line_->fd >= 0 && ::tcgetpgrp(line_->fd) == child_->pid();
}

std::chrono::milliseconds UnixPty::time_used() const {
  const auto child = line_->exited ? std::nullopt : read_process(child_->pid());
  return child ? child->time_used + processor_wait(child_->pid()) : std::chrono::milliseconds(0);
}

/// Our own master names the foreground group right before it is signalled, so the group still has a process. A program
/// that left its terminal (setsid) is signalled by its pidfd.
Result<void> UnixPty::signal(int number) {
  if (line_->exited || line_->fd < 0) return Error(Errc::exited, "the terminal's program has ended");
  const pid_t group = ::tcgetpgrp(line_->fd);
  if (group <= 1) {
    if (child_->has_controlling_terminal() || !signal_group(number)) child_->signal(number);
    return {};
  }
  if (::kill(-group, number) == 0) return {};
  if (errno == EPERM) return Error(Errc::denied, "the program in the foreground is another user's");
  child_->signal(number);
  return {};
}

/// An inherited "ignore SIGCHLD" would make the kernel throw exit statuses away.
void keep_exit_statuses() {
  struct sigaction action {};
  if (::sigaction(SIGCHLD, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) ::signal(SIGCHLD, SIG_DFL);
}

Spawner spawn_in_place(const boost::asio::any_io_executor& executor) {
  return [executor](const LaunchSpec& spec, std::function<void(Result<Spawned>)> told) {
    boost::asio::post(executor,
                      [spawned = spawn(spec), told = std::move(told)]() mutable { told(std::move(spawned)); });
  };
}

}  // namespace

Result<std::unique_ptr<Pty>> make_pty(const boost::asio::any_io_executor& executor,
                                      const std::shared_ptr<Reaper>& reaper, Spawned spawned, PtyObserver& observer) {
  try {
    auto child = std::make_shared<ChildProcess>(executor, spawned.pid, std::move(spawned.process),
                                                spawned.has_controlling_terminal);
    auto line = std::make_shared<Line>(executor, std::move(spawned.master), observer);
    auto pty = std::make_unique<UnixPty>(std::move(line), std::move(child), spawned.candidate, reaper);
    static_cast<void>(spawned.take_on());
    return std::unique_ptr<Pty>(std::move(pty));
  } catch (const std::exception& error) {
    return Error(Errc::spawn_failed, std::string("Failed to watch the new process: ") + error.what());
  }
}

UnixLauncher::UnixLauncher(boost::asio::any_io_executor executor, Graces graces, Spawner spawner)
    : executor_(std::move(executor)),
      reaper_(std::make_shared<Reaper>(executor_, graces)),
      alive_(std::make_shared<int>()),
      spawner_(spawner ? std::move(spawner) : spawn_in_place(executor_)) {
  keep_exit_statuses();
}

UnixLauncher::~UnixLauncher() {
  alive_.reset();
  reaper_->finish();
}

void UnixLauncher::launch(LaunchSpec spec, PtyObserver& observer, Done done) {
  spawner_(std::move(spec), [executor = executor_, reaper = reaper_, alive = std::weak_ptr<void>(alive_), &observer,
                             done = std::move(done)](Result<Spawned> spawned) {
    if (alive.expired()) return;
    done(spawned ? make_pty(executor, reaper, std::move(*spawned), observer) : spawned.error());
  });
}

}  // namespace ptyd
