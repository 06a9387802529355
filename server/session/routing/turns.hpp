// Turns: the order of what starts, ends and changes sessions.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>

#include "pty/types.hpp"
#include "server/loop/loops.hpp"

namespace ptyd {

/// Work at places. A place is a terminal, or a whole thread with all its terminals (no terminal_id).
///
/// Owns    the work that waits.
/// Thread  the loop's.
/// Order   work at one place is done one after the other, as it was given; so is a thread's with that of each of its
///         terminals. Work at different terminals of a thread does not wait for each other.
class Turns {
 public:
  using Finished = std::function<void()>;
  /// `work` calls its argument when what comes behind it may begin; then `done` is called.
  struct Turn {
    std::function<void(Finished)> work;
    Finished done;
  };

  /// `loop` outlives it; what waited for another turn begins there in a turn of its own.
  explicit Turns(Loop& loop) : loop_(loop) {}

  /// Begins before this returns where nothing is ahead of it.
  void take(const SessionKey& place, Turn turn);
  /// The same, but only behind what is under way.
  void take_next(const SessionKey& place, Turn turn);
  /// Whether anything waits or is under way that another turn of `place` would wait for.
  bool any_for(const SessionKey& place) const;

 private:
  struct Entry {
    std::string terminal_id;  ///< "": the whole thread
    Turn turn;
    bool under_way = false;

    bool excludes(const std::string& other) const {
      return terminal_id.empty() || other.empty() || terminal_id == other;
    }
  };
  using Queue = std::list<Entry>;

  void put(const SessionKey& place, Queue& queue, Queue::iterator before, Turn turn);
  void begin_due(const std::string& thread_id);
  void begin(const std::string& thread_id, Queue::iterator entry);
  void end(const std::string& thread_id, Queue::iterator entry);

  Loop& loop_;
  std::map<std::string, Queue> threads_;  // waiting and under way; none is empty
};

}  // namespace ptyd
