#include "server/net/request_turns.hpp"

#include <utility>

namespace ptyd {

bool RequestTurns::take() {
  if (!waiting_.empty() || !has_turn()) return false;
  spend(kCost);
  return true;
}

RequestTurns::Number RequestTurns::wait(std::function<void()> go) {
  waiting_.emplace(++last_, std::move(go));
  if (waiting_.size() == 1) timer_->wait_until(next(), [this] { let_in(); });
  return last_;
}

void RequestTurns::leave(Number number) {
  if (const auto request = waiting_.extract(number)) request.mapped()();
}

bool RequestTurns::has_turn() const {
  const auto now = loop_.clock().now();
  return time_.next_turn(share_, now) <= now;
}

void RequestTurns::let_in() {
  while (!waiting_.empty() && has_turn()) {
    spend(kCost);
    leave(waiting_.begin()->first);
  }
  if (!waiting_.empty()) timer_->wait_until(next(), [this] { let_in(); });
}

}  // namespace ptyd
