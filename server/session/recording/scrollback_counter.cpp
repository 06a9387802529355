#include "server/session/recording/scrollback_counter.hpp"

#include <algorithm>

namespace ptyd {

std::uint64_t ScrollbackCounter::gone_by(std::uint64_t counted) const {
  return gone_ + (counted - std::min(counted, counted_));
}

void ScrollbackCounter::note(Position head, std::uint64_t counted) {
  gone_ = gone_by(counted);
  counted_ = counted;
  if (!places_.empty() && places_.back().head == head) {
    places_.back().gone = gone_;
    return;
  }
  if (places_.size() == kPlaces) {
    constexpr std::size_t kOlder = kPlaces / 2;
    for (std::size_t i = 0; i < kOlder / 2; ++i) places_[i] = places_[2 * i];
    places_.erase(places_.begin() + kOlder / 2, places_.begin() + kOlder);
  }
  places_.push_back({head, gone_});
}

std::uint64_t ScrollbackCounter::at(Position position, const LineFeeds& line_feeds) const {
  const auto behind = std::upper_bound(places_.begin(), places_.end(), position,
                                       [](Position sought, const Place& each) { return sought < each.head; });
  const auto before = behind == places_.begin() ? Place{} : *std::prev(behind);
  if (behind == places_.end() || before.head == position || before.gone == behind->gone) return before.gone;
  const auto later = std::min(line_feeds(position, behind->head), behind->gone - before.gone);
  return behind->gone - later;
}

std::uint64_t ScrollbackCounter::since(Position position, std::uint64_t counted, const LineFeeds& line_feeds) const {
  return gone_by(counted) - at(position, line_feeds);
}

}  // namespace ptyd
