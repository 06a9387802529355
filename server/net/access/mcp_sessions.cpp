#include "server/net/access/mcp_sessions.hpp"

#include <algorithm>

#include "server/net/access/secrets.hpp"

namespace ptyd {

std::string McpSessions::begin() {
  if (last_uses_.size() >= kMost) {
    const auto is_older = [](const auto& one, const auto& other) { return one.second < other.second; };
    last_uses_.erase(std::min_element(last_uses_.begin(), last_uses_.end(), is_older));
  }
  auto name = random_secret();
  last_uses_.emplace(name, ++uses_);
  return name;
}

bool McpSessions::use(const std::string& name) {
  const auto found = last_uses_.find(name);
  if (found == last_uses_.end()) return false;
  found->second = ++uses_;
  return true;
}

}  // namespace ptyd
