#include "pty/journal/forgotten_marks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace ptyd {

namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

}  // namespace

/// Offset of the word that holds the bit of `position`.
std::size_t ForgottenMarks::place(Position position) const {
  return static_cast<std::size_t>(position % ring_bytes_ / kBits) * kWordBytes;
}

ForgottenMarks::Word ForgottenMarks::load(std::size_t place) const {
  Word word = 0;
  if (place < bytes_) std::memcpy(&word, memory_ + place, sizeof word);
  return word;
}

void ForgottenMarks::store(std::size_t place, Word word) const {
  std::memcpy(memory_ + place, &word, sizeof word);
}

std::size_t ForgottenMarks::needed_for(Position end) const {
  return static_cast<std::size_t>(std::min<Position>((end + kBits - 1) / kBits, ring_bytes_ / kBits)) * kWordBytes;
}

void ForgottenMarks::add(Position position) const {
  assert(place(position) < bytes_);
  store(place(position), load(place(position)) | Word{1} << position % kBits);
}

void ForgottenMarks::clear(Position begin, Position end) const {
  if (bytes_ == 0) return;
  end = std::min(end, begin + ring_bytes_);
  while (begin < end) {
    const Position next = std::min(end, (begin / kBits + 1) * kBits);
    const Word below_next = next % kBits == 0 ? ~Word{0} : (Word{1} << next % kBits) - 1;
    const Word cleared = below_next & ~Word{0} << begin % kBits;
    if (const Word word = load(place(begin)); (word & cleared) != 0) store(place(begin), word & ~cleared);
    begin = next;
  }
}

std::optional<Position> ForgottenMarks::first_in(Position from, Position end) const {
  if (bytes_ == 0) return std::nullopt;
  while (from < end) {
    const Word word = load(place(from)) >> from % kBits;
    if (word != 0) from += static_cast<Position>(std::countr_zero(word));
    if (word != 0) return from < end ? std::optional(from) : std::nullopt;
    from = (from / kBits + 1) * kBits;
  }
  return std::nullopt;
}

}  // namespace ptyd
