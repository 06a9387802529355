// The life of a session: the way of a Command into it, its close, and the end of its child.
#include "server/session/session.hpp"

#include <utility>
#include <variant>

#include <spdlog/spdlog.h>

#include "server/session/command_shell.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/recording/mark_payload.hpp"

namespace ptyd {

namespace {

/// A checkpoint has a file only where the journal has one: by the journal's lock Retention knows that both are in use.
Recorder made_recorder(SessionContext& context, const SessionKey& key, Journal journal) {
  const auto file = journal.in_memory() ? std::filesystem::path() : context.settings().store.checkpoint_of(key);
  return Recorder(std::move(journal), context.settings().recording, Checkpoint(file, context.saving(key)));
}

}  // namespace

Session::Session(SessionContext& context, const SessionKey& key, Journal journal, std::string name)
    : context_(context),
      clock_(context.loop().clock()),
      recorder_(made_recorder(context, key, std::move(journal))),
      parking_(std::make_shared<Parking>(
          context, recorder_, context.loading(key),
          Parking::Then{
              [this](std::size_t lines) {
                bool is_over = true;
                safely([&] {
                  is_over = child_.is_ending() || (recorder_.redraw({clock_, kTurnTime}) && recorder_.lay_out(lines));
                });
                return is_over;
              },
              [this] {
                safely([this, self = shared_from_this()] {
                  if (!recorder_.is_away()) static_cast<void>(recorder_.screen());
                  turn();
                  audience_.pump(clock_.now());
                });
              },
              [this](Parking::Waiting next) { carry_out_waiting(std::move(next)); }})),
      source_(key, recorder_.journal(), clock_),
      audience_(
          context.loop(), recorder_.journal(), source_,
          [this](Position behind, std::size_t lines, std::size_t bytes) -> std::optional<Repaint> {
            parking_->on_use();
            if (!recorder_.is_away()) return recorder_.repaint_from(behind, lines, bytes);
            parking_->bring_back();
            return std::nullopt;
          },
          context.settings().linger),
      child_(context.loop(), *this),
      backpressure_(context.loop(), [this] { safely([this] { turn(); }); }),
      activity_({[this](const Activity& now) { announce(MarkKind::activity, encode_payload(now)); },
                 [this](const Foreground& now) { tell_process(now); }}),
      cells_(context.delegate().cells()) {
  launch_config_.updated_at = clock_.unix_now();
  launch_config_.name = std::move(name);
  audience_.await_left_behind(clock_.now());
}

// --- commands

void Session::on_task_failed(std::string_view what) {
  if (std::exchange(failed_, true)) return;
  spdlog::error("a terminal is given up, and nothing else: {}", what);
  // All that wait for it are answered: it may be what its thread waits for.
  context_.queue([self = shared_from_this()] { self->close(); });
  context_.delegate().on_failed(key(), std::string(what));
}

bool Session::carry_out_safely(const Caller& caller, const std::function<void()>& work) {
  if (safely(work)) return true;
  const Error error =
      failed_ ? Error(Errc::internal, "The server could not go on with this terminal") : unknown_terminal(key());
  if (!caller.is_answered()) caller.reply(error);
  return false;
}

void Session::carry_out(Caller caller, const Request& request, Finished finished) {
  parking_->on_use();
  if (is_gone() || child_.is_ending() || request.row().screen == ScreenUse::none || !parking_->holds())
    return carry_out_now(std::move(caller), request, std::move(finished));
  // Commands that need the Screen keep their order here. The thread goes on, so that typing need not wait, unless a
  // child is to be started.
  const bool starts_a_child = !is_live() || std::holds_alternative<Restart>(request.command());
  const auto go_on = starts_a_child ? Finished() : std::exchange(finished, [] {});
  parking_->wait({std::move(caller), request, std::move(finished), !starts_a_child});
  if (go_on) go_on();
}

void Session::carry_out_waiting(Parking::Waiting next) {
  const bool refuses = is_gone() || child_.is_ending();
  // Its child has ended meanwhile, and another one is counted before it is started.
  if (next.is_left_behind && next.request.row().starts_now && !is_live() && !refuses)
    return context_.delegate().ask_again(next.caller, next.request);
  carry_out_now(std::move(next.caller), next.request, std::move(next.finished));
}

/// Whether `caller` may ask it of this session. Where it may, an agent keeps its program by that.
Result<void> Session::admit(const Caller& caller, const CommandRow& row) {
  const bool as_owner = caller.is_agent() && !row.is_agents_own;
  if (as_owner && (!program_ || !program_->is_of(caller) || program_->is_released())) return unknown_terminal(key());
  if (!program_) return {};
  const auto allowed = program_->allows(*row.on_program, caller);
  if (allowed && as_owner) program_->keep(caller);
  return allowed;
}

void Session::close() {
  backpressure_.release();
  if (runner_) runner_->close(terminal_was_closed());
  if (!failed_) safely([this] { keep_last_words(); });
  if (program_) program_->close(unknown_terminal(key()));
  child_.close();
  parking_->end(unknown_terminal(key()));
  audience_.clear();
  recorder_.close();
}

void Session::shut_down(std::function<void()> done) {
  if (runner_) runner_->close(server_is_ending());
  safely([this] {
    keep_last_words();
    if (child_.end()) tell_end();
  });
  if (program_) program_->close(server_is_ending());
  child_.shut_down(std::move(done));
}

// --- the child

void Session::on_exit(ExitStatus) {
  safely([this] { turn(); });
}

void Session::on_processes_gone() {
  safely([this] {
    if (program_) program_->on_processes_gone();
  });
}

void Session::tell_end() {
  // A listener that is told of the end may forget this session.
  const auto self = shared_from_this();
  launch_config_.updated_at = clock_.unix_now();
  backpressure_.release();
  activity_.on_ended();
  announce(MarkKind::exited, encode_payload(child_.exit()));
  context_.delegate().on_ended(key(), child_.number(), remains());
  if (runner_) runner_->on_ended(child_.exit());
  if (program_) program_->on_ended();
}

}  // namespace ptyd
