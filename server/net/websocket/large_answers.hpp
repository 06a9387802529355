// LargeAnswers: makes the large answers of one peer one after the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Each is made and written before the next one is requested. An answer that waits for anything but the peer is passed
/// by: the next one is requested without it.
class LargeAnswers {
 public:
  /// Names one answer of the peer; 0: one that is not large, which counts for nothing here.
  using Number = std::uint64_t;

  /// A call is carried out: the number of its answer.
  Number begin(Answer kind) {
    if (!is_large(kind)) return 0;
    large_++;
    if (kind == Answer::in_place) in_place_++;
    return awaited_ = ++last_;
  }
  /// The answer that is awaited() is not waited for any more.
  void pass_by() {
    if (awaited_ == 0) return;
    awaited_ = 0;
    large_--;
  }
  /// The answer has been made, and written() follows.
  void made(Number number) {
    if (number == 0) return;
    if (number != awaited_) large_++;  // passed by: it waits to be written all the same
    if (number == awaited_) awaited_ = 0;
  }
  /// An answer has been made which is not written.
  void dropped(Number number) {
    made(number);
    if (number != 0) large_--;
  }
  /// A large one has been written.
  void written() { large_--; }
  /// One that was to take its place has been written in it, or takes none.
  void left_place() { in_place_--; }

  bool may_be_asked_for() const { return large_ == 0; }
  /// Some answer is to take its place among the events.
  bool any_in_place() const { return in_place_ > 0; }
  /// The answer for which the others wait until it is made; 0 for none.
  Number awaited() const { return awaited_; }

 private:
  std::size_t large_ = 0;  // awaited, or made and not written yet
  std::size_t in_place_ = 0;
  Number last_ = 0, awaited_ = 0;
};

}  // namespace ptyd
