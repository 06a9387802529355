// Making a Screen out of what is kept of it: bytes that recreate it, or a journal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pty/journal/journal.hpp"
#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "server/session/recording/turn_limit.hpp"

namespace ptyd {

/// Scanner and Screen, joined: undecided bytes are kept and given again.
class ScreenFeeder final : private TokenSink {
 public:
  /// The screen outlives it.
  explicit ScreenFeeder(Screen& screen) : screen_(screen) {}

  void feed(std::string_view text);
  /// Something is undecided yet.
  bool has_rest() const { return !rest_.empty(); }
  /// The text that follows does not go on with it.
  void drop_rest();

 private:
  void on_token(const Token& token) override { screen_.feed(token); }

  Screen& screen_;
  Scanner scanner_;
  std::string rest_;
};

/// Feeds whole output; an unfinished sequence at its end is dropped.
void show_on(Screen& screen, std::string_view text);

/// Draws all that a journal holds, from a clean boundary, with the sizes that its marks tell; a size at which nothing
/// was printed is passed over. It comes to its end whatever was printed: output that takes too much work is left out,
/// the oldest of it, as if the journal had forgotten it.
///
/// Owns    how far it has come. Screen and journal outlive it; only Replay draws on the screen meanwhile. Bytes that
///         the journal forgets before they are drawn are not drawn.
class Replay {
 public:
  /// Cells that are moved or filled (Grid::work), some 3 s of it, before what is left to draw becomes a sixteenth of
  /// what it was: a few bytes may move a whole screen of millions of cells, and a journal holds millions of them.
  static constexpr std::uint64_t kMostWork = std::uint64_t{2} << 30;
  static constexpr std::uint64_t kLeftOf = 16;

  Replay(Screen& screen, const Journal& journal, std::uint64_t most_work = kMostWork);
  ~Replay();
  /// Goes on until time is up, by a piece or a size at least; true when all is drawn. `shown` is told now and then up
  /// to where.
  bool go_on(TurnLimit limit, const std::function<void(Position)>& shown);

 private:
  bool draw(const Journal::Slice& slice, TurnLimit& limit);
  void take_size();
  void skip_to(Position position);
  void skip_what_is_too_much();
  bool is_up(TurnLimit& limit, std::size_t worth) const;

  Screen& screen_;
  const Journal& journal_;
  std::unique_ptr<ScreenFeeder> feeder_;
  Position at_;
  const std::uint64_t most_work_;
  std::uint64_t worked_ = 0;  // until it was skipped last
  std::optional<Size> size_;  // of what comes next, where the screen has another one
};

}  // namespace ptyd
