// Grid: the cells of one terminal, both buffers and the scrollback.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/looks.hpp"
#include "pty/screen/grid/row.hpp"
#include "pty/screen/grid/scrollback.hpp"
#include "pty/text/widths.hpp"
#include "pty/types.hpp"

namespace ptyd {

enum class Buffer : std::uint8_t { primary, alternate };

/// Places of a screen; `bottom` and `right` are the first ones outside.
struct Area {
  int top = 0, left = 0, bottom = 0, right = 0;
  bool operator==(const Area&) const = default;
};

/// A place that stays with its character when rows are reflowed. A column beyond the last one is the place behind it.
struct Place {
  int row = 0, column = 0;
};

/// Cells, and how they move. Knows no sequence and no mode.
///
/// Thread  one.
/// Units   rows and columns from 0; a row of the screen is 0 at its top, a line of the scrollback 0 when it is the oldest.
/// Order   scrolling is O(1): rows are a ring; rows take memory when they are first written.
/// Bounds  whatever is outside the screen is cut off, so no caller can write beside it.
class Grid {
 public:
  /// Narrowest and shortest screens that are drawn on; smaller sizes are taken as these.
  static constexpr int kMinColumns = 2, kMinRows = 1;
  /// Largest; larger sizes are taken as these, so that a screen's memory is bounded.
  static constexpr int kMaxColumns = 4096, kMaxRows = 4096;

  Grid(Size size, std::size_t max_scrollback);

  Size size() const { return {static_cast<std::uint16_t>(columns_), static_cast<std::uint16_t>(rows_)}; }
  Buffer active() const { return active_; }

  // Reading; all of it also for the buffer that is not active.
  Line line(Buffer buffer, int row) const;
  /// Lines that are kept above row 0 of the primary buffer.
  std::size_t scrollback() const { return scrollback_.size(); }
  /// `index` is below scrollback(); `space` takes the cells.
  Line scrollback_line(std::size_t index, std::vector<Cell>& space) const { return scrollback_.read(index, space); }
  /// Rows that a resize pushed out at the bottom wait there for the screen to grow; no snapshot holds them.
  bool keeps_below() const { return below_.size() != 0; }
  /// Lines that have ever gone into the scrollback; never decreases.
  std::uint64_t scrolled_out() const { return scrolled_out_; }
  const Pen& pen(PenId id) const { return looks_.pen(id); }
  const Link& link(LinkId id) const { return looks_.link(id); }
  /// Appends the text of a cell: nothing for the right half of a wide glyph, a space for a blank.
  void append_text(const Cell& cell, std::string& utf8) const { looks_.append_text(cell, utf8); }
  /// Of the active buffer.
  const Cell& cell(int row, int column) const;
  /// The glyph that ends left of `column`, as join() wants it.
  GlyphBefore glyph_before(int row, int column) const;
  /// Columns of a row that can be used: half of them when the line is not single.
  int columns(int row) const {
    const Row* found = find(active_, row);
    return found == nullptr || found->size() == LineSize::single ? columns_ : columns_ / 2;
  }

  // Names. They live as long as a cell or a kept pen has them; see keep_pens.
  PenId pen_id(const Pen& pen);
  /// 0 for a link that is none, is longer than Looks allows, or finds no room.
  LinkId link_id(const Link& link);
  /// `kept` says which pens the caller has by value beside the cells; asked when names are collected.
  void keep_pens(std::function<std::vector<Pen>()> kept) { kept_pens_ = std::move(kept); }
  /// How often a look or a cluster found no room: it became plainer, or older lines of the scrollback did.
  std::uint64_t simplified() const { return simplified_; }

  /// How often names were collected: whoever remembers a name must ask for it again after that.
  std::uint64_t collections() const { return collections_; }

  // Drawing on the active buffer. Nothing is moved or copied into the half of a line that cannot be used. Of the pen of
  // erased cells only the background counts: hand one that has no more.
  /// Printable ASCII from a place on; what does not fit the row is cut off.
  void put_ascii(int row, int column, std::string_view text, PenId pen, bool guarded) {
    if (!inside(row) || column < 0 || column >= columns_ || text.empty()) return;
    touch(row).put_ascii(column, text.substr(0, static_cast<std::size_t>(columns_ - column)), pen, guarded, columns_);
  }
  /// One glyph of 1 or 2 columns; one that does not fit the row is left out.
  void put(int row, int column, char32_t code_point, int width, PenId pen, bool guarded);
  /// Cells as they are, whole glyphs; what does not fit the row is cut off.
  void put_cells(int row, int column, std::span<const Cell> cells);
  /// Adds a code point to the glyph that ends left of `column`; its width becomes `width` where the row has room for
  /// that. Beyond Looks::kMaxClusterPoints it is left out. Returns the columns that the glyph has now.
  int add_to_glyph(int row, int column, char32_t code_point, int width);
  void erase(Area area, PenId pen);
  /// Spares what is guarded (DECSCA).
  void erase_unguarded(Area area, PenId pen);
  void fill(Area area, char32_t narrow, PenId pen, bool guarded);
  /// In every row of the area, cells from its left edge on move right; what is pushed over the right edge is lost.
  void insert_cells(Area area, int count, PenId pen);
  void delete_cells(Area area, int count, PenId pen);
  /// Lines that leave the primary buffer at row 0, in full width, go into the scrollback.
  void scroll_up(Area area, int count, PenId pen);
  /// As scroll_up, but nothing goes into the scrollback (DL).
  void delete_lines(Area area, int count, PenId pen);
  void scroll_down(Area area, int count, PenId pen);
  /// Copies what is in `area` to where its top left corner becomes (row, column).
  void copy(Area area, int row, int column);
  /// The text of `row` goes on from the line above: both are one logical line, unless `row` is not single.
  void join_to_above(int row);
  /// A line that is not single stands alone, and its right half is lost.
  void set_line_size(int row, LineSize size);
  /// What is in the buffers stays.
  void activate(Buffer buffer) { active_ = buffer; }
  void clear_scrollback();
  /// Both buffers become empty, the scrollback stays.
  void clear_screens();
  /// Both buffers and the scrollback become empty.
  void clear();

  /// Reflows the primary buffer with its scrollback, so that logical lines stay what they are; cuts or extends the
  /// alternate one. `primary` and `alternate` are places to keep: of each the first, if any, stays on the screen.
  void resize(Size size, std::span<Place> primary, std::span<Place> alternate);

 private:
  struct Rows {
    std::vector<Row> ring;  // empty until something is drawn
    std::size_t first = 0;
  };

  bool inside(int row) const { return row >= 0 && row < rows_; }
  Area clamped(Area area) const;
  bool full_width(const Area& area) const { return area.left == 0 && area.right == columns_; }
  Rows& rows() { return buffers_[static_cast<std::size_t>(active_)]; }
  const Row* find(Buffer buffer, int row) const {
    const Rows& rows = buffers_[static_cast<std::size_t>(buffer)];
    return rows.ring.empty() || !inside(row) ? nullptr : &rows.ring[slot(rows, row)];
  }
  Row& touch(int row) { return touch(active_, row); }
  Row& touch(Buffer buffer, int row) {
    Rows& rows = buffers_[static_cast<std::size_t>(buffer)];
    if (rows.ring.empty()) rows.ring.resize(static_cast<std::size_t>(rows_));
    return rows.ring[slot(rows, row)];
  }
  static std::size_t slot(const Rows& rows, int row) {
    const std::size_t at = rows.first + static_cast<std::size_t>(row);
    return at >= rows.ring.size() ? at - rows.ring.size() : at;
  }
  void move_up(Area area, int count, PenId pen, bool keep);
  void rotate_up(const Area& area, int count, bool keep);
  void shift_cells(const Area& area, int count);
  void unwrap_above(int row);
  void forget_below(const Area& changed);
  void write_glyph(Row& row, int column, const Cell& cell);
  std::uint32_t cluster_of(const std::string& text, std::uint32_t otherwise);
  bool make_room();
  void collect();

  /// What the primary buffer became: how many lines, in which its top and the caret are.
  struct Reflowed {
    std::size_t lines = 0, top = 0;
    bool full = false;  ///< the screen was in use to its last row
    std::optional<std::size_t> caret;
  };
  int rows_in_use(std::span<const Place> places) const;
  std::size_t top_line(const Reflowed& flow, int rows) const;
  void resize_primary(int columns, int rows, std::span<Place> places);
  void settle(Scrollback lines, std::size_t top, int columns, int rows);
  void resize_alternate(int columns, int rows, std::span<Place> places);

  int columns_, rows_;
  Buffer active_ = Buffer::primary;
  std::array<Rows, 2> buffers_;
  Scrollback scrollback_;
  Scrollback below_{kMaxRows};  // what a resize pushed out at the bottom, until something else comes to stand there
  std::uint64_t scrolled_out_ = 0;
  Looks looks_;
  std::function<std::vector<Pen>()> kept_pens_;
  std::uint64_t simplified_ = 0;
  std::uint64_t collections_ = 0;
  int patience_ = 0;  // names to refuse before the next collection is tried
};

}  // namespace ptyd
