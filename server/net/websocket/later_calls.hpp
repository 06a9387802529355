// LaterCalls: calls of one peer whose answers may take as long as a program runs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "protocol/languages.hpp"
#include "server/session/caller.hpp"

namespace ptyd {

/// Who asked each of them, until it is answered, or given up.
///
/// Owns    its share in the Callers.
/// Thread  the peer's loop.
class LaterCalls {
 public:
  /// Of one peer: far more programs than it may run. Each costs some hundred bytes, here and where it waits, and none
  /// of them keeps the peer from being read.
  static constexpr std::size_t kMost = 1024;

  bool is_full() const { return callers_.size() >= kMost; }
  /// What one more is refused with.
  static Error too_many() {
    return {Errc::limit,
            "Too many calls wait for programs: " + std::to_string(kMost) + " of this connection, which is the limit"};
  }
  void add(const Language& language, CallToken token, Caller caller) {
    callers_.insert_or_assign({&language, token}, std::move(caller));
  }
  /// Its answer has come; false: nobody waits for it.
  bool take(const Language& language, CallToken token) { return callers_.erase({&language, token}) > 0; }
  /// Nobody waits for its answer any more; false: nobody did.
  bool give_up(const Language& language, CallToken token);
  void give_up_all();
  /// It is not to begin if it waits for that; else, and where there is none, nothing happens.
  void cancel(const Language& language, CallToken token) const {
    if (const auto call = callers_.find({&language, token}); call != callers_.end()) call->second.cancel();
  }

 private:
  std::map<std::pair<const Language*, CallToken>, Caller> callers_;
};

inline bool LaterCalls::give_up(const Language& language, CallToken token) {
  const auto call = callers_.extract({&language, token});
  if (call.empty()) return false;
  call.mapped().give_up();
  return true;
}

inline void LaterCalls::give_up_all() {
  // Who is let go may be what keeps the peer.
  for (const auto& call : std::exchange(callers_, {})) call.second.give_up();
}

}  // namespace ptyd
