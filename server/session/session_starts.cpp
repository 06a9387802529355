// Launches of a session's child, and their outcomes.
#include <utility>

#include "server/session/command_shell.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/recording/mark_payload.hpp"
#include "server/session/session.hpp"

namespace ptyd {

void Session::start_over() {
  audience_.skip_to(recorder_.journal().head());
  recorder_.start_over();
}

void Session::start_for(Caller caller, const Open& asked, Finished finished) {
  if (const auto room = cells_.change(launch_config_.size_for(asked)); !room)
    return refuse(caller, room.error(), finished);
  // After a start that failed the recorder is as the next start needs it.
  if (is_blank()) {
    recorder_.begin_below();
  } else if (child_.state() != ChildState::failed) {
    start_over();
  }
  launch_config_.adopt(asked.cwd, asked.env, asked.cols, asked.rows);
  if (caller.viewer()) subscribe(caller.viewer());
  const auto is_answered = std::make_shared<bool>(false);
  runner_.reset();
  launch(launch_config_.shell(context_.settings()), MarkKind::started,
         [this, caller, is_answered, wish = HistoryWish{asked.history_format, asked.scrollback, asked.from_line},
          finished = std::move(finished)] {
           carry_out_safely(caller, [&] {
             if (!*is_answered) reply_in_place(caller, wish);
             audience_.pump(clock_.now());
           });
           finished();
         });
  // The child is starting, and its output comes in a later turn.
  *is_answered = goes_on(caller, asked);
}

void Session::start_for(Caller caller, const Execute& asked, const std::vector<Program>& shells, Finished finished) {
  if (const auto room = cells_.change(launch_config_.size_for(asked)); !room)
    return refuse(caller, room.error(), finished);
  recorder_.begin_below();
  launch_config_.adopt(asked, context_.settings());
  runner_ = make_runner({context_, child_, typing_, launch_config_, recorder_, backpressure_},
                        shell_kind(shells.front().path), [this](const std::function<void()>& work) { safely(work); });
  runner_->prepare([self = shared_from_this(), this, runner = runner_, caller = std::move(caller), asked, shells,
                    finished = std::move(finished)](const Result<void>& prepared) {
    if (is_gone() || child_.is_ending() || !prepared)
      return refuse(caller, !prepared ? prepared.error() : server_is_ending(), finished);
    const auto start = [&] {
      launch(launch_config_.shell_for_commands(context_.settings(), shells, runner->integration()), MarkKind::started,
             finished);
      runner->execute(asked, true, answer_of(caller));
    };
    if (!carry_out_safely(caller, start)) finished();
  });
}

void Session::launch(LaunchSpec spec, MarkKind announced_as, Finished finished) {
  recorder_.drop_unfinished();
  recorder_.resize(launch_config_.size);
  activity_.on_launch(launch_config_.env);
  recorder_.listen(program_ ? tap_of(program_) : tap_of(runner_));
  child_.launch(context_.delegate().next_launch(), context_.launcher(), std::move(spec),
                [self = shared_from_this(), announced_as, finished = std::move(finished)](const Child::Outcome& how) {
                  if (how) self->safely([&] { self->on_launched(*how, announced_as); });
                  finished();
                });
}

void Session::on_launched(const Result<void>& launched, MarkKind announced_as) {
  launch_config_.updated_at = clock_.unix_now();
  if (!launched) {
    context_.count_failed_start();
    if (program_ && program_->explains(launched.error())) return tell_end();
    if (!program_) announce(MarkKind::error, launched.error().detail());
    if (runner_) runner_->close(launched.error());
    return context_.delegate().on_ended(key(), child_.number(), Remains::text);
  }
  launch_config_.started_at = launch_config_.updated_at;
  context_.count_start();
  announce(announced_as, encode_payload(StartFacts{child_.pid().value_or(0), launch_config_.size, launch_config_.cwd}));
  activity_.on_started();
  child_.watch_readable();
  if (program_) program_->on_started();
  if (runner_) runner_->on_started();
  context_.expect_activity();
}

}  // namespace ptyd
