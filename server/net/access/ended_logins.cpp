#include "server/net/access/ended_logins.hpp"

#include <algorithm>

namespace ptyd {

void EndedLogins::end(const Login& login, UnixSeconds now) {
  Ends& ends = ends_[login.access];
  std::erase_if(ends, [now](const auto& each) { return each.second < now; });
  ends[login.number] = login.until;
  if (ends.size() <= kMost) return;
  ends.erase(std::min_element(ends.begin(), ends.end(),
                              [](const auto& one, const auto& other) { return one.second < other.second; }));
}

}  // namespace ptyd
