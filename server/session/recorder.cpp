#include "server/session/recorder.hpp"

#include <algorithm>

namespace ptyd {

namespace {

/// What an agent's hooks print: OSC 633 ; T3CODE_AGENT_EVENT=<name>. The terminator is part of the token.
constexpr std::string_view kAgentEvent = "\x1b]633;T3CODE_AGENT_EVENT=";

std::string_view without_terminator(std::string_view osc) {
  if (osc.ends_with("\x1b\\")) return osc.substr(0, osc.size() - 2);
  if (osc.ends_with('\a')) return osc.substr(0, osc.size() - 1);
  return osc;
}

}  // namespace

Recorder::Turn Recorder::take(Pty& pty, std::size_t budget, const ViewerTraits& traits, UnixMillis now) {
  Turn turn;
  turn.begin = journal_.head();
  while (turn.bytes < budget) {
    const auto space = journal_.inbox_space();
    const auto count = pty.read(space.first(std::min(space.size(), budget - turn.bytes)));
    turn.ended = !count;
    if (!count || *count == 0) {
      turn.drained = true;
      break;
    }
    journal_.received(*count);
    turn.bytes += *count;
    if (journal_.inbox_space().empty()) break;
  }
  turn_ = &turn;
  traits_ = &traits;
  now_ = now;
  questions_ = 0;
  const auto title = modes_.title();
  const auto decided = scanner_.scan(journal_.inbox(), *this);
  flush_run();
  journal_.consume(decided);
  turn.title_changed = modes_.title() != title;
  turn_ = nullptr;
  journal_.commit();
  return turn;
}

void Recorder::on_token(const Token& token) {
  if (token.kind != TokenKind::text && cut(token)) {
    flush_run();
    return;
  }
  if (!run_.empty() && run_.data() + run_.size() == token.bytes.data()) {
    run_ = {run_.data(), run_.size() + token.bytes.size()};
    return;
  }
  flush_run();
  run_ = token.bytes;
}

bool Recorder::cut(const Token& token) {
  modes_.feed(token);
  if (token.kind == TokenKind::osc && token.bytes.starts_with(kAgentEvent)) {
    turn_->agent_event = without_terminator(token.bytes).substr(kAgentEvent.size());
    return true;
  }
  const auto query = classify(token, modes_, *traits_);
  if (query.kind == Query::Kind::none) return false;
  if (query.kind == Query::Kind::viewer) ask_viewer(token);
  turn_->answers += query.answer;
  return true;
}

void Recorder::ask_viewer(const Token& token) {
  if (token.bytes.size() > kMaxQuestion || ++questions_ > kMaxQuestions) return;
  flush_run();
  journal_.mark(MarkKind::query, now_, token.bytes);
}

void Recorder::flush_run() {
  if (!run_.empty()) journal_.append(run_);
  run_ = {};
}

Position Recorder::mark(MarkKind kind, UnixMillis now, std::string_view payload) {
  const auto position = journal_.mark(kind, now, payload.substr(0, Journal::kMaxPayload));
  journal_.commit();
  return position;
}

void Recorder::say(std::string_view text) {
  journal_.append(text);
  journal_.commit();
}

void Recorder::forget() {
  scanner_.reset();
  journal_.consume(journal_.inbox().size());
  journal_.move_tail(journal_.head());
  journal_.commit();
}

void Recorder::reset_modes() {
  scanner_.reset();
  modes_ = Modes();
}

}  // namespace ptyd
