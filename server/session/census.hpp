// Census: which sessions there are, on which loops, and which of them run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/session/child.hpp"
#include "server/session/session_facts.hpp"

namespace ptyd {

/// All sessions of a server, as they have told of themselves; notices of a launch may come after the next one has
/// begun, and change nothing then.
///
/// Owns    what it knows.
/// Thread  one.
/// Units   a loop is told by its index.
class Census {
 public:
  /// How a session stands after a Command was carried out there.
  struct Standing {
    bool is_there = false;
    bool is_live = false;
    LaunchNumber launch = 0;
  };

  /// The limits; they outlive it.
  explicit Census(const SessionOptions& limits) : limits_(limits) {}

  bool knows(const SessionKey& key) const { return entries_.contains(key); }
  /// It runs, or is about to.
  bool runs(const SessionKey& key) const;
  /// Where it lives; nothing when it is not known.
  std::optional<std::size_t> loop_of(const SessionKey& key) const;
  /// Those of a thread, or the one of them that is named.
  std::vector<SessionKey> keys_in(const std::string& thread_id, const std::optional<std::string>& terminal_id) const;
  /// Calls `visit` with the key and the loop of each.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& [key, entry] : entries_) visit(key, entry.loop);
  }

  /// From now on nothing may run that does not run already; or again, within the limits.
  void drain(bool on) { draining_ = on; }
  std::size_t running() const { return counting_; }

  /// Errc::limit unless it runs already, or one more may: on this server and in its thread.
  Result<void> room_to_run(const SessionKey& key) const;
  /// Something is begun that may make it, on `home` then, and start it if it `starts`; it counts as running until it is
  /// settled. Where it lives from now on.
  std::size_t begin(const SessionKey& key, std::size_t home, bool starts);
  void settle(const SessionKey& key, const Standing& now);
  /// That launch has ended. Unless another one has begun meanwhile it no longer counts as running.
  void on_ended(const SessionKey& key, LaunchNumber launch);
  /// Where it lived; nothing when it was not known.
  std::optional<std::size_t> forget(const SessionKey& key);

  /// Of those that do not run the one that ended first, if they are more than may be retained; else null.
  const SessionKey* surplus() const;

 private:
  struct Entry {
    std::size_t loop = 0;
    bool starting = false;    ///< an open or a restart of it is under way: it counts as running
    bool running = false;     ///< the last launch that is known here
    LaunchNumber launch = 0;  ///< the number of that
    std::uint64_t ended = 0;  ///< order in which they ended

    bool counts() const { return starting || running; }
  };

  /// Every change of an entry goes through here: an open must not go through all of them to count who runs.
  template <class Change>
  void change(Entry& entry, Change change) {
    counting_ -= entry.counts() ? 1 : 0;
    change(entry);
    counting_ += entry.counts() ? 1 : 0;
  }
  void note(Entry& entry, LaunchNumber launch, bool running);
  std::size_t running_in(const std::string& thread_id) const;

  const SessionOptions& limits_;
  std::map<SessionKey, Entry> entries_;  // those of a thread are neighbours
  std::size_t counting_ = 0;             // of these, those that count as running
  std::uint64_t ended_ = 0;
  bool draining_ = false;
};

}  // namespace ptyd
