#include "server/net/websocket/intake.hpp"

namespace ptyd {

void Intake::hold(Sender& sender, std::size_t bytes) {
  const auto known = numbers_.find(&sender);
  if (bytes == 0) {
    if (known != numbers_.end()) let_go(known->second);
    return;
  }
  const auto number = known == numbers_.end() ? ++last_ : known->second;
  if (known == numbers_.end()) {
    numbers_[&sender] = number;
    held_[number] = {&sender, 0};
  }
  auto& held = held_[number];
  bytes_ = bytes_ - held.bytes + bytes;
  held.bytes = bytes;
  while (bytes_ > kMost) {
    auto& first = *held_.begin()->second.sender;
    let_go(held_.begin()->first);
    first.on_no_room();
  }
}

void Intake::let_go(Number number) {
  const auto held = held_.extract(number);
  bytes_ -= held.mapped().bytes;
  numbers_.erase(held.mapped().sender);
}

void MessageTime::take(Share& share, Duration time, TimePoint now) {
  if (now >= window_ + kWindow) {
    window_ = now;
    taken_ = {};
  }
  if (share.window != window_) share = {window_, {}};
  share.taken += time;
  taken_ += time;
}

TimePoint MessageTime::next_turn(const Share& share, TimePoint now) const {
  const bool is_over = now >= window_ + kWindow || share.window != window_;
  return is_over || share.taken < of_one_ || taken_ < of_all_ ? now : window_ + kWindow;
}

}  // namespace ptyd
