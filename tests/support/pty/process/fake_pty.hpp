// FakePty, FakeLauncher: a pty without a process, which a test scripts and which remembers what was done to it.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/process/pty.hpp"

namespace ptyd {

/// The child behind one FakePty, as a test sees it. It outlives its Pty, so that a test can look at it afterwards.
///
/// Thread  the executor's, or any while that does not run.
/// Order   like the real one: the observer is told by a posted call, never from inside a call, and never once the Pty
///         is gone; read() gives Errc::end after exit() and only when everything said was read.
class FakeChild : public std::enable_shared_from_this<FakeChild> {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  FakeChild(boost::asio::any_io_executor executor, LaunchSpec spec, PtyObserver& observer, int process)
      : launched_with(std::move(spec)), pid(process), executor_(std::move(executor)), observer_(&observer) {
    sizes.push_back(launched_with.size);
  }

  // --- the script

  /// The child prints.
  void say(std::string_view bytes) {
    unread_ += bytes;
    wake_reader();
  }
  /// The child ends; the observer hears it in a posted call. What was said stays readable, then comes Errc::end.
  void exit(ExitStatus status) {
    if (exited_) return;
    exited_ = true;
    tell([status](PtyObserver& observer) { observer.on_exit(status); });
    if (!output_held_) end_output();
    if (!leaves_jobs) tell_processes_gone();
  }
  /// The jobs that it left behind end, and close its terminal.
  void end_jobs() {
    leaves_jobs = false;
    wake_reader();
    if (exited_) tell_processes_gone();
  }
  /// The output does not end with exit() but with end_output(), as when the kernel is late.
  void hold_output() { output_held_ = true; }
  void end_output() {
    ended_ = true;
    wake_reader();
  }
  /// How many more bytes write() takes; kUnlimited at first.
  void set_capacity(std::size_t bytes) {
    capacity_ = bytes;
    wake_writer();
  }
  /// All the child was sent since the last call.
  std::string take_written() { return std::exchange(written, {}); }

  // --- the memory

  const LaunchSpec launched_with;
  const int pid;
  std::string written;                     ///< input so far, less what take_written() took
  std::vector<Size> sizes;                 ///< the first one is the one it was started with
  std::vector<std::size_t> resized_after;  ///< for each resize: total bytes written before it
  std::size_t total_written = 0;
  std::vector<int> signals;  ///< that it was sent, in their order
  int hang_ups = 0;
  bool jobs_stay = false;  ///< they ignore hang-ups as well
  std::size_t reads = 0;   ///< calls of read() that gave bytes
  bool destroyed = false;  ///< the Pty is gone
  bool reading() const { return watches_read_; }
  bool has_exited() const { return exited_; }
  std::size_t unread() const { return unread_.size(); }

  // --- what the real one would be asked

  std::size_t candidate = 0;
  LineMode line_mode;
  std::optional<ExitStatus> at_hang_up = ExitStatus{{}, 1};  ///< nothing: it ignores hang-ups
  std::size_t read_limit = kUnlimited;                       ///< bytes one read() gives at most
  bool leaves_jobs = false;                                  ///< has_processes() after the exit
  std::optional<Foreground> foreground;
  bool is_in_front = true;

 private:
  friend class FakePty;

  template <class Call>
  void tell(Call call) {
    boost::asio::post(executor_, [self = shared_from_this(), call] {
      if (self->observer_ != nullptr) call(*self->observer_);
    });
  }
  void tell_processes_gone() {
    tell([](PtyObserver& observer) { observer.on_processes_gone(); });
  }
  bool prints_on() const { return launched_with.null_input && leaves_jobs; }
  void wake_reader() {
    const bool is_at_end = ended_ && !(end_read_ && prints_on());
    if (!watches_read_ || telling_read_ || (unread_.empty() && !is_at_end)) return;
    telling_read_ = true;
    tell([this](PtyObserver& observer) {
      telling_read_ = watches_read_ = false;
      observer.on_readable();
    });
  }
  void wake_writer() {
    if (!watches_write_ || telling_write_ || capacity_ == 0) return;
    telling_write_ = true;
    tell([this](PtyObserver& observer) {
      telling_write_ = watches_write_ = false;
      observer.on_writable();
    });
  }

  boost::asio::any_io_executor executor_;
  PtyObserver* observer_;
  std::string unread_;
  std::size_t capacity_ = kUnlimited;
  bool watches_read_ = false, watches_write_ = false;
  bool telling_read_ = false, telling_write_ = false;  // the call is on its way
  bool exited_ = false, ended_ = false, output_held_ = false;
  bool end_read_ = false;  // read() has given Errc::end
};

/// The Pty that a Session gets.
class FakePty final : public Pty {
 public:
  explicit FakePty(std::shared_ptr<FakeChild> child) : child_(std::move(child)) {}
  ~FakePty() override {
    child_->destroyed = true;
    child_->observer_ = nullptr;
  }

  int pid() const override { return child_->pid; }
  std::size_t candidate() const override { return child_->candidate; }

  Result<std::size_t> read(std::span<char> space) override {
    std::string& unread = child_->unread_;
    if (unread.empty() && child_->ended_ && !(child_->end_read_ && child_->prints_on())) {
      child_->end_read_ = true;
      return Error(Errc::end, "the fake child's output has ended");
    }
    const std::size_t count = std::min({space.size(), unread.size(), child_->read_limit});
    std::copy_n(unread.begin(), count, space.begin());
    unread.erase(0, count);
    if (count > 0) ++child_->reads;
    return count;
  }
  Result<std::size_t> write(std::string_view bytes) override {
    if (child_->exited_) return Error(Errc::exited, "the fake child is gone");
    const std::size_t count = std::min(bytes.size(), child_->capacity_);
    if (child_->capacity_ != FakeChild::kUnlimited) child_->capacity_ -= count;
    child_->written += bytes.substr(0, count);
    child_->total_written += count;
    return count;
  }
  Result<void> resize(Size size) override {
    child_->sizes.push_back(size);
    child_->resized_after.push_back(child_->total_written);
    return {};
  }

  void watch_readable() override {
    child_->watches_read_ = true;
    child_->wake_reader();
  }
  void watch_writable() override {
    child_->watches_write_ = true;
    child_->wake_writer();
  }

  bool prints_on() const override { return child_->end_read_ && child_->prints_on(); }

  LineMode line_mode() const override { return child_->line_mode; }

  std::optional<Foreground> foreground() const override { return child_->exited_ ? std::nullopt : child_->foreground; }
  std::chrono::milliseconds time_used() const override { return std::chrono::milliseconds(0); }
  bool is_in_front() const override { return !child_->exited_ && child_->is_in_front; }
  Result<void> signal(int number) override {
    if (child_->exited_) return Error(Errc::exited, "the fake child is gone");
    child_->signals.push_back(number);
    return {};
  }
  void hang_up() override {
    ++child_->hang_ups;
    if (child_->at_hang_up) child_->exit(*child_->at_hang_up);
    if (child_->leaves_jobs && !child_->jobs_stay) child_->end_jobs();
  }
  bool has_processes() const override { return !child_->exited_ || child_->leaves_jobs; }

 private:
  std::shared_ptr<FakeChild> child_;
};

/// Makes FakePtys, remembers every launch, and can refuse the next ones.
class FakeLauncher final : public Launcher {
 public:
  explicit FakeLauncher(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// Every launch fails with `error` from now on, until accept().
  void refuse(Error error) { refusal_ = std::move(error); }
  void accept() { refusal_.reset(); }
  /// Launches stay without an answer until release().
  void hold() { held_ = true; }
  void release() {
    held_ = false;
    for (auto& answer : std::exchange(waiting_, {})) boost::asio::post(executor_, std::move(answer));
  }
  /// Called for every child that is made, before its Pty is handed out: the place to script it from its first byte.
  std::function<void(FakeChild&)> on_child;

  std::vector<std::shared_ptr<FakeChild>> children;  ///< in the order of their launch
  std::vector<LaunchSpec> launches;                  ///< the refused ones too
  FakeChild& last() { return *children.back(); }

  void launch(LaunchSpec spec, PtyObserver& observer, Done done) override {
    launches.push_back(spec);
    auto answer = [this, spec = std::move(spec), &observer, done = std::move(done)]() mutable {
      if (refusal_) return done(*refusal_);
      auto child = std::make_shared<FakeChild>(executor_, std::move(spec), observer, next_pid_++);
      children.push_back(child);
      if (on_child) on_child(*child);
      done(std::unique_ptr<Pty>(std::make_unique<FakePty>(child)));
    };
    if (held_) {
      waiting_.emplace_back(std::move(answer));
    } else {
      boost::asio::post(executor_, std::move(answer));
    }
  }

 private:
  boost::asio::any_io_executor executor_;
  std::optional<Error> refusal_;
  bool held_ = false;
  std::vector<std::function<void()>> waiting_;
  int next_pid_ = 10004711;  // beyond what the kernel gives: none of these is in /proc
};

}  // namespace ptyd
