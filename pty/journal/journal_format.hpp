// The journal's file: header | inbox | marks | ring | bits of forgotten marks. Native byte order: a file is read where
// it was written.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "pty/journal/mark.hpp"

namespace ptyd::journal_format {

inline constexpr char kMagic[8] = {'p', 't', 'y', 'd', 'J', 'r', 'n', '1'};
inline constexpr std::size_t kMaxIdentity = 4096;
inline constexpr std::size_t kMaxRing = std::size_t{1} << 30;
inline constexpr std::size_t kMaxMarks = std::size_t{1} << 26;
/// The smallest room in which the longest mark always fits, whatever stands around it.
inline constexpr std::size_t kMinMarks = 4 * journal_limits::kMaxPayload;
/// First steps of disk space, which are doubled as needed, so that a quiet session costs little.
inline constexpr std::size_t kFirstInbox = 8 << 10;
inline constexpr std::size_t kFirstMarks = 4 << 10;
inline constexpr std::size_t kFirstRing = 16 << 10;
inline constexpr std::size_t kFirstForgotten = 4 << 10;
/// As long as at most half of kInboxBytes waits, what waits can either be moved to the front without overlapping
/// itself, or the kernel's largest read (kOneRead) still fits behind it.
inline constexpr std::size_t kOneRead = 4 << 10;
inline constexpr std::size_t kInboxRoom = journal_limits::kInboxBytes + kOneRead;
/// Fills the free part of the inbox: a byte that UTF-8 never has.
inline constexpr unsigned char kFree = 0xFF;

/// All that changes, in one piece. The header has two States; Header::active says which one counts.
struct State {
  std::uint64_t tail = 0;
  std::uint64_t head = 0;
  std::uint64_t marks_begin = 0;  ///< offsets into the marks count on for ever; modulo mark_bytes is the place
  std::uint64_t marks_end = 0;
  std::uint64_t marks_last = 0;  ///< where the newest record stands, if there is any
  std::uint32_t inbox_begin = 0;
  std::uint32_t inbox_limit = 0;  ///< behind it the inbox is not prepared yet, and means nothing
  std::uint8_t carry_size = 0;    ///< of earlier versions: bytes that follow head, and were being moved behind a mark
  char carry[3] = {};
  std::uint8_t closed = 0;
  std::uint8_t size_at_tail[3] = {};  ///< columns and rows, 12 bits each; 0: not known, as in files of earlier versions
  std::uint64_t forgotten_end = 0;    ///< of earlier versions: behind the last mark whose place is not in the bits
};
static_assert(sizeof(State) == 64);

inline void set_size_at_tail(State& state, Size size) {
  const auto bits = std::uint32_t{size.cols} << 12 | size.rows;
  for (int i = 0; i < 3; ++i) state.size_at_tail[i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

inline std::optional<Size> size_at_tail(const State& state) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 3; ++i) bits |= std::uint32_t{state.size_at_tail[i]} << (8 * i);
  const Size size{static_cast<std::uint16_t>(bits >> 12), static_cast<std::uint16_t>(bits & 0xFFF)};
  return size.cols > 0 && size.rows > 0 ? std::optional(size) : std::nullopt;
}

struct Header {
  char magic[8];
  std::uint64_t ring_bytes;
  std::uint64_t mark_bytes;
  std::uint64_t incarnation;
  std::uint64_t identity_size;
  std::uint64_t active;  ///< 0 or 1: which of the states counts
  State states[2];
  char identity[kMaxIdentity];
  // Zero in files of earlier versions. The held_ fields count only in a file that was closed in good order, so they
  // need not change together.
  std::uint64_t held_from;
  std::uint64_t held_readers;
  std::uint64_t held_names[journal_limits::kMaxNamed];  ///< up to the first 0
  std::uint64_t forgotten_bytes;                        ///< bytes that exist of the bits of forgotten marks
};
inline constexpr std::size_t kHeaderBytes = 8 << 10;
static_assert(sizeof(Header) <= kHeaderBytes);
static_assert(std::atomic_ref<std::uint64_t>::is_always_lock_free);

/// A bit for each position of the ring, in whole pages.
inline std::size_t forgotten_room(std::size_t ring_bytes) {
  return std::max(ring_bytes / 8, kFirstForgotten);
}

inline constexpr std::size_t kInboxOffset = kHeaderBytes;
inline constexpr std::size_t kMarksOffset = kInboxOffset + kInboxRoom;

}  // namespace ptyd::journal_format
