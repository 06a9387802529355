// Parts of a Journal; for journal*.cpp alone.
#pragma once

#include <optional>

#include "pty/journal/forgotten_marks.hpp"
#include "pty/journal/journal.hpp"
#include "pty/journal/journal_format.hpp"
#include "pty/journal/journal_marks.hpp"
#include "pty/journal/mapping.hpp"

namespace ptyd {

/// The mapped file, the state as it is (`live`) and the state a successor would find (`committed`).
///
/// Order   Nothing that `committed` speaks of is overwritten before a state that no longer speaks of it was published.
struct Journal::Impl {
  using State = journal_format::State;
  using Header = journal_format::Header;

  Mapping mapping;
  UniqueFd left_file;  // the file that was left for memory, with its lock
  std::size_t ring_bytes = 0;
  std::size_t mark_bytes = 0;
  State live;
  State committed;
  std::uint32_t inbox_end = 0;    // behind what was received
  std::size_t ring_reserved = 0;  // how much of ring and marks exists
  std::size_t marks_reserved = 0;
  std::size_t forgotten_reserved = 0;
  std::uint64_t sifted_at = 0;  // marks_end at the last look for superfluous marks

  Header& header() const { return *reinterpret_cast<Header*>(mapping.data()); }
  char* inbox() const { return mapping.data() + journal_format::kInboxOffset; }
  MarkRing marks() const { return {mapping.data() + journal_format::kMarksOffset, mark_bytes}; }
  ForgottenMarks forgotten() const { return {mapping.beyond(), forgotten_reserved, ring_bytes}; }
  std::size_t ring_offset() const { return journal_format::kMarksOffset + mark_bytes; }
  std::size_t forgotten_offset() const { return ring_offset() + ring_bytes; }
  char* at(Position position) const { return mapping.ring() + position % ring_bytes; }
  std::string_view stretch(Position begin, Position end) const {
    return {at(begin), static_cast<std::size_t>(end - begin)};
  }

  // journal_file.cpp
  static std::unique_ptr<Impl> over(Mapping mapping, std::size_t ring_bytes, std::size_t mark_bytes);
  void begin(std::string_view identity);
  Result<void> load(const Header& header, std::size_t file_size);
  /// Makes the first `bytes` of ring, marks or bits exist, in memory if the disk is full.
  void need_ring(std::uint64_t bytes);
  void need_marks(std::uint64_t bytes);
  void need_forgotten(std::size_t bytes);
  bool reserve_inbox(std::size_t bytes);
  /// Wipes what a killed writer wrote behind the published state, and what it was about to wipe.
  void wipe_unpublished(std::size_t file_size);
  /// Leaves the file; all addresses stay the same, so views remain valid.
  void move_to_memory();

  // journal.cpp
  void publish(const State& state);
  void advance_tail(Position tail);
  void append_piece(std::string_view bytes);
  bool has_many_marks() const;
  bool is_published() const { return committed.head == live.head && committed.marks_end == live.marks_end; }
  void make_room_for_mark(const Mark& coming);
  void sift_marks();
  void replace_marks(const MarkRing::Sifted& sifted);
  void forget_newest_before(const Mark& coming);
  void note_forgotten(const std::vector<Position>& rising);
  std::optional<Mark> first_mark(Position from, Position end) const;
  void wipe_ring() const;
  void wipe_marks() const;

  // journal_inbox.cpp
  void prepare_inbox();
  void rewind_inbox();
  void wipe_inbox();
  void move_inbox_down();
  void grow_inbox();
  void raise_inbox_limit();
};

}  // namespace ptyd
