#include "server/session/delivery/holds.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {

HoldName hold_name(std::string_view text) {
  constexpr HoldName kBasis = 0xcbf29ce484222325, kPrime = 0x100000001b3;
  if (text.empty()) return 0;
  HoldName name = kBasis;
  for (const char each : text) name = (name ^ static_cast<unsigned char>(each)) * kPrime;
  return name == 0 ? kBasis : name;
}

Holds::Holds(Loop& loop, std::chrono::milliseconds linger, std::function<void()> ended)
    : loop_(loop), linger_(linger), ended_(std::move(ended)) {}

void Holds::add(const Hold& hold) {
  if (holds_.size() == kMost) {
    const auto nameless = std::find_if(holds_.begin(), holds_.end(), [](const Hold& each) { return each.name == 0; });
    holds_.erase(nameless == holds_.end() ? holds_.begin() : nameless);
  }
  holds_.push_back(hold);
  await_end();
}

std::optional<Hold> Holds::take(HoldName name) {
  if (name == 0) return std::nullopt;
  return take_at(std::find_if(holds_.begin(), holds_.end(), [name](const Hold& each) { return each.name == name; }));
}

std::optional<Hold> Holds::take_nameless(Position at) {
  auto found = holds_.end();
  for (auto each = holds_.begin(); each != holds_.end(); ++each) {
    if (each->name != 0 || each->from > at || each->reached < at) continue;
    if (found == holds_.end() || found->from < each->from) found = each;
  }
  return take_at(found);
}

std::optional<Hold> Holds::take_at(Place place) {
  if (place == holds_.end()) return std::nullopt;
  const auto taken = *place;
  holds_.erase(place);
  await_end();
  return taken;
}

bool Holds::end_due(TimePoint now) {
  const auto is_over = [this, now](const Hold& each) { return now - each.gone_since >= linger_; };
  if (std::erase_if(holds_, is_over) == 0) return false;
  await_end();
  return true;
}

void Holds::clear() {
  holds_.clear();
  timer_.reset();
}

/// The oldest ends first.
void Holds::await_end() {
  if (holds_.empty()) return timer_.reset();
  if (!timer_) timer_ = loop_.make_timer();
  timer_->wait_until(holds_.front().gone_since + linger_, [this] {
    if (end_due(loop_.clock().now())) ended_();
  });
}

}  // namespace ptyd
