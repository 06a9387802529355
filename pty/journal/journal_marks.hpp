// The marks' own ring: one record behind the other, each with its payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pty/journal/journal_format.hpp"
#include "pty/journal/mark.hpp"

namespace ptyd {

/// Records of marks in `size` bytes of mapped memory. A State, which the caller keeps, says which of it is in use.
///
/// Order   by position, strictly rising. The newest are found first: cursors are near the head.
class MarkRing {
 public:
  MarkRing(char* memory, std::size_t size) : memory_(memory), size_(size) {}

  /// Offset where the record of a mark with a payload of this size would end. The room up to there must be free, and
  /// exist.
  std::uint64_t end_with(const journal_format::State& state, std::size_t payload) const;
  /// Adds a record. There must be room: end_with() - marks_begin <= size.
  void add(journal_format::State& state, const Mark& mark) const;
  /// Drops records before `position`. The newest size among them becomes that at the state's tail.
  void drop_before(journal_format::State& state, Position position) const;
  /// Which marks still matter, and the positions of those that a newer one makes superfluous; both in order.
  struct Sifted {
    std::vector<Mark> kept;
    std::vector<Position> superfluous;
  };
  /// Sizes before `before` that stand closer than `distance` to the next one that is kept are superfluous too.
  struct Thinning {
    Position before = 0, distance = 0;
  };
  Sifted sift(const journal_format::State& state, const Thinning& thinning) const;
  /// Where the records of `marks` would end if they were added to those of `state`.
  std::uint64_t end_with(journal_format::State state, const std::vector<Mark>& marks) const;
  /// Whether `coming` supersedes the newest mark.
  bool supersedes_newest(const journal_format::State& state, const Mark& coming) const;
  /// Drops the newest record. There must be one.
  void drop_newest(journal_format::State& state) const;
  /// How many bytes the marks at `position` and further on take.
  std::size_t bytes_from(const journal_format::State& state, Position position) const;
  /// Overwrites what stood between two offsets with zeros.
  void erase(std::uint64_t begin, std::uint64_t end) const;

  std::optional<Mark> oldest(const journal_format::State& state) const;
  std::optional<Mark> newest(const journal_format::State& state) const;
  /// The first mark at `position` or later.
  std::optional<Mark> first_from(const journal_format::State& state, Position position) const;
  /// True when following the records of a state read from a file is safe.
  bool sound(const journal_format::State& state) const;

 private:
  struct Record;
  Record load(std::uint64_t offset) const;
  void store(std::uint64_t offset, const Record& record, std::size_t bytes) const;
  std::size_t place(std::uint64_t offset) const { return static_cast<std::size_t>(offset % size_); }
  Mark mark_at(std::uint64_t offset) const;
  std::optional<std::uint64_t> offset_from(const journal_format::State& state, Position position) const;
  std::uint64_t skip_filler(const journal_format::State& state, std::uint64_t offset) const;
  std::uint64_t start_for(const journal_format::State& state, std::size_t bytes) const;
  bool sound_record(const journal_format::State& state, std::uint64_t offset, const Record& record) const;

  char* memory_;
  std::size_t size_;
};

}  // namespace ptyd
