#include "server/execute/command_runner.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "server/execute/refused_commands.hpp"
#include "server/execute/typed_text.hpp"

namespace ptyd {

namespace {

/// Bytes that tell the echo of C-c from anything else.
constexpr std::size_t kEnough = 8;

}  // namespace

CommandRunner::CommandRunner(Terminal terminal, ShellKind kind, const std::filesystem::path& root, std::string theirs)
    : terminal_(std::move(terminal)),
      kind_(kind),
      files_(terminal_.loop, terminal_.files, root, std::move(theirs)),
      line_(files_.integration().nonce),
      silence_(terminal_.loop.make_timer()),
      prompt_(terminal_.loop.make_timer()) {}

void CommandRunner::prepare(CommandFiles::Done done) {
  is_preparing_ = true;
  files_.make(kind_, [weak = weak_from_this(), done = std::move(done)](const Result<void>& made) {
    if (const auto self = weak.lock()) self->is_preparing_ = false;
    done(made);
  });
}

// --- what is asked

void CommandRunner::execute(const Execute& asked, bool created, Answer answer) {
  forget_given_up();
  Waiting waiting{asked, created, std::move(answer), terminal_.loop.make_timer()};
  if (const auto waits = waiting_.size() + kept_keys_.size(); waits >= kMaxWaiting)
    return waiting.answer(Error(Errc::limit, "Too many requests: " + std::to_string(waits) +
                                                 " wait for this terminal, at most " + std::to_string(kMaxWaiting) +
                                                 " may"));
  if (const auto sensible = makes_sense(asked); !sensible) return waiting.answer(sensible.error());
  if (is_key(asked)) return type_key(std::move(waiting));
  if (is_poll(asked)) return poll(std::move(waiting));
  if (asked.is_input) return type_input(std::move(waiting));
  run(std::move(waiting));
}

void CommandRunner::run(Waiting waiting) {
  if (const auto allowed = may_run(); !allowed) return waiting.answer(allowed.error());
  if (is_pending()) lose();
  if (is_given_up()) line_.on_prompt_seen();
  const auto token = random_hex(kTokenDigits);
  const auto text = waiting.asked.command;
  command_.emplace(Command{text, token, Stage::writing, terminal_.loop.clock().now()});
  if (line_.state() == State::touched) begin_work_looks();
  wait(std::move(waiting), limits::kExecuteWait);
  files_.write_command(command_text(kind_, token, text), [weak = weak_from_this(), token](const Result<void>& written) {
    if (const auto self = weak.lock()) self->terminal_.safely([&] { self->on_written(token, written); });
  });
}

void CommandRunner::begin_work_looks() {
  work_look_at_ = terminal_.loop.clock().now() + kUntoldPatience;
  has_worked();
}

Result<void> CommandRunner::may_run() const {
  if (line_.state() == State::foreign) return no_integration();
  if (line_.state() == State::gone) return shell_has_ended();
  if (is_pending() && !is_lost()) return busy_with(command_->text);
  if (line_.state() == State::touched && !is_touched_by_key_ && !is_given_up()) return busy_with_a_person();
  return {};
}

bool CommandRunner::is_pending() const {
  return command_ && is_pending(*command_);
}
bool CommandRunner::is_pending(const Command& command) {
  return command.stage != Stage::ended && command.stage != Stage::never_begun;
}

/// Tells at once what has ended.
void CommandRunner::poll(Waiting waiting) {
  if (line_.state() == State::foreign) {
    waiting.is_typed = true;  // no end is told there
    return wait(std::move(waiting), limits::kInputWait);
  }
  const bool waits = command_ || line_.state() == State::starting;
  if (!waits) return waiting.answer(answer_to(waiting, CommandStatus::completed, nullptr));
  wait(std::move(waiting), limits::kExecuteWait);
  answer_ended();
}

void CommandRunner::wait(Waiting waiting, std::chrono::milliseconds otherwise) {
  waiting.until = terminal_.loop.clock().now() + waiting.asked.timeout.time.value_or(otherwise);
  if (command_) waiting.token = command_->token;
  waiting_.push_back(std::move(waiting));
  const auto place = std::prev(waiting_.end());
  arm(place, place->until);
}

void CommandRunner::arm(Place place, TimePoint when) {
  later(*place->timer, when, [this, place] { on_due(place); });
}

/// The timer is not set anew by everything that is printed: in a flood it would never ring.
void CommandRunner::on_due(Place place) {
  const auto now = terminal_.loop.clock().now();
  const auto quiet_at = std::min(place->until, printed_at_ + kQuiet);
  if (place->is_heard && now < quiet_at) return arm(place, quiet_at);
  on_time_up(place);
}

void CommandRunner::later(Timer& timer, TimePoint when, std::function<void()> work) {
  timer.wait_until(when, [weak = weak_from_this(), work = std::move(work)] {
    if (const auto self = weak.lock()) self->terminal_.safely(work);
  });
}

// --- commands that tell no end

/// Whether the shell itself has the keyboard, as at its prompt.
bool CommandRunner::shell_reads_keys() const {
  const bool reads_keys = !has_editor_ || !terminal_.look.line_mode().canonical;
  return reads_keys && terminal_.look.shell_is_in_front();
}
bool CommandRunner::looks_idle() const {
  return line_.state() == State::running && shell_reads_keys();
}

/// A command may have put away what tells its end. `read` looks the same: before a C-c that brought something about,
/// nothing is typed into it.
bool CommandRunner::is_lost() const {
  const bool was_interrupted = since_interrupt_ && !since_interrupt_->empty() && *since_interrupt_ != "^C";
  return was_interrupted && !lost_ && looks_idle() && terminal_.loop.clock().now() >= printed_at_ + kLostPatience;
}

/// The begin of the next one tells its code.
void CommandRunner::lose() {
  lost_ = std::move(command_);
  line_.on_prompt_seen();
}

// --- what the shell tells

void CommandRunner::on_started() {
  untold_ = std::make_unique<CommandOutput>(terminal_.size());
  await_sign([this] { look_at_start(); });
}

/// Whether the shell has worked since the last call.
bool CommandRunner::has_worked() {
  const auto used = terminal_.look.time_used();
  return used >= std::exchange(time_used_, used) + kWork;
}

void CommandRunner::look_at_start() {
  if (has_been_silent()) return on_silence();
  look_again_for_sign([this] { look_at_start(); });
}

/// The shell is to tell something from now on.
void CommandRunner::await_sign(std::function<void()> look) {
  silent_since_ = terminal_.loop.clock().now();
  time_used_ = terminal_.look.time_used();
  look_again_for_sign(std::move(look));
}

void CommandRunner::look_again_for_sign(std::function<void()> look) {
  later(*silence_, terminal_.loop.clock().now() + kWorkLook, std::move(look));
}

/// Too long for a shell of ours. While what it prints is not read, it may have told all there is.
bool CommandRunner::has_been_silent() {
  const auto now = terminal_.loop.clock().now();
  if (!terminal_.look.is_read()) silent_since_ = now;
  return now >= silent_since_ + (has_worked() ? kWorkPatience : kStartPatience);
}

void CommandRunner::on_silence() {
  line_.on_silence();
  if (line_.state() != State::foreign) return;
  if (!untold_) untold_ = std::make_unique<CommandOutput>(terminal_.size());
  drop(no_integration());
}

void CommandRunner::on_marker(const ShellMarker& marker) {
  const auto step = line_.on_marker(marker);
  if (line_.state() == State::idle) {
    prompt_at_ = terminal_.loop.clock().now();
    silence_->cancel();
    untold_.reset();
  }
  if (!command_) return;
  if (step == Step::begun) begin(marker.status);
  if (step == Step::never_begun) command_->stage = Stage::never_begun;
  if (step != Step::ended) return;
  ended_at_ = terminal_.loop.clock().now();
  end(*command_, line_.status());
}

void CommandRunner::begin(int status_before) {
  command_->output = std::make_unique<CommandOutput>(terminal_.size());
  since_interrupt_.reset();
  if (lost_) end(*lost_, status_before);
}

void CommandRunner::end(Command& command, int status) {
  command.stage = Stage::ended;
  command.status = status;
}

void CommandRunner::on_drawn(const Token& token) {
  has_printed_ = true;
  if (since_interrupt_ && since_interrupt_->size() < kEnough) since_interrupt_->append(token.bytes.substr(0, kEnough));
  if (untold_) untold_->take(token);
  if (line_.state() == State::running && command_ && command_->output) command_->output->take(token);
}

void CommandRunner::on_turn() {
  if (std::exchange(has_printed_, false)) note_printed();
  answer_ended();
  answer_idle();
  type_kept_keys();
  type_command();
  type_kept();
}

void CommandRunner::note_printed() {
  printed_at_ = terminal_.loop.clock().now();
  for (auto place = waiting_.begin(); place != waiting_.end(); ++place)
    if (place->is_typed && !std::exchange(place->is_heard, true))
      arm(place, std::min(place->until, printed_at_ + kQuiet));
}

void CommandRunner::on_ended(const ExitStatus& status) {
  silence_->cancel();
  files_.remove();
  const int code = status.code ? *status.code : 128 + status.signal.value_or(0);
  const bool has_run = line_.on_gone(code) == Step::ended;
  refuse_kept_keys(shell_has_ended());
  if (lost_) end(*lost_, code);
  if (is_pending() && !has_run) {
    answer_lost();
    return drop(shell_has_ended());
  }
  if (is_pending()) end(*command_, code);
  answer_ended();
  answer_idle();
}

void CommandRunner::close(const Error& error) {
  silence_->cancel();
  files_.remove();
  line_.on_gone(line_.status());
  refuse_kept_keys(error);
  drop(error);
}

}  // namespace ptyd
