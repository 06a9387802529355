#include "server/net/access/handshakes.hpp"

#include <algorithm>

namespace ptyd {

std::size_t Handshakes::most(std::size_t descriptors, std::size_t loops) {
  return std::clamp<std::size_t>(descriptors / 4 / std::max<std::size_t>(loops, 1), 1, kMost);
}

void Handshakes::enter(Guest& guest) {
  leave(guest);
  while (size() >= most_) cut_one();
  numbers_[&guest] = ++last_;
  by_address_[guest.bucket()][last_] = &guest;
}

void Handshakes::leave(Guest& guest) {
  const auto number = numbers_.extract(&guest);
  if (number.empty()) return;
  const auto guests = by_address_.find(guest.bucket());
  guests->second.erase(number.mapped());
  if (guests->second.empty()) by_address_.erase(guests);
}

void Handshakes::cut_one() {
  if (by_address_.empty()) return;
  const auto crowd = std::max_element(by_address_.begin(), by_address_.end(), [](const auto& one, const auto& other) {
    if (one.second.size() != other.second.size()) return one.second.size() < other.second.size();
    return one.second.begin()->first > other.second.begin()->first;
  });
  auto& guest = *crowd->second.begin()->second;
  leave(guest);
  guest.cut();
}

}  // namespace ptyd
