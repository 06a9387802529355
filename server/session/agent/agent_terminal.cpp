#include "server/session/agent/agent_terminal.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "pty/process/command_line.hpp"
#include "pty/process/environment.hpp"
#include "server/session/context/refusals.hpp"

namespace ptyd {

namespace {

/// Cells that are kept for each byte of text: all but the blanks at the ends of lines give one or more.
constexpr std::size_t kCellsPerByte = 2;

/// A line of text takes a byte at least.
DrawnOutput::Room room_for(const OutputLimit& limit) {
  const auto most = static_cast<std::size_t>(limit.most());
  return {most, kCellsPerByte * most};
}

void answer_all(std::vector<Caller>& waiting, const Result<Reply>& reply) {
  for (const auto& caller : std::exchange(waiting, {}))
    if (!caller.is_answered()) caller.reply(reply);
}

}  // namespace

LaunchSpec launch_spec(const Environment& server, const Run& asked) {
  LaunchSpec spec{programs_for(asked.command, asked.args), asked.cwd, agent_environment(server, asked.env, asked.cwd),
                  asked.size};
  spec.null_input = !asked.takes_input;
  return spec;
}

AgentTerminal::AgentTerminal(Terminal terminal, const Caller& caller, const Run& asked)
    : terminal_(std::move(terminal)),
      limit_(std::min<std::uint64_t>(asked.output_limit, limits::kMaxOutputLimit)),
      output_(asked.size, room_for(limit_)),
      credential_(caller.viewer() ? caller.viewer()->credential() : std::string()),
      takes_input_(asked.takes_input),
      raw_output_(asked.raw_output),
      dialled_in_(asked.dialled_in),
      command_(asked.command),
      linger_(terminal_.context.loop().make_timer()),
      patience_(terminal_.context.loop().make_timer()),
      expiry_(terminal_.context.loop().make_timer()) {}

// --- its owners

void AgentTerminal::keep(const Caller& caller) {
  const auto& viewer = caller.viewer();
  if (!viewer || !is_noticed(viewer->access()) || released_ || owners_.contains(viewer)) return;
  linger_->cancel();
  auto told = [&loop = terminal_.context.loop(), weak = weak_from_this(), owner = Owner(viewer)] {
    loop.dispatch([weak, owner] {
      if (const auto self = weak.lock()) self->terminal_.safely([&] { self->left(owner); });
    });
  };
  const auto kept = std::make_shared<const DisconnectCallbacks::Callback>(std::move(told));
  owners_[viewer] = kept;
  terminal_.context.delegate().when_gone(viewer, kept);
}

void AgentTerminal::left(const Owner& viewer) {
  owners_.erase(viewer);
  if (!owners_.empty() || released_) return;
  later(*linger_, terminal_.context.settings().agent_linger, &AgentTerminal::release);
}

void AgentTerminal::later(Timer& timer, std::chrono::milliseconds time, void (AgentTerminal::*what)()) {
  const auto when = terminal_.context.loop().clock().now() + time;
  timer.wait_until(when, [this, what] { terminal_.safely([this, what] { (this->*what)(); }); });
}

// --- its life

bool AgentTerminal::has_ended() const {
  return terminal_.child.state() == ChildState::ended;
}

/// With all that it started.
bool AgentTerminal::is_over() const {
  return has_ended() && !terminal_.child.has_processes();
}

Remains AgentTerminal::remains() const {
  if (departed_) return Remains::text_for_people;
  return terminal_.child.has_processes() ? Remains::jobs : Remains::text;
}

/// Again, where the end was told before.
void AgentTerminal::tell_remains() const {
  terminal_.context.delegate().on_ended(terminal_.key, terminal_.child.number(), remains());
}

void AgentTerminal::on_output() {
  if (output_.has_overflowed()) limit_.lose();
}

bool AgentTerminal::explains(const Error& error) {
  const auto failure = launch_failure(error, command_);
  command_ = {};
  if (!failure) {
    refuse(error);
    return false;
  }
  terminal_.recorder.say(failure->sentence + "\r\n");
  output_.say(failure->sentence + "\r\n");
  terminal_.child.end_unstarted({failure->exit_code, std::nullopt});
  return true;
}

Result<Reply> AgentTerminal::started() const {
  if (refused_) return *refused_;
  return Reply(Done{});
}

void AgentTerminal::on_started() {
  command_ = {};
  if (killed_) terminal_.child.hang_up();
}

/// With all that it has left behind, also when it has ended.
void AgentTerminal::end() {
  killed_ = true;
  terminal_.child.hang_up();
  if (is_over() || std::exchange(patient_, true)) return;
  later(*patience_, Child::kShutdownWait, &AgentTerminal::give_up_waiting);
}

void AgentTerminal::give_up_waiting() {
  spdlog::warn("an agent's program did not end in time: process {}", terminal_.child.pid().value_or(0));
  patient_ = false;
  if (released_) return depart();
  answer_all(killing_, Reply(Done{}));
}

void AgentTerminal::on_ended() {
  answer_all(awaiting_, Reply(ProgramExit{terminal_.child.exit()}));
  if (!released_) later(*expiry_, kUnreleased, &AgentTerminal::expire);
  if (is_over()) finish();
}

void AgentTerminal::on_processes_gone() {
  if (!is_over()) return;
  tell_remains();
  finish();
}

/// Nothing is left to be ended.
void AgentTerminal::finish() {
  patience_->cancel();
  patient_ = false;
  answer_all(killing_, Reply(Done{}));
  if (released_) depart();
}

void AgentTerminal::expire() {
  if (is_over()) return release();
  later(*expiry_, kUnreleased, &AgentTerminal::expire);
}

void AgentTerminal::refuse(const Error& error) {
  refused_ = error;
  released_ = true;
  departed_ = true;
  leave_list();
}

void AgentTerminal::release() {
  if (std::exchange(released_, true)) return;
  linger_->cancel();
  expiry_->cancel();
  end();
  if (is_over()) depart();
}

/// An agent that hears its own program does not look at it afterwards; those that may only view keep no terminal.
bool AgentTerminal::is_watched_by_people() const {
  const auto& all = terminal_.audience.all();
  return std::any_of(all.begin(), all.end(),
                     [this](const auto& each) { return each->is_noticed() && !owners_.contains(each->viewer); });
}

/// People alone are interested in it from now on.
void AgentTerminal::depart() {
  if (std::exchange(departed_, true)) return;
  is_gone_ = !pinned_ && !is_watched_by_people();
  answer_all(awaiting_, Error(Errc::internal, "The program did not end in time"));
  answer_all(killing_, Reply(Done{}));
  answer_all(releasing_, Reply(Done{}));
  owners_.clear();
  if (is_gone_) return leave_list();
  if (has_ended()) tell_remains();
  later(*expiry_, kKeptForPeople, &AgentTerminal::leave_list);
}

void AgentTerminal::leave_list() {
  is_gone_ = true;
  terminal_.context.delegate().on_released(terminal_.key);
}

void AgentTerminal::close(const Error& error) {
  refused_ = error;
  released_ = true;
  departed_ = true;
  for (auto* timer : {linger_.get(), patience_.get(), expiry_.get()}) timer->cancel();
  owners_.clear();
  answer_all(awaiting_, error);
  answer_all(killing_, error);
  answer_all(releasing_, error);
}

}  // namespace ptyd
