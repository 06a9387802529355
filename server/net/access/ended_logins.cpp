#include "server/net/access/ended_logins.hpp"

#include <algorithm>

namespace ptyd {

void EndedLogins::end(const Login& login, UnixSeconds now) {
  std::erase_if(ends_, [now](const auto& each) { return each.second < now; });
  ends_[login.number] = login.until;
  if (ends_.size() <= kMost) return;
  ends_.erase(std::min_element(ends_.begin(), ends_.end(),
                               [](const auto& one, const auto& other) { return one.second < other.second; }));
}

}  // namespace ptyd
