// Recorder: the road of a byte from the pty into the journal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pty/journal.hpp"
#include "pty/modes.hpp"
#include "pty/pty.hpp"
#include "pty/queries.hpp"
#include "pty/scanner.hpp"

namespace ptyd {

/// Takes what a child prints, cuts out what viewers must not see, and keeps the rest.
///
/// Owns    the journal and everything that is known about its end (modes, title, an unfinished sequence).
/// Order   of one turn: reads, then tokens in their order; a question is answered or marked at its very position.
class Recorder final : private TokenSink {
 public:
  /// Questions that only a viewer can answer, per turn; a program that asks more is not asking.
  static constexpr std::size_t kMaxQuestions = 16;
  /// Longest question that is passed on; real ones are below 40 bytes, except XTGETTCAP with many names.
  static constexpr std::size_t kMaxQuestion = 256;

  /// What one turn brought, besides the bytes that are in the journal now.
  struct Turn {
    std::size_t bytes = 0;    ///< read from the pty
    Position begin = 0;       ///< where in the journal they begin, less what was cut
    bool drained = false;     ///< the pty has nothing more now
    bool ended = false;       ///< end of output
    std::string answers;      ///< to be written to the child, in order
    std::string agent_event;  ///< name of the last agent hook event of the turn
    bool title_changed = false;
  };

  explicit Recorder(Journal journal) : journal_(std::move(journal)) {}

  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  const Modes& modes() const { return modes_; }

  /// Reads at most `budget` bytes and keeps them; the journal is committed when this returns.
  Turn take(Pty& pty, std::size_t budget, const ViewerTraits& traits, UnixMillis now);
  /// Adds a mark, commits, and returns the mark's position.
  Position mark(MarkKind kind, UnixMillis now, std::string_view payload);
  /// Adds text of our own as if the child had printed it, and commits.
  void say(std::string_view text);
  /// Forgets everything before the next position, and an unfinished sequence; keeps modes.
  void forget();
  /// A new child starts with a fresh terminal: forgets modes and an unfinished sequence.
  void reset_modes();

 private:
  void on_token(const Token& token) override;
  bool cut(const Token& token);
  void ask_viewer(const Token& token);
  void flush_run();

  Journal journal_;
  Scanner scanner_;
  Modes modes_;
  // During take() only:
  Turn* turn_ = nullptr;
  const ViewerTraits* traits_ = nullptr;
  UnixMillis now_ = 0;
  std::size_t questions_ = 0;
  std::string_view run_;  // kept bytes not yet appended; tokens that follow each other are one run
};

}  // namespace ptyd
