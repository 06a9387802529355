// Scrollback: lines that have left the screen, each costing about its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/looks.hpp"

namespace ptyd {

/// Packed lines, oldest first: text as UTF-8, looks as runs. Bounded by lines; the oldest make room.
///
/// Thread  one.
/// Units   lines from 0, the oldest.
class Scrollback {
 public:
  explicit Scrollback(std::size_t max_lines) : max_(max_lines) {}

  std::size_t size() const { return end_ - front_; }
  std::size_t max() const { return max_; }
  /// Memory that the lines take, in bytes.
  std::size_t bytes() const;
  /// `space` takes the cells; valid until it is used again.
  Line read(std::size_t index, std::vector<Cell>& space) const;
  /// Without its cells.
  struct Outline {
    std::size_t cells = 0;
    bool wrapped = false;
    LineSize size = LineSize::single;
  };
  Outline outline(std::size_t index) const;

  /// Default blanks at the end of a line are not kept, unless it goes on in the next one.
  void push(const Line& line);
  /// The line as `from` holds it; both use the same Looks.
  void push_copy(const Scrollback& from, std::size_t index);
  void set_last_wrapped(bool wrapped);
  void pop_last();
  void clear();
  /// Drops the oldest lines beyond `max`, now and from now on.
  void limit(std::size_t max);

  void mark(LookMarks& marks) const;
  /// The oldest `lines` lose their colours, and what is more than one code point becomes its first.
  void simplify(std::size_t lines, const Looks& looks);

 private:
  struct Chunk {
    std::vector<std::uint8_t> bytes;    // its capacity is never exceeded
    std::vector<std::uint32_t> starts;  // a line each
    std::size_t first = 0;              // number of its first line
  };
  struct Header;
  struct Run;
  struct Packed;

  const Chunk& chunk_of(std::size_t line) const;
  const std::uint8_t* at(std::size_t index) const;
  Chunk& chunk_with(std::size_t room);
  void append(const Header& header, const void* runs, const void* text);
  void trim();

  std::size_t max_;
  std::size_t front_ = 0, end_ = 0;  // numbers of the oldest line and of the next one
  std::vector<Chunk> chunks_;
  std::vector<char> text_;  // scratch of push, as is runs_
  std::vector<std::uint8_t> runs_;
};

}  // namespace ptyd
