// The life of a session: open, restart, clear, close, and the end of its child.
#include "server/session/session.hpp"

#include <cassert>
#include <utility>
#include <variant>

#include <spdlog/spdlog.h>

#include "pty/process/environment.hpp"
#include "pty/screen/told/snapshot.hpp"
#include "server/session/mark_payload.hpp"

namespace ptyd {

namespace {

/// Told to an agent's terminal by whoever opens it; the reference's name.
constexpr std::string_view kCliKindVariable = "T3CODE_TERMINAL_CLI_KIND";

}  // namespace

Error unknown_terminal(const SessionKey& key) {
  return Error(Errc::not_found, "Unknown terminal thread: " + key.thread_id + ", terminal: " + key.terminal_id);
}

Error not_running(const SessionKey& key) {
  return Error(Errc::not_running,
               "Terminal is not running for thread: " + key.thread_id + ", terminal: " + key.terminal_id);
}

Error server_is_ending() {
  return Error(Errc::internal, "The server is ending");
}

namespace {

Size wanted_size(const Open& asked, Size now) {
  return {asked.cols.value_or(now.cols), asked.rows.value_or(now.rows)};
}

LaunchSpec shell_in(const Surroundings& surroundings, const HostSettings& settings) {
  return {settings.shells, surroundings.cwd,
          child_environment(settings.server_environment, surroundings.env, surroundings.cwd), surroundings.size};
}

void start_over(Recorder& recorder, Audience& audience) {
  audience.skip_to(recorder.journal().head());
  recorder.start_over();
}

template <ForProgram Asked>
void ask_program(ProgramRun* program, const Caller& caller, const Asked& asked) {
  if (!program || program->is_released()) return caller.reply(unknown_terminal(asked.key));
  program->keep(caller);
  program->on(caller, asked);
}

Session::Finished call_once(Session::Finished finished) {
  return [left = std::make_shared<Session::Finished>(std::move(finished))] {
    if (const auto call = std::exchange(*left, nullptr)) call();
  };
}

}  // namespace

Session::Session(Workplace& workplace, const SessionKey& key, Journal journal)
    : work_(workplace),
      clock_(workplace.loop().clock()),
      recorder_(std::move(journal), workplace.settings().recording, workplace.settings().store.checkpoint_of(key),
                workplace.saving(key)),
      parking_(std::make_shared<Parking>(workplace, recorder_, workplace.loading(key),
                                         Parking::Then{[this] {
                                                         safely([this, self = shared_from_this()] {
                                                           static_cast<void>(recorder_.screen());
                                                           turn();
                                                           audience_.pump(clock_.now());
                                                         });
                                                       },
                                                       [this](Parking::Waiting next) {
                                                         carry_out_now(std::move(next.caller), next.command,
                                                                       std::move(next.finished));
                                                       }})),
      source_(key, recorder_.journal(), clock_),
      audience_(
          recorder_.journal(), source_,
          [this](Position behind, std::size_t lines, std::size_t bytes) -> std::optional<std::string> {
            parking_->on_use();
            if (!recorder_.is_away()) return recorder_.repaint_from(behind, lines, bytes);
            parking_->bring_back();
            return std::nullopt;
          },
          workplace.settings().linger),
      child_(workplace.loop(), *this),
      brake_(workplace.loop(), [this] { safely([this] { turn(); }); }),
      cells_(workplace.neighbours().cells()) {
  surroundings_.updated_at = clock_.unix_now();
  audience_.await_left_behind(clock_.now());
}

// --- commands

void Session::on_task_failed(std::string_view what) {
  if (std::exchange(failed_, true)) return;
  spdlog::error("a terminal is given up, and nothing else: {}", what);
  work_.neighbours().on_failed(key(), std::string(what));
}

/// The caller is answered in any case.
template <class Work>
bool Session::carry_out_safely(const Caller& caller, Work&& work) {
  if (safely(std::forward<Work>(work))) return true;
  if (!caller.is_answered()) caller.reply(Error(Errc::internal, "The server could not go on with this terminal"));
  return false;
}

void Session::carry_out(Caller caller, const Command& command, Finished finished) {
  parking_->on_use();
  if (is_gone() || child_.is_ending() || !needs_screen(command) || !parking_->holds())
    return carry_out_now(std::move(caller), command, std::move(finished));
  // Nothing that needs the Screen overtakes it here, and what is typed must not wait: but for a new child.
  const bool starts_a_child = !is_live() || std::holds_alternative<Restart>(command);
  const auto go_on = starts_a_child ? Finished() : std::exchange(finished, [] {});
  parking_->wait({std::move(caller), command, std::move(finished)});
  if (go_on) go_on();
}

void Session::carry_out_now(Caller caller, const Command& command, Finished finished) {
  if (is_gone() || child_.is_ending()) {
    caller.reply(is_gone() ? unknown_terminal(key()) : server_is_ending());
    return finished();
  }
  if (const auto allowed = program_ ? program_->allows(command) : Result<void>(); !allowed) {
    caller.reply(allowed.error());
    return finished();
  }
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (requires { on(caller, asked, finished); }) {
          const auto once = call_once(std::move(finished));
          if (!carry_out_safely(caller, [&] { on(caller, asked, once); })) once();
        } else if constexpr (ForProgram<Asked>) {
          carry_out_safely(caller, [&] { ask_program(program_.get(), caller, asked); });
          finished();
        } else if constexpr (ForSession<Asked>) {
          carry_out_safely(caller, [&] { on(caller, asked); });
          finished();
        } else {
          assert(false && "not for a session");
        }
      },
      command);
}

void Session::on(Caller caller, const Open& asked, Finished finished) {
  if (const auto room = room_for(audience_, caller.viewer().get()); !room) {
    caller.reply(room.error());
    return finished();
  }
  if (!asked.attach && !is_live()) return start_for(std::move(caller), asked, std::move(finished));
  if (is_blank()) {
    caller.reply(unknown_terminal(key()));
  } else {
    attach(std::move(caller), asked);
  }
  finished();
}

void Session::start_for(Caller caller, const Open& asked, Finished finished) {
  if (const auto room = cells_.change(wanted_size(asked, surroundings_.size)); !room) {
    caller.reply(room.error());
    return finished();
  }
  if (is_blank()) {
    recorder_.begin_below();
  } else {
    start_over(recorder_, audience_);
  }
  surroundings_.adopt(asked.cwd, asked.env, asked.cols, asked.rows);
  auto* subscription = caller.viewer() ? &subscribe(caller.viewer()) : nullptr;
  if (subscription) subscription->suit(asked);
  const auto resumed = subscription ? audience_.still_here(asked.after) : std::nullopt;
  launch(shell_in(surroundings_, work_.settings()), MarkKind::started,
         [this, caller, resumed = resumed.has_value(), wish = HistoryWish{asked.history_format, asked.scrollback},
          finished = std::move(finished)] {
           carry_out_safely(caller, [&] {
             if (!resumed) reply_in_place(caller, wish);
             audience_.pump(clock_.now());
           });
           finished();
         });
  // It is starting now, and what it says comes in a later turn.
  if (!resumed) return;
  audience_.go_on(*subscription, *resumed);
  caller.reply(Reply(portrait().resumed(*resumed)));
}

void Session::attach(Caller caller, const Open& asked) {
  const Size size = wanted_size(asked, surroundings_.size);
  const bool resizes = !asked.attach && child_.is_running() && size != surroundings_.size;
  if (const auto room = resizes ? cells_.change(size) : Result<void>(); !room) return caller.reply(room.error());
  auto* subscription = caller.viewer() ? &subscribe(caller.viewer()) : nullptr;
  if (subscription) subscription->suit(asked);
  if (resizes) change_size(size);
  const auto resumed = subscription ? audience_.still_here(asked.after) : std::nullopt;
  if (resumed) {
    audience_.go_on(*subscription, *resumed);
    caller.reply(Reply(portrait().resumed(*resumed)));
  } else {
    reply_in_place(std::move(caller), {asked.history_format, asked.scrollback});
  }
  audience_.pump(clock_.now());
}

void Session::on(Caller caller, const Restart& asked, Finished finished) {
  const auto heard = room_for(audience_, caller.viewer().get());
  if (const auto room = heard ? cells_.change(asked.size) : heard; !room) {
    caller.reply(room.error());
    return finished();
  }
  if (auto* pty = child_.to_read()) {
    auto last = recorder_.take(*pty, kTurn, audience_.traits(), {clock_, kTurnTime});
    last.answers.clear();
    digest(last);
    audience_.pump(clock_.now());
  }
  brake_.release();
  // At once: what it still has to tell must reach neither the next child's session nor nobody's.
  child_.discard();
  start_over(recorder_, audience_);
  surroundings_.adopt(asked.cwd, asked.env, asked.size.cols, asked.size.rows);
  if (caller.viewer()) subscribe(caller.viewer());
  launch(shell_in(surroundings_, work_.settings()), MarkKind::restarted,
         [this, caller = std::move(caller), finished = std::move(finished)] {
           carry_out_safely(caller, [&] {
             reply_in_place(caller, {});
             audience_.pump(clock_.now());
           });
           finished();
         });
}

/// In a terminal that was made for it. Nothing is left of one that could not be used.
void Session::on(Caller caller, const Run& asked, Finished finished) {
  if (!is_blank() || !recorder_.is_blank()) {
    caller.reply(Error(Errc::busy, "There is a terminal of this name already"));
    return finished();
  }
  surroundings_.adopt(asked.cwd, {}, asked.size.cols, asked.size.rows);
  surroundings_.command_line = command_line_of(asked.command, asked.args);
  surroundings_.takes_input = asked.takes_input;
  program_ =
      std::make_shared<ProgramRun>(ProgramRun::Terminal{work_, key(), child_, recorder_, audience_,
                                                        [this](const std::function<void()>& work) { safely(work); }},
                                   asked);
  if (const auto room = cells_.change(asked.size); !room) {
    program_->refuse(room.error());
    caller.reply(room.error());
    return finished();
  }
  program_->keep(caller);
  launch(launch_spec(work_.settings().server_environment, asked), MarkKind::started,
         [this, caller = std::move(caller), finished = std::move(finished)] {
           carry_out_safely(caller, [&] { caller.reply(program_->started()); });
           finished();
         });
}

/// At once, whoever hears what.
void Session::on(const Caller& caller, const TakeSnapshot& asked) {
  caller.reply(Reply(portrait().screen(asked)));
}

void Session::on(const Caller& caller, const Clear&) {
  const auto preamble = child_.is_running() ? mode_preamble(recorder_.screen()) : std::string();
  audience_.skip_to(recorder_.journal().head());
  recorder_.clear();
  surroundings_.updated_at = clock_.unix_now();
  activity_.on_clear();
  announce(MarkKind::cleared, preamble);
  caller.reply(Reply(Done{}));
}

void Session::close() {
  brake_.release();
  if (program_) program_->close(unknown_terminal(key()));
  child_.close();
  parking_->end(unknown_terminal(key()));
  audience_.clear();
}

void Session::shut_down(std::function<void()> done) {
  if (program_) program_->close(server_is_ending());
  child_.shut_down(std::move(done));
}

// --- the child

void Session::launch(LaunchSpec spec, MarkKind announced_as, Finished finished) {
  recorder_.drop_unfinished();
  recorder_.resize(surroundings_.size);
  activity_.reset(value_of(surroundings_.env, kCliKindVariable));
  child_.launch(work_.neighbours().next_launch(), work_.launcher(), std::move(spec),
                [self = shared_from_this(), announced_as, finished = std::move(finished)](const Child::Outcome& how) {
                  if (how) self->safely([&] { self->on_launched(*how, announced_as); });
                  finished();
                });
}

void Session::on_launched(const Result<void>& launched, MarkKind announced_as) {
  surroundings_.updated_at = clock_.unix_now();
  if (!launched) {
    if (program_ && program_->explains(launched.error())) return tell_end();
    if (!program_) announce(MarkKind::error, launched.error().detail());
    return work_.neighbours().on_ended(key(), child_.number());
  }
  work_.count_start();
  announce(announced_as, encode_payload(StartFacts{child_.pid().value_or(0), surroundings_.size, surroundings_.cwd}));
  if (!activity_of(activity_).cli_kind.empty()) announce_activity(true);
  child_.watch_readable();
  if (program_) program_->on_started();
  work_.expect_activity();
}

void Session::on_exit(ExitStatus) {
  safely([this] { turn(); });
}

void Session::tell_end() {
  // Whoever is told of the end may forget this session.
  const auto self = shared_from_this();
  surroundings_.updated_at = clock_.unix_now();
  brake_.release();
  activity_.reset({});
  announce(MarkKind::exited, encode_payload(child_.exit()));
  work_.neighbours().on_ended(key(), child_.number());
  if (program_) program_->on_ended();
}

}  // namespace ptyd
