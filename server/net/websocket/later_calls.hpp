// LaterCalls: calls of one peer whose answers may take as long as a program runs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "protocol/language/languages.hpp"
#include "server/policy/command_traits.hpp"
#include "server/session/context/caller.hpp"

namespace ptyd {

/// The Caller of each of them, until it is answered, or given up.
///
/// Owns    its share in the Callers.
/// Thread  the peer's loop.
class LaterCalls {
 public:
  /// Of one peer: far more programs than it may run. Each costs some hundred bytes, here and where it waits, and none
  /// of them keeps the peer from being read.
  static constexpr std::size_t kMost = 1024;
  /// Calls that end a program, counted apart: each is answered within seconds. A peer with kMost calls that wait for
  /// programs can still end these programs, which answers the calls.
  static constexpr std::size_t kMostAtEnd = 1024;

  /// Of `kind` none may be added.
  bool is_full(Answer kind) const {
    return kind == Answer::at_end ? at_end_ >= kMostAtEnd : callers_.size() - at_end_ >= kMost;
  }
  /// Refusal of one more.
  static Error too_many(Answer kind) {
    if (kind != Answer::at_end) return refusal("wait for programs", kMost);
    return refusal("end programs", kMostAtEnd);
  }
  void add(const Language& language, CallToken token, Answer kind, Caller caller) {
    if (!callers_.try_emplace({&language, token}, Asked{std::move(caller), kind}).second) return;
    if (kind == Answer::at_end) at_end_++;
  }
  /// Its answer has come; false: no client waits for it.
  bool take(const Language& language, CallToken token) { return !extract(language, token).empty(); }
  /// Its answer is not waited for any more; false: it was not.
  bool give_up(const Language& language, CallToken token);
  void give_up_all();
  /// A call that has not begun is not to begin. Nothing happens to one that has, or where there is none.
  void cancel(const Language& language, CallToken token) const {
    if (const auto call = callers_.find({&language, token}); call != callers_.end()) call->second.caller.cancel();
  }

 private:
  struct Asked {
    Caller caller;
    Answer kind;
  };
  using Callers = std::map<std::pair<const Language*, CallToken>, Asked>;

  static Error refusal(const std::string& they, std::size_t most) {
    return {Errc::limit,
            "Too many calls " + they + ": " + std::to_string(most) + " of this connection, which is the limit"};
  }
  Callers::node_type extract(const Language& language, CallToken token) {
    auto call = callers_.extract({&language, token});
    if (!call.empty() && call.mapped().kind == Answer::at_end) at_end_--;
    return call;
  }

  Callers callers_;
  std::size_t at_end_ = 0;  // of these
};

inline bool LaterCalls::give_up(const Language& language, CallToken token) {
  const auto call = extract(language, token);
  if (call.empty()) return false;
  call.mapped().caller.give_up();
  return true;
}

inline void LaterCalls::give_up_all() {
  at_end_ = 0;
  // A caller that is let go may be what keeps the peer.
  for (const auto& call : std::exchange(callers_, {})) call.second.caller.give_up();
}

}  // namespace ptyd
