#include "server/session/recording/screen_replay.hpp"

#include "pty/journal/history.hpp"
#include "server/session/recording/mark_rows.hpp"

namespace ptyd {

void ScreenFeeder::feed(std::string_view text) {
  if (rest_.empty()) {
    rest_ = text.substr(scanner_.scan(text, *this));
    return;
  }
  rest_ += text;
  rest_.erase(0, scanner_.scan(rest_, *this));
}

void ScreenFeeder::drop_rest() {
  rest_.clear();
  scanner_.reset();
}

Replay::Replay(Screen& screen, const Journal& journal, std::uint64_t most_work)
    : screen_(screen),
      journal_(journal),
      feeder_(std::make_unique<ScreenFeeder>(screen)),
      at_(clean_boundary(journal, journal.tail())),
      most_work_(most_work) {}

Replay::~Replay() = default;

bool Replay::is_up(TurnLimit& limit, std::size_t worth) const {
  return limit.is_reached(worth, screen_.grid().work());
}

void Replay::take_size() {
  if (size_ && *size_ != screen_.grid().size()) screen_.resize(*size_);
  size_.reset();
}

/// False: time is up. A new size has the whole screen laid out anew.
bool Replay::draw(const Journal::Slice& slice, TurnLimit& limit) {
  bool is_time_up = size_ && *size_ != screen_.grid().size();
  take_size();
  is_time_up = is_time_up && is_up(limit, TurnLimit::kBytesPerLook);
  for (auto rest = slice.bytes; !rest.empty() && !is_time_up;) {
    const auto piece = rest.substr(0, TurnLimit::piece_of(rest, screen_));
    feeder_->feed(piece);
    rest.remove_prefix(piece.size());
    at_ += piece.size();
    is_time_up = is_up(limit, piece.size());
  }
  return !is_time_up;
}

void Replay::skip_to(Position position) {
  at_ = clean_boundary(journal_, position);
  feeder_->drop_rest();
}

void Replay::skip_what_is_too_much() {
  const auto work = screen_.grid().work();
  if (work - worked_ < most_work_) return;
  worked_ = work;
  skip_to(journal_.head() - (journal_.head() - at_) / kLeftOf);
}

bool Replay::go_on(TurnLimit limit, const std::function<void(Position)>& shown) {
  constexpr std::size_t kPiece = 64 << 10;
  if (at_ < journal_.tail()) skip_to(journal_.tail());
  bool has_time = true;
  while (at_ < journal_.head() && has_time) {
    const auto slice = journal_.read(at_, kPiece);
    if (!slice.mark) has_time = draw(slice, limit);
    if (const auto size = slice.mark ? size_told(slice.mark->kind, slice.mark->payload) : std::nullopt) size_ = size;
    if (slice.mark) at_ = slice.end();
    skip_what_is_too_much();
    shown(at_);
  }
  if (at_ < journal_.head()) return false;
  take_size();
  return true;
}

void show_on(Screen& screen, std::string_view text) {
  ScreenFeeder(screen).feed(text);
}

}  // namespace ptyd
