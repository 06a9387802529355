// The life of a session: open, restart, clear, close, and the end of its child.
#include "server/session/session.hpp"

#include <cassert>

#include <spdlog/spdlog.h>

#include "pty/journal/history.hpp"
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

namespace {

Session::Finished call_once(Session::Finished finished) {
  return [left = std::make_shared<Session::Finished>(std::move(finished))] {
    if (const auto call = std::exchange(*left, nullptr)) call();
  };
}

}  // namespace

Session::Session(Workplace& workplace, const SessionKey& key, Journal journal)
    : work_(workplace),
      recorder_(std::move(journal), workplace.settings().recording, workplace.settings().store.checkpoint_of(key)),
      source_(key, recorder_.journal()),
      audience_(recorder_.journal(), source_, [this](Position behind) { return resync_text(behind); }),
      child_(workplace.loop().context().get_executor(), *this),
      hold_timer_(workplace.loop().context()),
      updated_at_(unix_now()) {}

Session::~Session() {
  recorder_.journal().close_in_order();
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
  if (is_closed()) {
    caller.reply(unknown_terminal(key()));
    return finished();
  }
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (requires { on(caller, asked, finished); }) {
          const auto once = call_once(std::move(finished));
          if (!carry_out_safely(caller, [&] { on(caller, asked, once); })) once();
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
  if (!asked.attach && !is_live()) return start_for(std::move(caller), asked, std::move(finished));
  if (is_blank()) {
    caller.reply(unknown_terminal(key()));
  } else {
    attach(std::move(caller), asked);
  }
  finished();
}

void Session::start_for(Caller caller, const Open& asked, Finished finished) {
  if (!is_blank()) forget_history();
  say_reset_below_transcript();
  adopt(asked.cwd, asked.env, asked.cols, asked.rows);
  std::optional<Position> resumed;
  if (caller.viewer()) {
    auto& subscription = subscribe(caller.viewer(), asked);
    resumed = audience_.still_here(asked.after);
    if (resumed) go_on(subscription, *resumed, caller);
  }
  launch(MarkKind::started,
         [this, caller = std::move(caller), resumed = resumed.has_value(),
          wish = HistoryWish{asked.history_format, asked.scrollback}, finished = std::move(finished)] {
           carry_out_safely(caller, [&] {
             if (!resumed) reply_in_place(caller, wish);
             pump();
           });
           finished();
         });
}

void Session::attach(Caller caller, const Open& asked) {
  auto* subscription = caller.viewer() ? &subscribe(caller.viewer(), asked) : nullptr;
  const Size size{asked.cols.value_or(size_.cols), asked.rows.value_or(size_.rows)};
  if (!asked.attach && is_running() && size != size_) change_size(size);
  const auto resumed = subscription ? audience_.still_here(asked.after) : std::nullopt;
  if (resumed) {
    go_on(*subscription, *resumed, caller);
  } else {
    reply_in_place(std::move(caller), {asked.history_format, asked.scrollback});
  }
  pump();
}

void Session::on(Caller caller, const Restart& asked, Finished finished) {
  if (auto* pty = child_.to_read()) {
    auto last = recorder_.take(*pty, kTurn, audience_.traits());
    last.answers.clear();
    digest(last);
    pump();
  }
  discard_child();
  forget_history();
  adopt(asked.cwd, asked.env, asked.size.cols, asked.size.rows);
  if (caller.viewer()) subscribe(caller.viewer());
  launch(MarkKind::restarted, [this, caller = std::move(caller), finished = std::move(finished)] {
    carry_out_safely(caller, [&] {
      reply_in_place(caller, {});
      pump();
    });
    finished();
  });
}

void Session::on(const Caller& caller, const Clear&) {
  const auto kept = recorder_.journal().head();
  const auto preamble = is_running() ? mode_preamble(recorder_.screen()) : std::string();
  recorder_.clear();
  audience_.skip_to(kept);
  updated_at_ = unix_now();
  activity_.on_clear();
  announce(MarkKind::cleared, preamble);
  caller.reply(Reply(Done{}));
}

void Session::close() {
  hold_timer_.cancel();
  child_.close();
  audience_.clear();
}

// --- the child

void Session::adopt(std::string cwd, const Environment& env, std::optional<std::uint16_t> cols,
                    std::optional<std::uint16_t> rows) {
  cwd_ = std::move(cwd);
  env_ = env;
  size_ = {cols.value_or(size_.cols), rows.value_or(size_.rows)};
}

void Session::launch(MarkKind announced_as, Finished finished) {
  held_ = false;
  recorder_.drop_unfinished();
  recorder_.resize(size_);
  activity_.reset(value_of(env_, kCliKindVariable));
  const auto& settings = work_.settings();
  LaunchSpec spec{settings.shells, cwd_, child_environment(settings.server_environment, env_, cwd_), size_};
  child_.launch(work_.launcher(), std::move(spec),
                [self = shared_from_this(), announced_as, finished = std::move(finished)](const Child::Outcome& how) {
                  if (how) self->safely([&] { self->on_launched(*how, announced_as); });
                  finished();
                });
}

void Session::on_launched(const Result<void>& launched, MarkKind announced_as) {
  updated_at_ = unix_now();
  if (!launched) {
    announce(MarkKind::error, launched.error().detail());
    return work_.neighbours().on_ended(key());
  }
  work_.count_start();
  announce(announced_as, encode_payload(StartFacts{child_.pid().value_or(0), size_, cwd_}));
  if (!activity().cli_kind.empty()) announce_activity(true);
  child_.watch_readable();
  work_.expect_activity();
}

/// The child ends without anything more being said of it. Never from inside one of its own calls.
void Session::discard_child() {
  hold_timer_.cancel();
  // At once: what it still has to tell must reach neither the next child's session nor nobody's.
  child_.discard();
}

void Session::forget_history() {
  const auto position = recorder_.journal().head();
  recorder_.start_over();
  audience_.skip_to(position);
}

/// A transcript of an earlier life may have left any mode behind; the new shell starts on a line of its own.
void Session::say_reset_below_transcript() {
  const auto& journal = recorder_.journal();
  if (!is_blank() || journal.head() == journal.tail()) return;
  const auto last = journal.read(journal.head() - 1, 1);
  recorder_.say(mode_reset_sequence());
  if (last.bytes != "\n") recorder_.say("\r\n");
}

void Session::on_exit(ExitStatus) {
  safely([this] { drain(); });
}

/// After the exit: what the kernel still holds is little, and nobody can write more. It is read at once, whoever is
/// slow.
void Session::drain() {
  while (auto* pty = child_.to_read()) {
    auto turn = recorder_.take(*pty, kTurn, audience_.traits());
    digest(turn);
    if (turn.drained) break;
  }
  pump();
  if (child_.to_read()) return child_.watch_readable();
  finish_when_all_is_read();
}

void Session::finish_when_all_is_read() {
  if (!child_.end()) return;
  // Whoever is told of the end may forget this session.
  const auto self = shared_from_this();
  updated_at_ = unix_now();
  hold_timer_.cancel();
  activity_.reset({});
  announce(MarkKind::exited, encode_payload(child_.exit()));
  work_.neighbours().on_ended(key());
}

// --- what it looks like

Snapshot Session::facts() const {
  Snapshot snapshot;
  snapshot.key = key();
  snapshot.cwd = cwd_;
  snapshot.status = child_.status();
  snapshot.pid = child_.pid();
  snapshot.exit = child_.exit();
  snapshot.updated_at = updated_at_;
  snapshot.cursor = {recorder_.journal().incarnation(), recorder_.journal().head()};
  snapshot.size = size_;
  return snapshot;
}

Snapshot Session::snapshot(const HistoryWish& wish) const {
  auto snapshot = facts();
  const auto& journal = recorder_.journal();
  const auto lines =
      std::min<std::size_t>(wish.scrollback.value_or(limits::kMaxHistoryLines), limits::kMaxHistoryLines);
  const auto& screen = recorder_.screen();
  if (wish.format == HistoryFormat::raw)
    snapshot.history = history_text(journal, journal.tail(), journal.head(), lines, limits::kMaxHistoryBytes);
  else if (!recorder_.is_blank())
    snapshot.history =
        vt_snapshot(screen, {std::min(lines, limits::kMaxHistoryLines - size_.rows), limits::kMaxHistoryBytes});
  // History of a Screen ends with its modes.
  const bool needs_modes = wish.format == HistoryFormat::raw || recorder_.is_blank();
  if (needs_modes && is_running()) snapshot.replay_preamble = mode_preamble(screen, snapshot.history);
  return snapshot;
}

Activity Session::activity() const {
  const auto state = activity_.state();
  return {state.has_running_subprocess, std::string(wire_name(state.cli_kind)),
          std::string(wire_name(state.agent_state))};
}

TerminalInfo Session::info() const {
  const auto active = activity();
  TerminalInfo info;
  info.key = key();
  info.status = child_.status();
  info.pid = child_.pid();
  info.cwd = cwd_;
  info.size = size_;
  info.title = recorder_.title();
  info.exit = child_.exit();
  info.has_running_subprocess = active.has_running_subprocess;
  info.cli_kind = active.cli_kind;
  info.agent_state = active.agent_state;
  info.viewers = static_cast<int>(audience_.viewers());
  info.updated_at = updated_at_;
  return info;
}

SessionDebug Session::debug() const {
  SessionDebug debug;
  debug.info = info();
  debug.loop = work_.loop().index();
  debug.tail = recorder_.journal().tail();
  debug.head = recorder_.journal().head();
  debug.queued_input = child_.queued();
  for (const auto& each : audience_.all())
    debug.cursors.push_back({each->viewer ? each->viewer->name() : "(gone)", each->cursor, each->credit.in_flight(),
                             each->credit.window()});
  return debug;
}

}  // namespace ptyd
