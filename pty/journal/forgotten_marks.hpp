// ForgottenMarks: positions of marks that were dropped while the bytes around them were kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pty/types.hpp"

namespace ptyd {

/// A bit for each position of a ring, in mapped memory, of which the first `bytes` exist; the rest counts as zeros.
///
/// Owns    nothing. A bit is set before a state without its mark is published, and cleared after a tail behind it was
///         published: at each moment a successor finds the mark or its bit.
class ForgottenMarks {
 public:
  ForgottenMarks(char* memory, std::size_t bytes, std::size_t ring_bytes)
      : memory_(memory), bytes_(bytes), ring_bytes_(ring_bytes) {}

  /// How many bytes must exist before the bits up to `end` may be set.
  std::size_t needed_for(Position end) const;
  void add(Position position) const;
  /// Clears the bits of [begin, end).
  void clear(Position begin, Position end) const;
  /// The first position in [from, end) with a bit. The range is no longer than the ring.
  std::optional<Position> first_in(Position from, Position end) const;

 private:
  using Word = std::uint64_t;
  static constexpr Position kBits = 64;

  std::size_t place(Position position) const;
  Word load(std::size_t place) const;
  void store(std::size_t place, Word word) const;

  char* memory_;
  std::size_t bytes_, ring_bytes_;
};

}  // namespace ptyd
