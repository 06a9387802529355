// Recorder: the path of a byte from the pty into Screen and journal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/journal/journal.hpp"
#include "pty/process/pty.hpp"
#include "pty/screen/report/queries.hpp"
#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/shell/shell_marker.hpp"
#include "pty/text/scanner.hpp"
#include "server/session/recording/checkpoint.hpp"
#include "server/session/recording/deferred_output.hpp"
#include "server/session/recording/inbox_reads.hpp"
#include "server/session/recording/journal_writer.hpp"
#include "server/session/recording/scrollback_counter.hpp"
#include "server/session/recording/turn_limit.hpp"

namespace ptyd {

/// Takes what a child prints, keeps the Screen current, cuts out what viewers must not see, and keeps the rest. Of a
/// flood of lines the Screen is drawn when it is looked at, at the latest when the journal needs the room.
///
/// Owns    the journal, the Screen, and an unfinished sequence.
/// Order   of one turn: reads, then tokens in their order; a question is answered at its very position.
class Recorder final : private TokenSink {
 public:
  struct Options {
    Screen::Options screen;
    QueryOptions queries;
  };

  /// Text for a clipboard, as a program asked for with OSC 52.
  struct ClipboardWrite {
    std::string selections;  ///< OSC 52's letters, never empty
    std::string base64;
  };
  /// A further listener to the output, in its order. It is told from inside take(), and may not touch the Recorder
  /// then.
  struct Tap {
    std::function<void(const ShellMarker&)> on_marker = nullptr;  ///< which is cut out of everything else
    std::function<void(const Token&)> on_drawn = nullptr;         ///< of which the Screen is drawn
  };
  /// Texts for clipboards per turn; of more, the last ones count.
  static constexpr std::size_t kMaxClipboardWrites = 4;

  /// Result of one turn, besides the bytes that are in the journal now.
  struct Turn {
    std::size_t bytes = 0;  ///< read from the pty
    Position begin = 0;     ///< the kept bytes are in the journal from here on
    std::size_t kept = 0;   ///< length of these: bytes read, now or earlier, less those cut or undecided, plus the ends
                            ///< written for cut sequences
    bool waits = false;     ///< time was up: what has not been drawn yet waits in the inbox
    bool drained = false;   ///< the pty has nothing more now, and nothing waits
    bool ended = false;     ///< end of output, likewise
    std::string answers;    ///< to be written to the child, in order
    std::string agent_event;  ///< name of the last agent hook event of the turn
    std::vector<ClipboardWrite> clipboard;
    bool title_changed = false;
  };

  /// Output waits to be drawn where a turn brought so much, and the turn before it nothing but lines: what people
  /// print is drawn at once.
  static constexpr std::size_t kDeferredFrom = 1 << 10;
  /// Of what waits so much is drawn in one go.
  static constexpr std::size_t kDrawnAtOnce = 16 << 10;
  /// Cells that are laid out at a time: some 5 ms.
  static constexpr std::size_t kLaidOutAtOnce = 512 << 10;
  /// A Screen is left alone for so long before it is parked: a Command that needs it sooner does not wait.
  static constexpr std::chrono::milliseconds kQuiet{8000};
  /// Bytes of parked Screens that are written per second of quiet, at most: a user that types and pauses must not have
  /// the whole scrollback written in each pause. A journal that is full makes it a minute.
  static constexpr std::size_t kSaveRate = 16 << 10;

  /// A parked Screen is kept in `checkpoint`. Where the journal holds something
  /// already, the Screen is_away().
  Recorder(Journal journal, const Options& options, Checkpoint checkpoint);
  ~Recorder();
  /// Closes the journal in good order, and leaves its file to the next one that opens it. Nothing is recorded any more.
  void close();

  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  /// Current. Not while it is_away(). Where much waits to be drawn it takes some ms.
  const Screen& screen() const { return restored(); }
  /// Output waits to be drawn.
  bool is_behind() const { return !deferred_.empty(); }
  /// Draws of it what there is time for; the Screen is current when nothing waits any more: true.
  bool draw_deferred(TurnLimit limit) const;
  const std::string& title() const { return title_; }
  /// Nothing has been printed since the start, a clear or a restart, but for what begin_below() says.
  bool is_blank() const { return blank_; }
  /// Lines that had gone into the scrollback when the journal's head was at `position`. Grows with the
  /// position, whatever Screen counted them.
  std::uint64_t scrolled_out_at(Position position) const;
  /// Cells to lay out before the last `lines` lines above the screen can be shown: see Grid.
  std::size_t cells_to_lay_out(std::size_t lines) const { return screen().grid().cells_to_lay_out(lines); }
  /// Lays out some of them, in a few ms; true: none is left.
  bool lay_out(std::size_t lines) const;
  /// Text from which an emulator that has been shown everything before `behind` can go on at the journal's head. Of
  /// what it has not been shown the newest `lines` go above the screen, in `max_bytes`.
  Repaint repaint_from(Position behind, std::size_t lines, std::size_t max_bytes) const;

  /// In place of what heard it until now.
  void listen(Tap tap) { tap_ = std::move(tap); }
  /// Reads at most `budget` bytes and keeps them; the journal is committed when this returns. When time is up, what is
  /// left stays in the inbox, as if it had not been read yet; the next call goes on there, and reads nothing before all
  /// of it is drawn.
  Turn take(Pty& pty, std::size_t budget, const ViewerTraits& traits, TurnLimit limit = {});
  /// The same for the last time: reads also where something waits in the inbox. Where the Screen is_away() all of it
  /// waits there, for the next server.
  Turn take_rest(Pty& pty, std::size_t budget, const ViewerTraits& traits, TurnLimit limit);
  /// Adds a mark, commits, and returns the mark's position.
  Position mark(MarkKind kind, UnixMillis now, std::string_view payload);
  /// Adds text of our own as if the child had printed it, and commits.
  void say(std::string_view text);
  /// Takes effect when something is drawn or looked at next; of several sizes until then the last one counts.
  void resize(Size size);
  /// Forgets everything before the next position, and a string that has begun, of which nothing is shown any more;
  /// keeps modes. Nothing of it stays on disk: the journal's file is overwritten, that of a parked Screen deleted
  /// behind what was to be put into it. Further bytes of the inbox come after it.
  void clear();
  /// Before a new child: a transcript of an earlier life may have left anything behind; a shell starts on a line of its
  /// own, in a terminal that is otherwise as a fresh one. Nothing where there is no transcript. Where it shows nothing
  /// it stays blank. The Screen is in memory then: one whose bytes are on their way to the file would soon be away.
  void begin_below();
  /// As clear(), and the Screen becomes a fresh one: for a new child.
  void start_over();
  /// An unfinished sequence of a child that is gone.
  void drop_unfinished();

  /// Parks a Screen that has not been needed for long: keeps it as bytes that recreate it, and gives back the journal's
  /// pages. The bytes of the last time do where nothing was shown since. Nothing happens while it holds rows that bytes
  /// cannot, nor where they would be too many.
  ///
  /// True: nothing is left to do. False: time was up, and the next call goes on if nothing has changed since.
  bool park(TurnLimit limit = {});
  bool is_parked() const { return !screen_; }
  /// Whether park() would do anything, as far as is known.
  bool may_park() const { return screen_ && !cannot_park_ && !is_away(); }
  /// How long the Screen must have been unused for that.
  std::chrono::milliseconds park_after() const;
  /// Parked, and the bytes are in the file alone, or there are none: to be brought back before anything that needs the
  /// Screen.
  bool is_away() const { return redraw_ || takes_up_inbox_ || (is_parked() && !checkpoint_.is_there()); }
  /// Calls `done` once the file has been read, maybe before this returns; then redraw() does the rest.
  void bring_back(const Checkpoint::LoadFile& load, std::function<void()> done);
  /// Draws the Screen from the journal, where no file was read or it is not what it was: a part of it when `limit` has
  /// an end. True: the Screen is not away any more.
  bool redraw(TurnLimit limit = {});

 private:
  struct Redraw;
  bool draw_from_journal(TurnLimit limit);
  void take_up_inbox(TurnLimit limit);
  Turn keep(const InboxReads& reads, const ViewerTraits& traits, TurnLimit limit);
  void scan();
  void take_half_character();
  void on_token(const Token& token) override;
  void draw(const Token& token);
  void defer(const Token& token);
  void make_room(std::size_t bytes);
  void passed(const Token& token, std::size_t worth);
  bool cut(const Token& token);
  bool cut_query(const Token& token);
  void tell_marker(const Token& token) const;
  ScrollbackCounter::LineFeeds line_feeds() const;
  void cut_unfinished();
  void forget();
  void sample() const;
  /// The Screen, about to be changed.
  Screen& present();
  Screen& restored() const;
  void take_size() const;
  std::unique_ptr<Screen> fresh(Size size) const;

  Journal journal_;
  Options options_;
  Tap tap_;
  Scanner scanner_;
  JournalWriter writer_{journal_};
  mutable std::unique_ptr<Screen> screen_;  // none while parked
  mutable Checkpoint checkpoint_;           // holds nothing when the Screen has changed since, or it is lost
  mutable ScrollbackCounter scrollback_counter_;
  mutable DeferredOutput deferred_;   // nothing while the Screen is parked
  bool only_lines_ = false;           // the last turn brought nothing else
  std::unique_ptr<Redraw> redraw_;    // under way
  bool is_first_ = true;              // bytes that an earlier server left are not drawn yet
  bool takes_up_inbox_ = false;       // the inbox of an earlier server is not drawn yet
  bool cannot_park_ = false;          // as it is
  mutable std::optional<Size> size_;  // that the Screen is to have
  std::string title_;
  bool blank_ = true;
  bool closed_ = false;
  bool waits_ = false;  // the inbox begins with a whole token, for which there was no time
  // During take() only:
  Turn* turn_ = nullptr;
  const ViewerTraits* traits_ = nullptr;
  TurnLimit limit_;
  bool defers_ = false;     // until something comes that cannot wait
  std::size_t passed_ = 0;  // bytes of the inbox that are drawn or cut
};

}  // namespace ptyd
