// SessionRegistry: which sessions there are, on which loops, and which of them run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/session_facts.hpp"

namespace ptyd {

/// All sessions of a server, as they have told of themselves; notices of a launch may come after the next one has
/// begun, and change nothing then.
///
/// Owns    what it knows.
/// Thread  one.
/// Units   a loop is told by its index.
class SessionRegistry {
 public:
  /// How a session stands after a Command was carried out there.
  struct Standing {
    bool is_there = false;
    bool is_live = false;
    LaunchNumber launch = 0;
    Remains remains = Remains::text;  ///< where it is not live
  };

  /// The limits; they outlive it.
  explicit SessionRegistry(const SessionOptions& limits) : limits_(limits) {}

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
  std::size_t running() const { return running_; }

  /// Errc::limit unless it runs already, or one more may: on this server and in its thread. An agent's may not where
  /// too many have left jobs: these cannot be dropped for it.
  Result<void> room_to_run(const SessionKey& key) const;
  /// A Command is begun that may make the session, on `home` then. Where the Command `starts` its program, the session
  /// counts as running until it is settled. Gives the loop on which it lives from now on.
  std::size_t begin(const SessionKey& key, std::size_t home, bool starts);
  void settle(const SessionKey& key, const Standing& now);
  /// That launch has ended. Unless another one has begun meanwhile it no longer counts as running.
  void on_ended(const SessionKey& key, LaunchNumber launch, Remains remains = Remains::text);
  /// Where it lived; nothing when it was not known.
  std::optional<std::size_t> forget(const SessionKey& key);

  /// Of those that do not run, and whose jobs do not, the one that ended first of each share where more are retained
  /// than may be. People's terminals have one share; each agent's session has its own, and another one for those that
  /// are released. Where agents together retain too many, the largest of their shares gives one as well.
  std::vector<SessionKey> surplus() const;

 private:
  struct Entry {
    std::size_t loop = 0;
    bool starting = false;  ///< an open or a restart of it is under way: it counts as running
    bool running = false;   ///< the last launch that is known here
    Remains remains = Remains::text;
    LaunchNumber launch = 0;  ///< the number of that
    std::uint64_t ended = 0;  ///< order in which they ended

    bool counts() const { return starting || running; }
  };

  using Entries = std::map<SessionKey, Entry>;
  /// An agent's thread, or "" for all of people's.
  using Share = std::pair<std::string, Remains>;
  using Shares = std::map<Share, std::size_t>;

  /// Every change of an entry goes through here: an open must not go through all of them to count those that run.
  template <class Change>
  void change(Entries::value_type& each, Change change) {
    count_out(each);
    change(each.second);
    count_in(each);
  }
  void count_in(const Entries::value_type& each);
  void count_out(const Entries::value_type& each);
  static Share share_of(const Entries::value_type& each);
  std::size_t retained_in(const Share& share) const;
  std::size_t jobs_of_agents() const;
  std::size_t most_in(const Share& share) const;
  void note(Entries::value_type& each, const Standing& now);
  std::size_t running_in(const std::string& thread_id) const;
  Result<void> room_to_retain(const std::string& thread_id) const;
  const SessionKey* oldest_of(const Share& share) const;

  const SessionOptions& limits_;
  Entries entries_;                     // those of a thread are neighbours
  std::size_t running_ = 0;             // of these, those that count as running
  Shares retained_;                     // the others; none is 0
  std::size_t retained_of_agents_ = 0;  // of these
  std::uint64_t ended_ = 0;
  bool draining_ = false;
};

}  // namespace ptyd
