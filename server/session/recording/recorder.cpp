#include "server/session/recording/recorder.hpp"

#include <algorithm>
#include <utility>

#include "pty/screen/reset_text.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"
#include "server/session/recording/inbox_reads.hpp"
#include "server/session/recording/mark_rows.hpp"
#include "server/session/recording/screen_replay.hpp"

namespace ptyd {

namespace {

/// Of a string whose beginning was cleared.
bool is_rest_of_dropped(const Token& token) {
  return token.overlong && token.head.empty();
}

}  // namespace

void Recorder::close() {
  if (!std::exchange(closed_, true)) journal_.close_in_order();
}

Recorder::Turn Recorder::take(Pty& pty, std::size_t budget, const ViewerTraits& traits, TurnLimit limit) {
  return keep(waits_ ? InboxReads{} : read_into_inbox(journal_, pty, budget), traits, limit);
}

Recorder::Turn Recorder::take_rest(Pty& pty, std::size_t budget, const ViewerTraits& traits, TurnLimit limit) {
  const auto reads = read_into_inbox(journal_, pty, budget);
  if (!is_away()) return keep(reads, traits, limit);
  journal_.commit();
  return {};
}

Recorder::Turn Recorder::keep(const InboxReads& reads, const ViewerTraits& traits, TurnLimit limit) {
  Turn turn;
  turn.begin = journal_.head();
  turn_ = &turn;
  traits_ = &traits;
  limit_ = limit;
  const auto waiting = journal_.inbox().size();
  make_room(waiting);
  const bool is_flood = std::exchange(only_lines_, true) && waiting >= kDeferredFrom;
  defers_ = is_flood || !deferred_.empty();
  scan();
  if (reads.ended && !waits_) take_half_character();
  turn.bytes = reads.bytes;
  turn.waits = waits_;
  turn.drained = reads.drained && !waits_;
  turn.ended = reads.ended && !waits_;
  turn_ = nullptr;
  turn.kept = static_cast<std::size_t>(journal_.head() - turn.begin);
  turn.title_changed = turn.kept > 0 && deferred_.empty() && present().modes().title() != title_;
  if (turn.title_changed) title_ = present().modes().title();
  blank_ = blank_ && turn.kept == 0;
  sample();
  journal_.commit();
  return turn;
}

/// Takes up what an earlier server had read when it was killed. Queries in it stay without an answer.
void Recorder::take_up_inbox(TurnLimit limit) {
  Turn turn;
  const ViewerTraits traits;
  turn_ = &turn;
  traits_ = &traits;
  limit_ = limit;
  only_lines_ = defers_ = false;
  scan();
  turn_ = nullptr;
  takes_up_inbox_ = waits_;
  title_ = screen_->modes().title();
  blank_ = journal_.head() == journal_.tail();
  sample();
  journal_.commit();
}

/// Draws what the inbox holds, until time is up.
void Recorder::scan() {
  waits_ = false;
  passed_ = 0;
  const auto decided = scanner_.scan(journal_.inbox(), *this);
  writer_.flush();
  waits_ = passed_ < decided;
  // It stopped between tokens, or between characters: there the Scanner begins as if nothing had been before.
  if (waits_) scanner_.reset();
  journal_.consume(passed_);
}

/// At the end of the output nothing comes that could make it whole.
void Recorder::take_half_character() {
  Token rest;
  rest.kind = TokenKind::text;
  rest.bytes = journal_.inbox();
  if (rest.bytes.empty() || utf8::unfinished_tail(rest.bytes) != rest.bytes.size()) return;
  scanner_.reset();
  passed_ = 0;
  draw_deferred({});
  draw(rest);
  writer_.flush();
  waits_ = false;
  journal_.consume(passed_);
}

void Recorder::on_token(const Token& token) {
  if (waits_) return;
  only_lines_ = only_lines_ && DeferredOutput::may_wait(token);
  defers_ = defers_ && only_lines_;
  if (defers_) return defer(token);
  if (!deferred_.empty()) {
    writer_.flush();
    // A piece of an overlong sequence could not be given again.
    waits_ = !draw_deferred(token.overlong ? TurnLimit() : limit_);
    if (waits_) return;
  }
  if (is_rest_of_dropped(token) || (may_ask(token) && cut(token))) {
    writer_.cut(token);
    return passed(token, TurnLimit::kBytesPerLook);  // an answer may cost what no cell tells of
  }
  if (token.kind != TokenKind::text) return draw(token);
  Token piece = token;
  for (std::string_view rest = token.bytes; !rest.empty() && !waits_; rest.remove_prefix(piece.bytes.size())) {
    piece.bytes = rest.substr(0, TurnLimit::piece_of(rest, present()));
    draw(piece);
  }
}

void Recorder::draw(const Token& token) {
  present().feed(token);
  if (tap_.on_drawn) tap_.on_drawn(token);
  writer_.keep(token);
  passed(token, token.bytes.size());
}

void Recorder::defer(const Token& token) {
  const auto position = journal_.head() + writer_.size();
  if (deferred_.empty()) deferred_.start(position, present());
  deferred_.add(token, position);
  if (tap_.on_drawn) tap_.on_drawn(token);
  writer_.keep(token);
  passed_ += token.bytes.size();
  waits_ = limit_.is_reached(token.bytes.size(), screen_->grid().work());
}

bool Recorder::draw_deferred(TurnLimit limit) const {
  while (!deferred_.empty()) {
    deferred_.draw(*screen_, journal_, kDrawnAtOnce);
    sample();
    if (limit.is_reached(kDrawnAtOnce, screen_->grid().work())) break;
  }
  return deferred_.empty();
}

/// The journal takes so much without forgetting what is to be drawn.
void Recorder::make_room(std::size_t bytes) {
  while (!deferred_.empty() && !journal_.has_room_behind(deferred_.begin(), bytes)) {
    deferred_.draw(*screen_, journal_, kDrawnAtOnce);
    sample();
  }
}

/// Between the pieces of an overlong sequence, which draw nothing, the Scanner could not begin again.
void Recorder::passed(const Token& token, std::size_t worth) {
  passed_ += token.bytes.size();
  waits_ = !token.overlong && limit_.is_reached(worth, present().grid().work());
}

/// A marker goes to no viewer, whatever program printed it.
bool Recorder::cut(const Token& token) {
  if (is_shell_marker(token)) {
    tell_marker(token);
    return true;
  }
  const auto event = agent_event(token);
  if (!event) return cut_query(token);
  turn_->agent_event = *event;
  return true;
}

void Recorder::tell_marker(const Token& token) const {
  if (!tap_.on_marker) return;
  if (const auto marker = parse_shell_marker(token)) tap_.on_marker(*marker);
}

bool Recorder::cut_query(const Token& token) {
  auto query = classify(token, present(), *traits_, options_.queries);
  if (query.kind == Query::Kind::none) return false;
  turn_->answers += query.answer;
  if (query.kind != Query::Kind::clipboard) return true;
  auto& writes = turn_->clipboard;
  if (writes.size() == kMaxClipboardWrites) writes.erase(writes.begin());
  writes.push_back({std::move(query.selections), std::move(query.base64)});
  return true;
}

Position Recorder::mark(MarkKind kind, UnixMillis now, std::string_view payload) {
  payload = payload.substr(0, Journal::kMaxPayload);
  make_room(0);
  const auto position = journal_.mark(kind, now, payload, size_told(kind, payload));
  journal_.commit();
  return position;
}

void Recorder::say(std::string_view text) {
  auto& screen = present();
  journal_.append(text);
  writer_.forget();
  show_on(screen, text);
  blank_ = false;
  journal_.commit();
}

void Recorder::begin_below() {
  static_cast<void>(restored());
  if (journal_.head() == journal_.tail()) return;
  const bool is_empty = shows_nothing(present());
  say(reset_text(present()));
  title_.clear();
  blank_ = is_empty;
}

/// A window that is dragged has a hundred sizes, at few of which anything is drawn or looked at.
void Recorder::resize(Size size) {
  if (is_parked()) static_cast<void>(restored());
  draw_deferred({});
  size_ = size;
  cannot_park_ = cannot_park_ && size == screen_->grid().size();
}

void Recorder::drop_unfinished() {
  waits_ = false;
  scanner_.reset();
  journal_.consume(journal_.inbox().size());
}

/// Drops the text of an unfinished string at once, and the rest of it where it comes. A short sequence goes on behind
/// a clear, as does what a shell tells us.
void Recorder::cut_unfinished() {
  Token begun;
  begun.kind = TokenKind::osc;
  begun.bytes = journal_.inbox();
  if (!waits_ && !is_shell_marker(begun)) journal_.consume(scanner_.drop_string(begun.bytes));
}

void Recorder::forget() {
  journal_.move_tail(journal_.head());
  journal_.wipe();
  writer_.forget();
  blank_ = true;
  checkpoint_.delete_file();
}

void Recorder::clear() {
  auto& screen = present();  // while its file is there
  cut_unfinished();
  forget();
  screen.clear();
}

void Recorder::sample() const {
  if (is_parked()) return;
  scrollback_counter_.note(deferred_.empty() ? journal_.head() : deferred_.begin(), screen_->grid().scrolled_out());
}

std::uint64_t Recorder::scrolled_out_at(Position position) const {
  draw_deferred({});
  return scrollback_counter_.at(position, line_feeds());
}

/// Where they are forgotten, as many as there may be: rather more lines are said to be missing than fewer.
ScrollbackCounter::LineFeeds Recorder::line_feeds() const {
  return [this](Position from, Position to) {
    if (from < journal_.tail()) return static_cast<std::uint64_t>(to - from);
    std::uint64_t count = 0;
    while (from < to) {
      const auto slice = journal_.read(from, static_cast<std::size_t>(to - from));
      count += static_cast<std::uint64_t>(std::count(slice.bytes.begin(), slice.bytes.end(), '\n'));
      from = slice.end();
    }
    return count;
  };
}

Repaint Recorder::repaint_from(Position behind, std::size_t lines, std::size_t max_bytes) const {
  const auto skipped = scrollback_counter_.since(behind, screen().grid().scrolled_out(), line_feeds());
  return vt_repaint(screen(), {.skipped = skipped, .lines = lines, .max_bytes = max_bytes});
}

}  // namespace ptyd
