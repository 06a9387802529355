#include "server/execute/command_runner.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "pty/text/utf8.hpp"
#include "server/execute/typed_text.hpp"

namespace ptyd {
namespace {

using State = ShellLine::State;
using Step = ShellLine::Step;

/// Kills what stands on the line, in the line editor of every shell.
constexpr std::string_view kClearLine = "\x15";
/// Of a command that is named in an error, in bytes.
constexpr std::size_t kShown = 60;

std::string shown(std::string_view text) {
  if (text.size() <= kShown) return std::string(text);
  const auto cut = text.substr(0, kShown);
  return std::string(cut.substr(0, kShown - utf8::unfinished_tail(cut))) + "...";
}

Error busy_with(std::string_view command) {
  return Error(Errc::busy, "A command is running in this terminal: " + shown(command) +
                               ". An empty command waits for it, isInput types into it, C-c interrupts it");
}
Error busy_with_a_person() {
  return Error(Errc::busy,
               "A person types at the prompt of this terminal, or runs something there. C-c gives the line up");
}
Error no_integration() {
  return Error(Errc::no_integration, "The shell of this terminal does not tell where its commands begin and end");
}
Error shell_has_ended() {
  return Error(Errc::exited, "The shell of this terminal has ended");
}

}  // namespace

CommandRunner::CommandRunner(Terminal terminal, ShellKind kind, const std::filesystem::path& root)
    : terminal_(std::move(terminal)),
      kind_(kind),
      files_(terminal_.loop, terminal_.files, root),
      line_(files_.integration().nonce),
      silence_(terminal_.loop.make_timer()),
      prompt_(terminal_.loop.make_timer()) {}

// --- what is asked

void CommandRunner::execute(const Execute& asked, bool created, Answer answer) {
  Waiting waiting{asked, created, std::move(answer), terminal_.loop.make_timer()};
  if (waiting_.size() >= kMaxWaiting)
    return waiting.answer(Error(Errc::limit, "Too many requests: " + std::to_string(waiting_.size()) +
                                                 " wait for this terminal, at most " + std::to_string(kMaxWaiting) +
                                                 " may"));
  if (const auto sensible = makes_sense(asked); !sensible) return waiting.answer(sensible.error());
  if (const auto key = key_bytes(asked.command)) return type_key(std::move(waiting), *key);
  if (is_poll(asked)) return poll(std::move(waiting));
  if (asked.is_input) return type_input(std::move(waiting));
  run(std::move(waiting));
}

void CommandRunner::run(Waiting waiting) {
  if (const auto allowed = may_run(); !allowed) return waiting.answer(allowed.error());
  const auto token = random_hex(kTokenDigits);
  const auto text = waiting.asked.command;
  command_.emplace(Command{text, token, Stage::writing, terminal_.loop.clock().now()});
  wait(std::move(waiting), limits::kExecuteWait);
  files_.write_command(command_text(kind_, token, text), [weak = weak_from_this(), token](const Result<void>& written) {
    if (const auto self = weak.lock()) self->terminal_.safely([&] { self->on_written(token, written); });
  });
}

Result<void> CommandRunner::may_run() const {
  if (line_.state() == State::foreign) return no_integration();
  if (line_.state() == State::gone) return shell_has_ended();
  if (is_pending()) return busy_with(command_->text);
  if (line_.state() == State::touched) return busy_with_a_person();
  return {};
}

bool CommandRunner::is_pending() const {
  return command_ && command_->stage != Stage::ended && command_->stage != Stage::never_begun;
}

/// What has ended is told at once.
void CommandRunner::poll(Waiting waiting) {
  if (line_.state() == State::foreign) return waiting.answer(no_integration());
  const bool waits = command_ || line_.state() == State::starting;
  if (!waits) return waiting.answer(answer_to(waiting, CommandStatus::completed));
  wait(std::move(waiting), limits::kExecuteWait);
  answer_ended();
}

void CommandRunner::type_key(Waiting waiting, std::string_view bytes) {
  auto typed = line_.state() == State::gone ? shell_has_ended() : terminal_.type(bytes);
  if (!typed) return waiting.answer(typed.error());
  // What was typed before a signal is thrown away by the terminal, and so is the signal's own key.
  if (line_.state() == State::idle || !is_signal(bytes)) line_.on_others_typed();
  wait(std::move(waiting), limits::kInputWait);
}

void CommandRunner::type_input(Waiting waiting) {
  auto typed = may_type_input();
  if (typed) typed = keep_or_type(input_bytes(waiting.asked));
  if (!typed) return waiting.answer(typed.error());
  wait(std::move(waiting), limits::kInputWait);
}

Result<void> CommandRunner::may_type_input() const {
  if (line_.state() == State::gone) return shell_has_ended();
  if (line_.state() == State::touched) return busy_with_a_person();
  if (is_pending()) return {};
  return Error(Errc::not_running, "No command is running in this terminal that could read it");
}

/// The line editor would take for its own what comes before the command has begun.
Result<void> CommandRunner::keep_or_type(const std::string& bytes) {
  if (line_.state() != State::running) {
    if (command_->input.size() + bytes.size() > kMaxKept)
      return Error(Errc::limit, "The command has not begun, and at most " + std::to_string(kMaxKept) +
                                    " bytes of its input are kept until then");
    command_->input += bytes;
    return {};
  }
  const auto typed = terminal_.type(bytes);
  if (typed) line_.on_others_typed();
  return typed;
}

void CommandRunner::type_kept() {
  if (!is_pending() || line_.state() != State::running || command_->input.empty()) return;
  if (const auto typed = keep_or_type(std::exchange(command_->input, {})); !typed)
    answer_all([&typed](const Waiting&) { return typed.error(); });
}

void CommandRunner::wait(Waiting waiting, std::chrono::milliseconds otherwise) {
  const auto when = terminal_.loop.clock().now() + waiting.asked.timeout.time.value_or(otherwise);
  waiting_.push_back(std::move(waiting));
  const auto place = std::prev(waiting_.end());
  later(*place->timer, when, [this, place] { on_time_up(place); });
}

void CommandRunner::later(Timer& timer, TimePoint when, std::function<void()> work) {
  timer.wait_until(when, [weak = weak_from_this(), work = std::move(work)] {
    if (const auto self = weak.lock()) self->terminal_.safely(work);
  });
}

// --- what the shell tells

void CommandRunner::on_started() {
  later(*silence_, terminal_.loop.clock().now() + kStartPatience, [this] { on_silence(); });
}

void CommandRunner::on_silence() {
  line_.on_silence();
  if (line_.state() == State::foreign) drop(no_integration());
}

void CommandRunner::on_marker(const ShellMarker& marker) {
  const auto step = line_.on_marker(marker);
  if (line_.state() == State::idle) {
    prompt_at_ = terminal_.loop.clock().now();
    silence_->cancel();
  }
  if (!command_) return;
  if (step == Step::begun) command_->output = std::make_unique<CommandOutput>(terminal_.size());
  if (step == Step::never_begun) command_->stage = Stage::never_begun;
  if (step != Step::ended) return;
  ended_at_ = terminal_.loop.clock().now();
  command_->stage = Stage::ended;
  command_->status = line_.status();
}

void CommandRunner::on_drawn(const Token& token) {
  if (line_.state() == State::running && command_ && command_->output) command_->output->take(token);
}

void CommandRunner::on_turn() {
  answer_ended();
  answer_idle();
  type_command();
  type_kept();
}

void CommandRunner::on_ended(const ExitStatus& status) {
  silence_->cancel();
  files_.remove();
  const int code = status.code ? *status.code : 128 + status.signal.value_or(0);
  const bool has_run = line_.on_gone(code) == Step::ended;
  if (is_pending() && !has_run) return drop(shell_has_ended());
  if (is_pending()) {
    command_->stage = Stage::ended;
    command_->status = code;
  }
  answer_ended();
  answer_idle();
}

void CommandRunner::close(const Error& error) {
  silence_->cancel();
  files_.remove();
  line_.on_gone(line_.status());
  drop(error);
}

// --- typing

void CommandRunner::on_written(const std::string& token, const Result<void>& written) {
  if (!command_ || command_->token != token || command_->stage != Stage::writing) return;
  if (!written) return drop(written.error());
  command_->stage = Stage::written;
  type_command();
}

void CommandRunner::type_command() {
  if (!command_ || command_->stage != Stage::written) return;
  if (line_.state() == State::touched) return drop(busy_with_a_person());
  if (line_.state() == State::ending) look_for_prompt();
  if (!may_type()) return;
  auto line = std::string(typed_line(kind_));
  if (line_.may_hold_typing()) line.insert(0, kClearLine);
  if (const auto typed = terminal_.type(line); !typed) return drop(typed.error());
  command_->stage = Stage::typed;
  command_->begun_at = terminal_.loop.clock().now();
  line_.on_typed(command_->token);
}

/// A command may have put the hook away that tells the prompt; the next one puts it back. Then the line editor tells
/// it.
void CommandRunner::look_for_prompt() {
  const auto now = terminal_.loop.clock().now();
  const bool is_seen = now >= ended_at_ + kPromptPatience && !terminal_.is_canonical();
  if (is_seen || now >= ended_at_ + kUntoldPatience) return line_.on_prompt_seen();
  later(*prompt_, now + kPromptPatience, [this] { type_command(); });
}

/// Right behind the prompt's marker the line editor does not read yet: what is typed then is echoed twice. Some have no
/// line editor, so that is not waited for long. A line that was typed ahead is run first, and makes the terminal
/// canonical again.
bool CommandRunner::may_type() {
  if (line_.state() != State::idle) return false;
  const bool is_canonical = terminal_.is_canonical(), may_run_a_line = line_.may_hold_typing();
  has_editor_ = has_editor_ || !is_canonical;
  if (!is_canonical && !may_run_a_line) return true;
  const auto when = prompt_at_ + kPromptPatience;
  if (terminal_.loop.clock().now() < when) {
    later(*prompt_, when, [this] { type_command(); });
    return false;
  }
  if (!is_canonical || !may_run_a_line || !has_editor_) return true;
  line_.on_others_typed();
  drop(busy_with_a_person());
  return false;
}

}  // namespace ptyd
