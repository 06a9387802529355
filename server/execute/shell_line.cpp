#include "server/execute/shell_line.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {

ShellLine::Step ShellLine::on_marker(const ShellMarker& marker) {
  if (marker.nonce != nonce_ || state_ == State::gone) return Step::nothing;
  if (marker.kind == ShellMarker::Kind::prompt) {
    // Under errexit the status that the prompt tells is not the command's.
    if (state_ != State::ending) status_ = marker.status;
    cwd_ = marker.cwd;
    return on_prompt();
  }
  if (marker.token != token_) return Step::nothing;
  if (marker.kind == ShellMarker::Kind::begun && state_ == State::typed) {
    state_ = State::running;
    prompt_is_owed_ = false;
    lines_ahead_ = 0;
    return Step::begun;
  }
  if (marker.kind != ShellMarker::Kind::ended || state_ != State::running) return Step::nothing;
  status_ = marker.status;
  cwd_ = marker.cwd;
  state_ = State::ending;
  return Step::ended;
}

/// A line that others typed before ours runs first: its prompt does not tell that ours was thrown away, nor does one
/// from before ours was typed.
ShellLine::Step ShellLine::on_prompt() {
  const bool was_owed = std::exchange(prompt_is_owed_, false);
  if (state_ == State::typed && was_owed) return Step::nothing;
  const bool was_ahead = lines_ahead_ > 0 && (state_ == State::idle || state_ == State::typed);
  if (was_ahead) --lines_ahead_;
  if (state_ == State::typed && was_ahead) return Step::nothing;
  const State before = std::exchange(state_, State::idle);
  if (before == State::touched) lines_ahead_ = 0;
  if (before == State::typed) return Step::never_begun;
  return before == State::running ? Step::ended : Step::ready;
}

void ShellLine::on_others_typed() {
  if (state_ == State::idle) {
    state_ = State::touched;
  } else if (state_ != State::touched) {
    lines_ahead_ = std::max<std::size_t>(lines_ahead_, 1);
  }
}

void ShellLine::on_answered(std::string_view answers) {
  const auto bells = std::count(answers.begin(), answers.end(), '\a');
  lines_ahead_ += std::max<std::size_t>(static_cast<std::size_t>(bells), 1);
}

void ShellLine::on_prompt_seen() {
  if (state_ != State::ending && state_ != State::running && state_ != State::touched) return;
  prompt_is_owed_ = state_ != State::touched;
  state_ = State::idle;
}

void ShellLine::on_typed(std::string token) {
  token_ = std::move(token);
  state_ = State::typed;
}

void ShellLine::on_silence() {
  if (state_ == State::starting || state_ == State::typed) state_ = State::foreign;
}

/// The begin is told before any of the text is run: without it nothing was.
ShellLine::Step ShellLine::on_gone(int status) {
  const State before = std::exchange(state_, State::gone);
  status_ = status;
  return before == State::running ? Step::ended : Step::nothing;
}

}  // namespace ptyd
