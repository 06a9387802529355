// Router: how the Commands that are given on one loop get to their sessions: straight, or in turn.
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
/// Order   while anything of a session is on its way through loop 0, everything of it goes the same road, so that
///         nothing overtakes. What is typed into another terminal of the thread does not wait for an open that waits
///         for a disk.
class Router {
 public:
  /// The index of the loop on which `request` may be carried out at once; nothing: it goes through loop 0.
  std::optional<std::size_t> straight_to(const Request& request) const;

  /// One more Command is on its way through loop 0. What it is about is told again by arrived().
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
