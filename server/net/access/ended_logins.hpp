// EndedLogins: logins that were ended before their time.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "server/net/access/auth.hpp"

namespace ptyd {

/// Logins whose cookies open nothing any more, though they are signed well.
///
/// Thread  one.
class EndedLogins {
 public:
  /// Numbers that are kept of each role; beyond it that of the login which would end first is forgotten. Only the
  /// holder of a token can make logins to end, and those of a view token push out none of others.
  static constexpr std::size_t kMost = 1024;

  void end(const Login& login, UnixSeconds now);
  bool has(const Login& login) const {
    const auto known = ends_.find(login.access);
    return known != ends_.end() && known->second.contains(login.number);
  }
  std::size_t size(Access access) const {
    const auto known = ends_.find(access);
    return known == ends_.end() ? 0 : known->second.size();
  }

 private:
  /// By number: when the login would have ended.
  using Ends = std::map<std::string, UnixSeconds>;

  std::map<Access, Ends> ends_;
};

}  // namespace ptyd
