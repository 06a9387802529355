#include "server/net/websocket/calls.hpp"

#include <chrono>
#include <utility>

namespace ptyd {

Calls::Calls(Loop& loop, Callbacks callbacks)
    : loop_(loop), callbacks_(std::move(callbacks)), turn_(loop.make_timer()), patience_(loop.make_timer()) {}

std::optional<Calls::ReadyCall> Calls::next() {
  if (under_way_ >= kMost) return std::nullopt;
  auto waiting = queue_.take(large_.may_be_asked_for());
  if (!waiting) return std::nullopt;
  const auto kind = waiting->request.row().answer;
  const PendingReply pending{waiting->token, kind, large_.begin(kind)};
  if (!is_late(kind)) under_way_++;
  if (is_large(kind)) be_patient();
  if (kind == Answer::in_place) queue_.entering(pending.number, key_of(waiting->request.command()));
  return ReadyCall{*waiting->language, std::move(waiting->request), pending};
}

void Calls::go_on_later() {
  if (queue_.empty() || std::exchange(turn_comes_, true)) return;
  turn_->wait_until(loop_.clock().now(), [this] {
    turn_comes_ = false;
    callbacks_.go_on();
  });
}

/// While the peer has yet to take something, the answer may be waiting for that: then the others wait on.
void Calls::be_patient() {
  if (std::exchange(patient_, true)) return;
  patience_->wait_until(loop_.clock().now() + kPatience, [this, number = large_.awaited()] {
    patient_ = false;
    if (large_.awaited() == 0) return;
    if (large_.awaited() != number || !callbacks_.is_all_taken()) return be_patient();
    large_.pass_by();
    go_on_later();
  });
}

void Calls::answered(const PendingReply& pending, ReplyOutcome made) {
  if (!is_late(pending.kind)) under_way_--;
  if (pending.kind == Answer::in_place && made != ReplyOutcome::in_place) large_.left_place();
  queue_.entered(pending.number);
  if (made == ReplyOutcome::nothing) {
    large_.dropped(pending.number);
  } else {
    large_.made(pending.number);
  }
}

void Calls::written(bool is_large, bool in_place) {
  if (is_large) large_.written();
  if (in_place) large_.left_place();
}

void Calls::clear() {
  queue_.clear();
  turn_->cancel();
  patience_->cancel();
}

}  // namespace ptyd
