// Router: the path of one loop's Commands to their sessions: straight, or in turn.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "pty/types.hpp"
#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Router: one loop's knowledge of where sessions live.
///
/// Thread  its loop.
/// Order   while any Command of a session is queued on loop 0, later ones of that session go there too, so order is
///         kept. Input to other terminals of the thread is not delayed.
class Router {
 public:
  /// The index of the loop on which `request` may be carried out at once; nothing: it goes through loop 0.
  std::optional<std::size_t> straight_to(const Request& request) const;

  /// One more Command is on its way through loop 0. arrived() takes the key that this returns.
  SessionKey sent(const Request& request);
  /// Once for each sent(), when that Command was carried out.
  void arrived(const SessionKey& place);

  /// A session lives on the loop of that index.
  void learn(const SessionKey& key, std::size_t loop) { known_[key] = loop; }
  void forget(const SessionKey& key) { known_.erase(key); }

 private:
  std::map<SessionKey, std::size_t> known_;
  std::map<SessionKey, std::size_t> on_the_way_;  // Commands; those of a whole thread under a key without a terminal
};

}  // namespace ptyd
