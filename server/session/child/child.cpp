#include "server/session/child/child.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ptyd {

/// Listens to the Pty of one launch, until its Child gives that launch up. Of an earlier launch with background jobs it
/// only takes on_processes_gone().
class Child::PtyListener final : public PtyObserver {
 public:
  explicit PtyListener(Child& to) : child_(&to) {}

  /// Null once it is no longer the last launch.
  Child* child() const { return child_ && child_->listener_.get() == this ? child_ : nullptr; }
  void close() { child_ = nullptr; }

  void on_readable() override {
    if (!child()) return;
    if (child_->ending_) return child_->drain();
    child_->observer_.on_readable();
  }
  void on_writable() override {
    if (child()) child_->observer_.on_writable();
  }
  void on_exit(ExitStatus status) override {
    if (!child()) return;
    child_->reaped_ = status;
    if (child_->ending_) return child_->drain();
    child_->observer_.on_exit(status);
  }
  void on_processes_gone() override {
    if (child_) child_->on_processes_gone();
  }

 private:
  Child* child_;
};

/// Waits for a launch. It holds its session, so that no Child may own it.
struct Child::Launch {
  std::function<void(Outcome)> launched;

  void tell(Outcome how) {
    if (const auto call = std::exchange(launched, nullptr)) call(std::move(how));
  }
};

Child::Child(Loop& loop, PtyObserver& observer)
    : loop_(loop),
      observer_(observer),
      background_jobs_(std::make_shared<std::list<BackgroundJobs>>()),
      shutdown_timer_(loop.make_timer()) {}

Child::~Child() {
  let_go();
  for (const BackgroundJobs& earlier : *background_jobs_) earlier.listener->close();
}

Status Child::status() const {
  switch (state_) {
    case ChildState::blank:
    case ChildState::starting:
      return Status::starting;
    case ChildState::running:
      return Status::running;
    case ChildState::ended:
    case ChildState::closed:
      return Status::exited;
    case ChildState::failed:
      break;
  }
  return Status::error;
}

std::optional<int> Child::pid() const {
  return pty_ && state_ != ChildState::ended ? std::optional(pty_->pid()) : std::nullopt;
}

void Child::launch(LaunchNumber number, Launcher& launcher, LaunchSpec spec, std::function<void(Outcome)> launched) {
  let_go();
  number_ = number;
  input_.clear();
  exit_ = {};
  reaped_.reset();
  output_ended_ = false;
  state_ = ChildState::starting;
  listener_ = std::make_shared<PtyListener>(*this);
  const auto launch = std::make_shared<Launch>(Launch{std::move(launched)});
  launch_ = launch;
  launcher.launch(std::move(spec), *listener_, [listener = listener_, launch](auto pty) {
    if (listener->child()) launch->tell(listener->child()->take_up(std::move(pty)));
  });
}

Result<void> Child::take_up(Result<std::unique_ptr<Pty>> pty) {
  state_ = pty ? ChildState::running : ChildState::failed;
  if (!pty) return pty.error();
  pty_ = std::move(*pty);
  return {};
}

void Child::let_go() {
  if (const auto launch = launch_.lock(); launch && launch->launched)
    loop_.post([discarded = std::make_shared<Launch>(std::exchange(*launch, {}))] { discarded->tell({}); });
  if (listener_) listener_->close();
  pty_.reset();
  listener_.reset();
}

void Child::hang_up() {
  for (const BackgroundJobs& earlier : *background_jobs_) earlier.pty->hang_up();
  if (pty_) pty_->hang_up();
}

bool Child::has_processes() const {
  const auto is_left = [](const BackgroundJobs& earlier) { return earlier.pty->has_processes(); };
  return (pty_ && pty_->has_processes()) || std::any_of(background_jobs_->begin(), background_jobs_->end(), is_left);
}

Result<void> Child::signal(int number) {
  if (is_gone()) return Error(Errc::exited, "");
  if (!pty_) return Error(Errc::not_running, "");
  return pty_->signal(number);
}

void Child::end_unstarted(const ExitStatus& status) {
  state_ = ChildState::ended;
  exit_ = status;
  let_go();
}

void Child::discard() {
  if (is_live()) state_ = ChildState::ended;
  input_.clear();
  reaped_.reset();
  tell_gone();
  let_go();
  background_jobs_->clear();
}

void Child::close() {
  discard();
  state_ = ChildState::closed;
}

void Child::tell_gone() {
  shutdown_timer_->cancel();
  if (gone_) std::exchange(gone_, nullptr)();
}

void Child::shut_down(std::function<void()> gone) {
  ending_ = true;
  hang_up();
  if (!pty_ || state_ == ChildState::ended) {
    let_go();
    // Behind what is told of a launch under way.
    return state_ == ChildState::starting ? loop_.post(std::move(gone)) : gone();
  }
  gone_ = std::move(gone);
  shutdown_timer_->wait_until(loop_.clock().now() + kShutdownWait, [listener = listener_] {
    if (!listener->child()) return;
    spdlog::warn("the child {} did not end in time", listener->child()->pid().value_or(0));
    listener->child()->tell_gone();
  });
  pty_->watch_readable();
}

/// One read a turn: a child that prints on, whatever signals it gets, holds up no other.
void Child::drain() {
  std::array<char, 16 << 10> space;
  const auto count = pty_->read(space);
  if (!count) on_output_ended();
  if (!output_ended_) return pty_->watch_readable();
  end();
}

bool Child::end() {
  if (!pty_ || !reaped_ || !output_ended_) return false;
  if (state_ == ChildState::ended) keep_background_jobs();
  if (state_ != ChildState::running) return false;
  state_ = ChildState::ended;
  exit_ = *reaped_;
  input_.clear();
  shutdown_timer_->cancel();
  output_ended_ = !pty_->prints_on();
  if (output_ended_) keep_background_jobs();
  if (gone_) loop_.post(std::exchange(gone_, nullptr));
  return true;
}

/// Background jobs may run on; their output is not read any more.
void Child::keep_background_jobs() {
  background_jobs_->push_back({std::move(listener_), std::move(pty_)});
  forget_gone();
}

/// In a later turn: this may be inside a call from the Pty.
void Child::forget_gone() {
  loop_.post([jobs = background_jobs_] {
    std::erase_if(*jobs, [](const BackgroundJobs& earlier) { return !earlier.pty->has_processes(); });
  });
}

void Child::on_processes_gone() {
  forget_gone();
  if (!ending_ && !has_processes()) observer_.on_processes_gone();
}

InputQueue::Flushed Child::flush() {
  if (!pty_) return {};
  const auto flushed = input_.flush(*pty_);
  if (flushed.blocked) pty_->watch_writable();
  return flushed;
}

}  // namespace ptyd
