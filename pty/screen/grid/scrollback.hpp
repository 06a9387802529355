// Scrollback: rows that have left the screen, each costing about its text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/style_table.hpp"

namespace ptyd {

/// Packed rows, oldest first: text as UTF-8, looks as runs. Bounded by lines, so that it keeps what it has at any
/// width: a line is one logical line, a row and those in which it goes on. The oldest line makes room, whole; only
/// where lines are so long that there are too many cells do the oldest rows go.
///
/// Each row knows the width that it was laid out for. Rows keep that width when the screen is resized, until they are
/// taken away to be laid out anew. Rows that wait for that are stale; they are the oldest.
///
/// Thread  one.
/// Units   rows from 0, the oldest.
class Scrollback {
 public:
  /// Cells that are kept for each line that may be, so that a line which never ends is bounded too, in memory (10 bytes
  /// a cell at worst, and 12 a row) and in the time that it takes to lay them out: some 30 ms for those of 5000 lines.
  static constexpr std::size_t kCellsPerLine = 500;
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();
  static constexpr int kMaxColumns = 0x1FFF;  ///< of a screen: 13 bits of each row

  /// Keeps `max_lines` lines at most, and no more than `max_cells` cells.
  explicit Scrollback(std::size_t max_lines, std::size_t max_cells = kUnbounded) { limit(max_lines, max_cells); }

  /// Rows.
  std::size_t size() const { return end_ - front_; }
  std::size_t lines() const { return lines_; }
  std::size_t max_lines() const { return max_lines_; }
  /// Cells of all rows; an empty row counts as one.
  std::size_t cells() const { return cells_; }
  /// Rows that the last `lines` lines take.
  std::size_t rows_of_last(std::size_t lines) const;
  /// The last lines that take `rows` rows at most.
  std::size_t lines_in_last(std::size_t rows) const;
  /// Rows that the fewest last lines take that have `cells` cells; all rows where there are not so many.
  std::size_t rows_of_last_cells(std::size_t cells) const;
  /// Lines that have ever begun here, each once, also when a resize took it back to the screen in between. After a
  /// clear() the rest of a line that was here begins a new one.
  std::uint64_t ever_begun() const { return ever_begun_; }
  /// Number of the next line: lines are numbered in the order in which they come here. A line that a resize takes back
  /// to the screen has the same number when it returns.
  std::uint64_t next_line() const { return begun_; }
  /// Number of the oldest line that was not cleared: here, or gone since it had to make room.
  std::uint64_t uncleared_line() const { return uncleared_; }
  /// Rows have ever made room for others.
  bool has_overflowed() const { return overflowed_; }
  /// Memory that the rows take, in bytes.
  std::size_t bytes() const;
  /// `space` takes the cells; valid until it is used again.
  Line read(std::size_t index, std::vector<Cell>& space) const;
  /// A row without its cells.
  struct Outline {
    std::size_t cells = 0;
    bool wrapped = false;
    LineSize size = LineSize::single;
    int columns = 0;  ///< of the screen that it was laid out for
  };
  Outline outline(std::size_t index) const;

  /// Default blanks at the end of a row are not kept, unless its line goes on in the next one.
  void push(const Line& row, int columns);
  /// The row as `from` holds it; both use the same StyleTable.
  void push_copy(const Scrollback& from, std::size_t index);
  void push_copy(const Scrollback& from, std::size_t index, int columns);
  void set_last_wrapped(bool wrapped);
  /// Drops the newest row, which goes back to the screen.
  void pop_last();
  /// Moves the newest `rows` into the Scrollback that is returned.
  Scrollback take_last(std::size_t rows);
  /// Makes all rows stale.
  void make_stale() { stale_end_ = end_; }
  /// Number of stale rows, which are the oldest.
  std::size_t stale() const { return stale_end_ > front_ ? stale_end_ - front_ : 0; }
  void clear();
  /// Drops the oldest `rows`, or all where there are fewer.
  void drop_oldest(std::size_t rows);
  /// Counts `lines` as lines that came and went unseen. The caller then pushes max_lines() more, so that nothing is
  /// left of what is here now.
  void skip(std::uint64_t lines);
  /// Numbers lines as another Scrollback did that held the same ones: the oldest is `first`, and `uncleared` was its
  /// uncleared_line().
  void renumber(std::uint64_t first, std::uint64_t uncleared);

  void mark(LookMarks& marks) const;
  /// The oldest `rows` lose their colours and links.
  void make_plain(std::size_t rows);
  /// In the oldest `rows`, what is more than one code point becomes its first.
  void cut_clusters(std::size_t rows, const StyleTable& styles);

 private:
  struct Head {
    std::uint32_t start = 0;  // of its runs and its text, in the bytes of its chunk
    std::uint16_t cells = 0;
    std::uint16_t runs = 0;  // none: all cells are narrow and of the default pen
    std::uint32_t text : 16 = 0;
    std::uint32_t wrapped : 1 = 0;
    std::uint32_t size : 2 = 0;
    std::uint32_t columns : 13 = 0;
  };
  struct Chunk {
    std::vector<std::uint8_t> bytes;  // its capacity is never exceeded
    std::vector<Head> heads;          // a row each
    std::size_t first = 0;            // number of its first row
  };
  struct Run;
  struct Packed;

  Packed at(std::size_t index) const;
  Chunk& chunk_with(std::size_t room);
  void append(Head head, const void* runs, const void* text);
  void limit(std::size_t max_lines, std::size_t max_cells);
  void trim();
  bool drop_front(const Chunk& chunk);

  std::size_t max_lines_ = 0, max_cells_ = 0;
  std::size_t front_ = 0, end_ = 0;  // numbers of the oldest row and of the next one
  std::size_t stale_end_ = 0;        // and of the oldest one that is not stale
  std::size_t lines_ = 0, cells_ = 0;
  std::uint64_t begun_ = 0, ever_begun_ = 0;  // lines that came: less those taken back, and all
  std::uint64_t uncleared_ = 0;
  bool open_ = false;  // the next row goes on in the line of the last one
  bool overflowed_ = false;
  std::vector<Chunk> chunks_;
  std::vector<char> text_;  // scratch of push, as is runs_
  std::vector<std::uint8_t> runs_;
};

}  // namespace ptyd
