// Holds: keeps the journal for lossless viewers that may come back.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "pty/journal/journal.hpp"
#include "pty/types.hpp"
#include "server/loop/loops.hpp"

namespace ptyd {

/// A hold's name, which its owner tells again when it comes back; 0: it told none.
using HoldName = std::uint64_t;

/// A hash of `text` (FNV-1a) that is the same in every server, since it stands in files; 0 for "".
HoldName hold_name(std::string_view text);

/// A place to which a lossless viewer may come back.
struct Hold {
  HoldName name = 0;
  Position from = 0;     ///< the oldest that it has not acked
  Position reached = 0;  ///< it was sent nothing that stands here or further on
  TimePoint gone_since{};
};

/// The holds of one session. Each ends when its owner takes it, or once the linger is over.
///
/// Owns    the holds, and a timer while there are any. The loop is borrowed and outlives it.
/// Thread  the loop's.
/// Order   as their viewers went.
/// Units   positions of the journal. At most kMost: beyond that the oldest without a name goes, else the oldest.
class Holds {
 public:
  static constexpr std::size_t kMost = Journal::kMaxHeld;

  /// `ended` is called when time has ended some.
  Holds(Loop& loop, std::chrono::milliseconds linger, std::function<void()> ended);

  void add(const Hold& hold);
  /// The one of that name.
  std::optional<Hold> take(HoldName name);
  /// One without a name whose owner may be at `at`: of several the one that holds least, since the others may be yet to
  /// come back.
  std::optional<Hold> take_nameless(Position at);
  /// Ends those whose time is over. True when there were any.
  bool end_due(TimePoint now);
  void clear();

  const std::vector<Hold>& all() const { return holds_; }

 private:
  using Place = std::vector<Hold>::iterator;

  std::optional<Hold> take_at(Place place);
  void await_end();

  Loop& loop_;
  const std::chrono::milliseconds linger_;
  std::function<void()> ended_;
  std::vector<Hold> holds_;
  std::unique_ptr<Timer> timer_;
};

}  // namespace ptyd
