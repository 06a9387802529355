// Snapshots: values that show or recreate a Screen, in O(screen + what is kept of the scrollback asked for).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"

namespace ptyd {

/// How much of a Screen a snapshot holds. Where it is too long, looks of the screen are left out as Detail says, and
/// the oldest lines of the scrollback; never the text of the screen, with which a snapshot may exceed the bound: 2000 x
/// 1000 places take megabytes. Of hyperlinks the newest LinkBudget::kUsual bytes are kept.
struct SnapshotRange {
  std::size_t scrollback = Screen::kDefaultScrollback;  ///< logical lines above the screen at most
  std::size_t max_bytes = 1 << 20;                      ///< of scrollback and screen together
};

/// Text as a person would read it: soft-wrapped lines joined, trailing blanks and empty lines at the end left out, LF
/// between lines. Valid UTF-8 without a control but LF.
std::string plain_snapshot(const Screen& screen, const SnapshotRange& range);

/// Bytes that make any fresh terminal of the same size into this one: scrollback, cells, colours, links, caret and
/// pending wrap, margins, tabs, charsets, saved carets, modes, title, both buffers; but no cells of an alternate screen
/// that is not shown, and no synchronized update. Modes come last. It holds no query.
std::string vt_snapshot(const Screen& screen, const SnapshotRange& range);

/// Bytes that make a fresh Screen of the same size into this one, to be kept in its place. Nothing where they are more
/// than `max_bytes`; then not much more has been drawn.
std::optional<std::string> vt_checkpoint(const Screen& screen, std::size_t max_bytes);

/// vt_checkpoint() in parts, of a Screen that outlives the writer and does not change meanwhile.
class CheckpointWriter {
 public:
  enum class State : std::uint8_t { unfinished, whole, too_long };

  CheckpointWriter(const Screen& screen, std::size_t max_bytes);
  ~CheckpointWriter();
  /// Lays out lines, draws the screen, draws what is above it, puts all of it together: each time about so many `rows`.
  State go_on(std::size_t rows);
  /// The checkpoint. Call once, after State::whole.
  std::string take_text();

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

/// Bytes of a repaint without the lines above the screen. Small, since a repaint is for clients on slow links; text of
/// the largest usual screens fits with most of its colours.
inline constexpr std::size_t kMaxRepaintedScreen = 256 << 10;

/// How much of what went by unseen stands above a repaint. A line that was wrapped over several rows is one; one that
/// goes on in the screen is one that has gone into the scrollback.
struct RepaintRange {
  std::uint64_t skipped = 0;  ///< logical lines that have gone into the scrollback and were not shown to the viewer
  std::size_t lines = 0;      ///< of them, the newest, at most
  std::size_t max_bytes = 0;  ///< for these lines; the screen has a bound of its own
  /// The newest line, where it is too long, is drawn without its begin; else it is missing.
  bool cuts = false;
};

struct Repaint {
  std::string text;
  std::uint64_t missing_lines = 0;  ///< of those skipped; the text says how many
};

/// Bytes that make a viewer which is somewhere in this terminal's past show its present: the visible screen and the
/// modes, no RIS; what the viewer has in its scrollback stays. Of what it has not been shown as many whole lines as
/// `range` allows go above the screen, below one line that says how many are missing, when any are.
Repaint vt_repaint(const Screen& screen, const RepaintRange& range);

/// Lines of the scrollback, by their numbers (Grid::next_line).
struct LinesPage {
  std::string text;
  std::uint64_t first_line = 0, next_line = 0;  ///< in `text`: from here, up to there
  std::uint64_t end_line = 0;                   ///< of all that are complete
  bool has_earlier = false;                     ///< there were lines before the first one, and they were not cleared
};

/// Bytes that draw lines from the scrollback on any terminal whose caret stands at the begin of a row: from the line
/// `from` on, or the oldest that is kept, until there are `max_bytes`. Whole lines, and one at least if there is any;
/// of a single line that is longer than a snapshot may be, its end is left out. A line that goes on in the screen is
/// none of them.
LinesPage vt_lines(const Screen& screen, std::uint64_t from, std::size_t max_bytes);

/// Text that sets modes, keyboard flags, caret style and charsets of a fresh terminal to those of `screen`: in the
/// reference's order, then ours. At most 4096 bytes. The alternate screen is among it unless `replayed`, which the
/// terminal is given next, enters or leaves that by itself.
std::string mode_preamble(const Screen& screen, std::string_view replayed = {});

/// A run of cells that look alike.
struct Span {
  std::string text;
  Pen pen;
  int columns = 0;
};
struct CellsSnapshot {
  struct Row {
    std::vector<Span> spans;  ///< without the default blanks at the end
    bool wrapped = false;
  };
  Size size;
  std::vector<Row> scrollback;  ///< oldest first
  std::vector<Row> screen;      ///< of the active buffer
  Caret caret;
  bool caret_visible = true;
  bool alternate = false;
};
CellsSnapshot cells_snapshot(const Screen& screen, const SnapshotRange& range);

}  // namespace ptyd
