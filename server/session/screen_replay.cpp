#include "server/session/screen_replay.hpp"

#include <string>

#include "pty/journal/history.hpp"
#include "server/session/mark_payload.hpp"

namespace ptyd {

namespace {

/// Scanner and Screen, joined: undecided bytes are kept and given again.
class Feeder final : private TokenSink {
 public:
  explicit Feeder(Screen& screen) : screen_(screen) {}

  void feed(std::string_view text) {
    rest_ += text;
    rest_.erase(0, scanner_.scan(rest_, *this));
  }

 private:
  void on_token(const Token& token) override { screen_.feed(token); }

  Screen& screen_;
  Scanner scanner_;
  std::string rest_;
};

/// The size that holds from `mark` on, if it tells one.
std::optional<Size> size_from(const Mark& mark) {
  if (mark.kind == MarkKind::resized) return decode_size(mark.payload);
  if (mark.kind != MarkKind::started && mark.kind != MarkKind::restarted) return std::nullopt;
  const auto facts = decode_start(mark.payload);
  return facts ? std::optional(facts->size) : std::nullopt;
}

}  // namespace

void show_on(Screen& screen, std::string_view text) {
  Feeder(screen).feed(text);
}

void replay_on(Screen& screen, const Journal& journal, const std::function<void(Position)>& shown) {
  constexpr std::size_t kPiece = 64 << 10;
  Feeder feeder(screen);
  for (Position at = clean_boundary(journal, journal.tail()); at < journal.head();) {
    const auto slice = journal.read(at, kPiece);
    if (!slice.mark) feeder.feed(slice.bytes);
    if (const auto size = slice.mark ? size_from(*slice.mark) : std::nullopt) screen.resize(*size);
    at = slice.end();
    if (shown) shown(at);
  }
}

}  // namespace ptyd
