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
  /// Numbers that are kept; beyond it that of the login which would end first is forgotten. Only the holder of a token
  /// can make logins to end.
  static constexpr std::size_t kMost = 1024;

  void end(const Login& login, UnixSeconds now);
  bool has(const Login& login) const { return ends_.contains(login.number); }
  std::size_t size() const { return ends_.size(); }

 private:
  std::map<std::string, UnixSeconds> ends_;  ///< by number: when the login would have ended
};

}  // namespace ptyd
