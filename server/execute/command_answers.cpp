// What the clients of a CommandRunner are answered, and when.
#include <iterator>
#include <utility>

#include "pty/text/utf8.hpp"
#include "server/execute/command_runner.hpp"

namespace ptyd {
namespace {

Error not_begun() {
  return Error(Errc::busy, "The command did not begin: its line was given up at the prompt. Nothing was executed");
}

}  // namespace

Executed CommandRunner::answer_to(const Waiting& waiting, CommandStatus status) const {
  Executed answer;
  answer.command = waiting.asked.command;
  answer.terminal_id = waiting.asked.key.terminal_id;
  answer.status = status;
  if (status == CommandStatus::completed) answer.exit_code = command_ ? command_->status : line_.status();
  if (!line_.cwd().empty()) answer.working_dir = utf8::repair(line_.cwd());
  const auto now = terminal_.loop.clock().now();
  const auto begun = command_ ? command_->begun_at : now;
  answer.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - begun).count();
  answer.terminal_created = waiting.created;
  answer.terminal_closed = line_.state() == ShellLine::State::gone;
  answer.timeout_clamped = waiting.asked.timeout.clamped;
  return answer;
}

void CommandRunner::on_time_up(Place place) {
  const auto waiting = std::move(*place);
  waiting_.erase(place);
  const bool runs = is_pending() || line_.state() == ShellLine::State::starting;
  auto answer = answer_to(waiting, runs ? CommandStatus::running : CommandStatus::completed);
  if (command_ && command_->output) {
    auto told = command_->output->tell();
    answer.content = std::move(told.content);
    answer.truncated = told.truncated;
  }
  waiting.answer(std::move(answer));
}

void CommandRunner::answer_ended() {
  if (!command_ || is_pending() || waiting_.empty()) return;
  if (command_->stage == Stage::never_begun) return drop(not_begun());
  const auto told = command_->output ? command_->output->tell() : CommandOutput::Told();
  std::list<std::pair<Answer, Executed>> answers;
  for (auto& waiting : waiting_) {
    auto answer = answer_to(waiting, CommandStatus::completed);
    answer.content = told.content;
    answer.truncated = told.truncated;
    answers.emplace_back(std::move(waiting.answer), std::move(answer));
  }
  waiting_.clear();
  command_.reset();
  for (auto& [give, answer] : answers) give(std::move(answer));
}

/// Those that wait for the prompt.
void CommandRunner::answer_idle() {
  if (command_ || (line_.state() != ShellLine::State::idle && line_.state() != ShellLine::State::gone)) return;
  answer_all([this](const Waiting& waiting) { return answer_to(waiting, CommandStatus::completed); });
}

void CommandRunner::drop(const Error& error) {
  command_.reset();
  answer_all([&error](const Waiting&) { return error; });
}

/// A client that is answered may ask again at once.
void CommandRunner::answer_all(const std::function<Result<Executed>(const Waiting&)>& answer) {
  for (const auto& waiting : std::exchange(waiting_, {})) waiting.answer(answer(waiting));
}

}  // namespace ptyd
