// Answers to the clients of a CommandRunner, and their time.
#include <iterator>
#include <utility>

#include "pty/text/utf8.hpp"
#include "server/execute/command_runner.hpp"
#include "server/execute/refused_commands.hpp"

namespace ptyd {
namespace {

void put_output(Executed& answer, const TextWindow& told, std::size_t max_chars) {
  auto cut = told.cut(max_chars);
  answer.content = std::move(cut.text);
  answer.omitted_lines = cut.omitted_lines;
  answer.omitted_bytes = cut.omitted_bytes;
  answer.truncated = cut.omitted_bytes > 0;
}

}  // namespace

CommandRunner::Command* CommandRunner::command_of(const Waiting& waiting) {
  if (lost_ && lost_->token == waiting.token) return &*lost_;
  return command_ ? &*command_ : nullptr;
}

Executed CommandRunner::answer_to(const Waiting& waiting, CommandStatus status, const Command* command) const {
  Executed answer;
  answer.command = waiting.asked.command;
  answer.terminal_id = waiting.asked.key.terminal_id;
  answer.status = status;
  if (status == CommandStatus::completed) answer.exit_code = command ? command->status : line_.status();
  if (!line_.cwd().empty()) answer.working_dir = utf8::repair(line_.cwd());
  const auto now = terminal_.loop.clock().now();
  const auto begun = command ? command->begun_at : now;
  answer.duration_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - begun).count();
  answer.terminal_created = waiting.created;
  answer.terminal_closed = line_.state() == State::gone;
  answer.timeout_clamped = waiting.asked.timeout.clamped;
  return answer;
}

void CommandRunner::forget_given_up() {
  waiting_.remove_if([](const Waiting& waiting) { return waiting.answer.is_given_up(); });
}

/// Called when the time is up, or when output after typed input has stopped: then the program has probably answered.
void CommandRunner::on_time_up(Place place) {
  const auto waiting = std::move(*place);
  waiting_.erase(place);
  if (waiting.answer.is_given_up()) return;
  auto* command = command_of(waiting);
  const bool runs =
      (command && is_pending(*command)) || line_.state() == State::starting || line_.state() == State::foreign;
  auto answer = answer_to(waiting, runs ? CommandStatus::running : CommandStatus::completed, command);
  if (runs || line_.state() == State::touched) terminal_.look.tell(answer);
  answer.maybe_idle = runs && looks_idle() && terminal_.loop.clock().now() >= printed_at_ + kQuiet;
  tell_output(answer, command, waiting.asked.max_output_chars);
  waiting.answer(std::move(answer));
}

/// Without a command: all that was printed by a shell that tells of none.
void CommandRunner::tell_output(Executed& answer, const Command* command, std::size_t max_chars) {
  const bool may_be_ours = line_.state() == State::starting;
  auto* output = command ? command->output.get() : may_be_ours ? nullptr : untold_.get();
  if (!output) return;
  put_output(answer, output->tell(), max_chars);
  answer.total_bytes = output->total_bytes();
}

void CommandRunner::answer_ended() {
  forget_given_up();
  answer_lost();
  if (!command_ || is_pending() || waiting_.empty()) return;
  if (tells_end_of_exit(kind_) && line_.state() == State::ending) return;
  if (command_->stage == Stage::never_begun) return drop(not_begun());
  auto ended = std::move(*command_);
  command_.reset();
  tell_end(std::move(ended), std::exchange(waiting_, {}));
}

void CommandRunner::answer_lost() {
  if (!lost_ || is_pending(*lost_)) return;
  auto ended = std::move(*lost_);
  lost_.reset();
  auto waiting = take_waiting_for(ended);
  tell_end(std::move(ended), std::move(waiting));
}

std::list<CommandRunner::Waiting> CommandRunner::take_waiting_for(const Command& command) {
  std::list<Waiting> taken;
  for (auto place = waiting_.begin(); place != waiting_.end();) {
    const auto next = std::next(place);
    if (place->token == command.token) taken.splice(taken.end(), waiting_, place);
    place = next;
  }
  return taken;
}

/// An answered client may call execute() at once: so the state is complete before the first answer.
void CommandRunner::tell_end(Command ended, std::list<Waiting> waiting) {
  const auto told = ended.output && !waiting.empty() ? ended.output->tell() : TextWindow();
  std::list<std::pair<Answer, Executed>> answers;
  for (auto& each : waiting) {
    auto answer = answer_to(each, CommandStatus::completed, &ended);
    put_output(answer, told, each.asked.max_output_chars);
    answer.total_bytes = ended.output ? ended.output->total_bytes() : 0;
    answers.emplace_back(std::move(each.answer), std::move(answer));
  }
  waiting.clear();
  for (auto& [give, answer] : answers) give(std::move(answer));
}

/// Answers clients that wait for the prompt.
void CommandRunner::answer_idle() {
  forget_given_up();
  if (command_ || (line_.state() != State::idle && line_.state() != State::gone)) return;
  answer_all([this](const Waiting& waiting) {
    auto answer = answer_to(waiting, CommandStatus::completed, nullptr);
    tell_output(answer, nullptr, waiting.asked.max_output_chars);
    return answer;
  });
}

void CommandRunner::drop(const Error& error) {
  command_.reset();
  lost_.reset();
  answer_all([&error](const Waiting&) { return error; });
}

/// An answered client may call execute() at once: so none waits any more before the first answer.
void CommandRunner::answer_all(const std::function<Result<Executed>(const Waiting&)>& answer) {
  for (const auto& waiting : std::exchange(waiting_, {})) waiting.answer(answer(waiting));
}

}  // namespace ptyd
