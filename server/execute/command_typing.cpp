// Typing of a CommandRunner, and its time.
#include <algorithm>
#include <utility>

#include "server/execute/command_runner.hpp"
#include "server/execute/refused_commands.hpp"
#include "server/execute/typed_text.hpp"

namespace ptyd {

namespace {

/// Kills what stands on the line, in the line editor of every shell.
constexpr std::string_view kClearLine = "\x15";
/// The same where an answer that no program has read may have begun a search, as ESC P does in readline: C-g ends that.
constexpr std::string_view kEndSearchAndClearLine = "\a\x15";
constexpr std::string_view kInterrupt = "\x03", kEnter = "\r";

}  // namespace

// --- the prompt

void CommandRunner::on_others_typed() {
  line_.on_others_typed();
  given_up_at_.reset();
  is_touched_by_key_ = false;
}

/// Whether a C-c gave up the line at the prompt of a shell that may print no other prompt then. A `read` of the shell
/// itself has got that C-c as well.
bool CommandRunner::is_given_up() const {
  if (!keeps_prompt_on_interrupt(kind_) || line_.state() != State::touched || !given_up_at_) return false;
  const auto quiet_since = std::max(*given_up_at_, printed_at_);
  return shell_reads_keys() && terminal_.loop.clock().now() >= quiet_since + kLostPatience;
}

// --- keys and input

/// Whether a command waits. C-c gives that command up: it is not meant for the start files or the prompt.
bool CommandRunner::waits_to_be_typed() const {
  return command_ && (command_->stage == Stage::writing || command_->stage == Stage::written);
}

/// The prompt of a command that has just ended is no answer to a key, and what is typed before its line editor reads is
/// lost: a key is kept until then.
void CommandRunner::type_key(Waiting waiting) {
  if (key_bytes(waiting.asked, {}) == kInterrupt && waits_to_be_typed()) {
    drop(not_begun());
    if (line_.state() == State::starting) return waiting.answer(answer_to(waiting, CommandStatus::running, nullptr));
  }
  if (is_pending() || may_type_keys()) return type_key_now(std::move(waiting));
  waiting.until = terminal_.loop.clock().now() + kUntoldPatience;
  kept_keys_.push_back(std::move(waiting));
  type_kept_keys();
}

bool CommandRunner::may_type_keys() {
  if (line_.state() != State::idle) return line_.state() != State::ending;
  const bool is_canonical = terminal_.look.line_mode().canonical;
  has_editor_ = has_editor_ || !is_canonical;
  const auto patience = has_editor_ ? kUntoldPatience : kPromptPatience;
  return !is_canonical || terminal_.loop.clock().now() >= prompt_at_ + patience;
}

void CommandRunner::type_kept_keys() {
  if (kept_keys_.empty()) return;
  const auto now = terminal_.loop.clock().now();
  const auto& first = kept_keys_.front();
  if (may_type_keys() || now >= first.until) {
    for (auto& key : std::exchange(kept_keys_, {})) type_key_now(std::move(key));
    return;
  }
  later(*first.timer, std::min(now + kPromptPatience, first.until), [this] {
    type_kept_keys();
    type_command();
  });
}

void CommandRunner::refuse_kept_keys(const Error& error) {
  for (const auto& key : std::exchange(kept_keys_, {})) key.answer(error);
}

void CommandRunner::type_key_now(Waiting waiting) {
  const auto bytes = key_bytes(waiting.asked, terminal_.look.key_modes());
  const auto typed = line_.state() == State::gone ? shell_has_ended() : terminal_.type(bytes);
  if (!typed) return waiting.answer(typed.error());
  if (bytes == kInterrupt && line_.state() == State::running) since_interrupt_.emplace();
  const bool was_idle = line_.state() == State::idle;
  const bool was_given_up = given_up_at_.has_value();
  const bool is_of_keys = was_idle || (line_.state() == State::touched && is_touched_by_key_);
  // Input typed before a signal is thrown away by the terminal, and so is the signal's own key.
  if (was_idle || !is_signal(bytes)) on_others_typed();
  is_touched_by_key_ = is_of_keys;
  if (was_idle && is_pending()) begin_work_looks();
  // Enter on a line that was given up brings another one. Right behind a C-c fish does not tell its prompt.
  if (bytes == kInterrupt || (was_given_up && bytes == kEnter)) given_up_at_ = terminal_.loop.clock().now();
  waiting.is_typed = true;
  wait(std::move(waiting), limits::kInputWait);
}

void CommandRunner::type_input(Waiting waiting) {
  auto typed = may_type_input();
  if (typed) typed = keep_or_type(waiting);
  if (!typed) return waiting.answer(typed.error());
  wait(std::move(waiting), limits::kInputWait);
}

Result<void> CommandRunner::may_type_input() const {
  if (line_.state() == State::gone) return shell_has_ended();
  if (line_.state() == State::touched) return busy_with_a_person();
  if (is_pending() || line_.state() == State::foreign) return {};
  return Error(Errc::not_running, "No command is running in this terminal that could read it");
}

/// Keeps input until the command has begun: before that the line editor would take it.
Result<void> CommandRunner::keep_or_type(Waiting& waiting) {
  if (line_.state() != State::running && line_.state() != State::foreign) {
    const auto bytes = input_bytes(waiting.asked, false);
    if (command_->input.size() + bytes.size() > kMaxKept)
      return Error(Errc::limit, "The command has not begun, and at most " + std::to_string(kMaxKept) +
                                    " bytes of its input are kept until then");
    command_->input += bytes;
    return {};
  }
  waiting.is_typed = true;
  return type_into(input_bytes(waiting.asked, terminal_.look.takes_pastes()));
}

Result<void> CommandRunner::type_into(std::string_view bytes) {
  const auto typed = terminal_.type(bytes);
  if (typed) line_.on_others_typed();
  return typed;
}

void CommandRunner::type_kept() {
  if (!is_pending() || line_.state() != State::running || command_->input.empty()) return;
  if (const auto typed = type_into(std::exchange(command_->input, {})); !typed)
    return answer_all([&typed](const Waiting&) { return typed.error(); });
  for (auto& waiting : waiting_) waiting.is_typed = waiting.is_typed || waiting.asked.is_input;
}

// --- commands

void CommandRunner::on_written(const std::string& token, const Result<void>& written) {
  if (!command_ || command_->token != token || command_->stage != Stage::writing) return;
  if (!written) return drop(written.error());
  command_->stage = Stage::written;
  type_command();
}

void CommandRunner::type_command() {
  if (!command_ || command_->stage != Stage::written || !kept_keys_.empty()) return;
  if (line_.state() == State::touched) wait_for_touched();
  if (line_.state() == State::ending) look_for_prompt();
  if (!may_type()) return;
  auto line = std::string(typed_line(kind_));
  if (line_.may_hold_typing()) line.insert(0, kind_ == ShellKind::bash ? kEndSearchAndClearLine : kClearLine);
  if (const auto typed = terminal_.type(line); !typed) return drop(typed.error());
  command_->stage = Stage::typed;
  command_->begun_at = terminal_.loop.clock().now();
  line_.on_typed(command_->token);
  await_sign([this] { look_for_begin(); });
}

/// A program that took the place of the shell (exec) reads our line as its own input, and tells no begin.
void CommandRunner::look_for_begin() {
  if (line_.state() != State::typed || !command_) return;
  if (has_been_silent() && shell_reads_keys()) return on_silence();
  look_again_for_sign([this] { look_for_begin(); });
}

/// Waits for the prompt that a client's key may bring, longer while the shell works. A person's line is not waited for.
void CommandRunner::wait_for_touched() {
  const auto now = terminal_.loop.clock().now();
  if (is_given_up()) return line_.on_prompt_seen();
  const bool is_due = now >= work_look_at_ && (now >= command_->begun_at + kStartPatience || !has_worked());
  if (!is_touched_by_key_ || is_due) return drop(busy_with_a_person());
  if (now >= work_look_at_) work_look_at_ = now + kUntoldPatience;
  look_again(now + kPromptPatience);
}

/// A command may have put the hook away that tells the prompt; the next one puts it back. Then the line editor tells
/// it.
void CommandRunner::look_for_prompt() {
  const auto now = terminal_.loop.clock().now();
  const bool is_seen = now >= ended_at_ + kPromptPatience && !terminal_.look.line_mode().canonical;
  if (is_seen || now >= ended_at_ + kUntoldPatience) return line_.on_prompt_seen();
  look_again(now + kPromptPatience);
}

/// Right behind the prompt's marker the line editor does not read yet: what is typed then is echoed twice. Some have no
/// line editor, so that is not waited for long.
bool CommandRunner::may_type() {
  if (line_.state() != State::idle) return false;
  const bool is_canonical = terminal_.look.line_mode().canonical, may_run_a_line = line_.may_hold_typing();
  has_editor_ = has_editor_ || !is_canonical;
  if (!is_canonical && !may_run_a_line) return true;
  const auto now = terminal_.loop.clock().now();
  if (now < prompt_at_ + kPromptPatience) return look_again(prompt_at_ + kPromptPatience);
  if (!is_canonical || !may_run_a_line || !has_editor_) return true;
  return may_be_slow(now) ? look_again(now + kPromptPatience) : give_way();
}

/// A line that was typed ahead is run first, and makes the terminal canonical again. So is the terminal of a shell
/// whose line editor takes its time: then the shell is in front, as it is while it runs a line without a program.
bool CommandRunner::may_be_slow(TimePoint now) const {
  return terminal_.look.shell_is_in_front() && now < prompt_at_ + kUntoldPatience;
}

/// False: nothing is typed now.
bool CommandRunner::look_again(TimePoint when) {
  later(*prompt_, when, [this] { type_command(); });
  return false;
}

/// False: nothing is typed, since another client's line is run.
bool CommandRunner::give_way() {
  line_.on_others_typed();
  drop(busy_with_a_person());
  return false;
}

}  // namespace ptyd
