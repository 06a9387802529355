// The output and input of a session: turns, holding, and what is said about them.
#include <algorithm>
#include <string>

#include "server/session/recording/mark_payload.hpp"
#include "server/session/session.hpp"

namespace ptyd {

namespace {

// Warnings, so that no recorder takes its stream for whole where it is not.

Warning rest_is_lost() {
  return {"output-lost",
          "The terminal ended while a recorder was waited for: what was printed last is in no transcript"};
}

Warning end_is_lost() {
  return {"output-lost", "The program ended while a recorder was waited for: some of the output was not sent to it"};
}

/// Lossless viewers have not acked all that was forgotten since the journal was `held` for them.
bool is_lost(const Journal& journal, const Journal::Held& held) {
  return held.readers > 0 && held.from < journal.tail();
}

}  // namespace

// --- output

void Session::on_readable() {
  safely([this] { turn(); });
}

/// After the exit the kernel holds little, and no process can write more: it is read at once, however slow a viewer is.
/// Output that a lossless viewer would lose stays there until it has room; but an agent is told of the end of its
/// program, and room was left for that. Jobs that it left behind print at the pace of those that hear them.
void Session::turn() {
  while (auto* pty = child_.to_read()) {
    if (recorder_.is_away()) return parking_->bring_back();
    const bool gone = child_.is_gone() && child_.state() != ChildState::ended;
    const auto now = clock_.now();
    const auto most = kTurn + kRoomForMarks + kHeldByKernel;
    if (!(gone ? program_ || backpressure_.has_room(recorder_.journal(), audience_, most, now)
               : backpressure_.may_read(recorder_.journal(), audience_, most, now)))
      return;
    const auto held = gone ? recorder_.journal().held() : Journal::Held{};
    const auto budget = !gone && context_.others_wait() ? kSharedTurn : kTurn;
    auto turn = recorder_.take(*pty, budget, audience_.traits(), {clock_, kTurnTime});
    digest(turn);
    if (is_lost(recorder_.journal(), held)) say_end_is_lost();
    audience_.pump(clock_.now());
    if (const auto runner = runner_) runner->on_turn();
    if (turn.drained) break;
    if (!gone || turn.waits) return go_on_later();
  }
  if (!child_.to_read() && child_.end()) tell_end();
  if (child_.to_read()) child_.watch_readable();
}

/// Warns once, however much is lost.
void Session::say_end_is_lost() {
  if (!std::exchange(said_lost_, true))
    recorder_.mark(MarkKind::warning, clock_.unix_now(), encode_payload(end_is_lost()));
}

/// Leaves in the inbox what is not drawn when time is up: the next server finds it there.
void Session::take_rest() {
  auto* pty = child_.to_read();
  if (!pty) return;
  auto rest = recorder_.take_rest(*pty, kHeldByKernel, audience_.traits(), {clock_, kTurnTime});
  rest.answers.clear();
  digest(rest);
  audience_.pump(clock_.now());
}

/// Says what is missing where a lossless client has no room for it.
void Session::keep_last_words() {
  const auto rest = recorder_.journal().inbox().size() + kHeldByKernel;
  const bool is_lost = child_.to_read() && audience_.would_overrun_lossless(rest, clock_.now());
  if (is_lost) recorder_.mark(MarkKind::warning, clock_.unix_now(), encode_payload(rest_is_lost()));
  is_lost ? audience_.pump(clock_.now()) : take_rest();
}

/// After what already waits on this loop.
void Session::go_on_later() {
  if (std::exchange(turn_scheduled_, true)) return;
  context_.queue([self = shared_from_this()] {
    self->turn_scheduled_ = false;
    self->safely([&] { self->turn(); });
  });
}

void Session::digest(Recorder::Turn& turn) {
  const auto now = clock_.unix_now();
  context_.count_output(turn.bytes);
  if (turn.ended) child_.on_output_ended();
  if (turn.bytes > 0 || turn.kept > 0) {
    activity_.on_output(recorder_.journal().read(turn.begin, turn.kept).bytes, clock_.now());
    context_.expect_activity();
    parking_->on_use();
    if (program_) program_->on_output();
  }
  if (turn.title_changed) recorder_.mark(MarkKind::title, now, recorder_.title());
  for (const auto& write : turn.clipboard) audience_.give_to_clipboard(write.selections, write.base64);
  if (!turn.agent_event.empty()) activity_.on_agent_event(turn.agent_event);
  if (recorder_.journal().in_memory() && context_.settings().store.keeps() && !std::exchange(said_in_memory_, true))
    recorder_.mark(MarkKind::warning, now,
                   encode_payload(Warning{"history-in-memory",
                                          "The disk is full: this terminal's transcript is kept in memory only"}));
  if (turn.answers.empty() || child_.is_gone()) return;
  // A child that floods questions without reading answers loses answers, not keys.
  if (!child_.push(turn.answers)) return;
  typing_.flush();
  if (runner_) runner_->on_answered(turn.answers);
}

Parking::Rest Session::rest() {
  // A viewer that waits for a launch or for its place will be shown the Screen, and a child that is held will print.
  const auto& all = audience_.all();
  const bool in_use = child_.state() == ChildState::starting || backpressure_.holds() ||
                      (runner_ && runner_->is_waited_for()) ||
                      std::any_of(all.begin(), all.end(), [](const auto& each) { return !each->barriers.empty(); });
  auto how = Parking::Rest::settled;
  safely([&] { how = parking_->rest(in_use); });
  return how;
}

// --- input

void Session::on_writable() {
  safely([this] { typing_.flush(); });
}

// --- saying

/// Puts a mark that everybody is told of, subscribed or not.
void Session::announce(MarkKind kind, std::string_view payload) {
  const auto at = recorder_.mark(kind, clock_.unix_now(), payload);
  const auto slice = recorder_.journal().read(at, 1);
  if (auto encoded = slice.mark ? source_.broadcasts(*slice.mark) : nullptr)
    context_.delegate().broadcast(std::move(encoded));
  audience_.pump(clock_.now());
}

/// It is nothing that happened in the output: it has no place there, and lists tell it again.
void Session::tell_process(const Foreground& now) {
  context_.delegate().broadcast(make_broadcast(key(), clock_.unix_now(), process_of(now, launch_config_.cwd)));
}

void Session::poll(ProcessTree& processes, TimePoint now, std::uint64_t last_pid) {
  if (!child_.is_running() || child_.is_gone()) return;
  safely([&] {
    // A shell goes elsewhere without a new process.
    if (const auto seen = activity_.is_active(now) ? child_.foreground() : std::nullopt) activity_.on_foreground(*seen);
    if (!activity_.is_look_due(now, last_pid)) return;
    activity_.on_processes(processes.descendants(child_.pid().value()), now, last_pid);
  });
}

}  // namespace ptyd
