// DeferredOutput: text that is in the journal and not on the Screen yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "pty/journal/journal.hpp"
#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "server/session/recording/screen_replay.hpp"

namespace ptyd {

/// Text that is drawn when the Screen is looked at, or when the journal needs its room. Of a flood the Screen shows the
/// end: lines that have left the scrollback again by then are counted and not drawn. The Screen is the same as if they
/// had been, cell by cell.
///
/// Owns    no text: it stands in the journal, from begin() to the head, with nothing but marks in between.
/// Order   what is drawn or skipped is always the oldest. Until nothing waits, the Screen is no state of the terminal.
/// Thread  one.
class DeferredOutput {
 public:
  /// Bytes after which a part may begin, behind a line end. Lines are skipped by whole parts.
  static constexpr std::size_t kPart = 16 << 10;

  /// Text and SGR may wait, but for VT and FF: of what waits each line feed is one LF, and it ends one line.
  static bool may_wait(const Token& token);

  bool empty() const { return parts_.empty(); }
  /// Of what is neither drawn nor skipped. Only where something waits.
  Position begin() const { return at_; }
  /// From `position` on, which is the journal's head, output waits to be drawn on `screen`.
  void start(Position position, const Screen& screen);
  /// `token` goes into the journal at `position`.
  void add(const Token& token, Position position);
  /// Skips what will not be seen, or draws at most `bytes`. Everything that was added is in the journal.
  void draw(Screen& screen, const Journal& journal, std::size_t bytes);
  /// Draws nothing of it any more.
  void drop();

 private:
  struct Part {
    Position begin = 0;
    Pen pen;                  // at its begin; its background is the default one in all but the first
    std::uint64_t lines = 0;  // line feeds in it
  };

  void add_text(std::string_view text, Position position);
  void settle_pen();
  bool skip_part(Screen& screen);
  void pass(Position to);

  std::deque<Part> parts_;   // none is behind at_
  Position at_ = 0;          // up to here it is drawn or skipped
  std::uint64_t lines_ = 0;  // of all parts
  Pen pen_;                  // at the end of what waits, before sgr_
  std::string sgr_;          // parameters that are not applied yet, each with its m
  std::unique_ptr<ScreenFeeder> feeder_;
};

}  // namespace ptyd
