// KeptMarks: marks still to be sent to a viewer whose cursor is beyond them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pty/journal/journal.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Copies of marks, in order.
///
/// Units   at most kMost; beyond that the oldest goes. Of a kind that supersedes_older only the newest one stays.
class KeptMarks {
 public:
  static constexpr std::size_t kMost = 128;

  /// Nothing where viewers are never told of such a mark, or where it is not newer than the last one kept.
  void keep(const Mark& mark);
  void forget_before(Position position);
  /// Those at `position` and further on, which may be kept again then.
  void forget_from(Position position);
  void forget_all() { kept_.clear(); }

  bool empty() const { return kept_.empty(); }
  std::size_t size() const { return kept_.size(); }
  /// The payload is valid until this is changed.
  Mark operator[](std::size_t index) const;
  void drop_oldest() { kept_.erase(kept_.begin()); }

 private:
  struct Kept {
    Position position;
    MarkKind kind;
    UnixMillis time;
    std::string payload;
  };
  std::vector<Kept> kept_;  // a few; without memory while there is none
};

}  // namespace ptyd
