#include "server/session/routing/directory.hpp"

#include <cassert>
#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "pty/process/mounts.hpp"
#include "pty/process/spawn.hpp"
#include "server/session/agent/program_rules.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/delivery/event_source.hpp"

namespace ptyd {

namespace {

/// Where a program is to be started; none where it is not, or the server chooses.
std::optional<std::string> directory_in(const Request& request) {
  return std::visit(
      [&request]<class Asked>(const Asked& asked) -> std::optional<std::string> {
        if constexpr (requires { asked.cwd; }) {
          if (request.row().starts_now && !(std::is_same_v<Asked, Execute> && asked.cwd.empty())) return asked.cwd;
        }
        return std::nullopt;
      },
      request.command());
}

/// On the session's loop.
SessionRegistry::Standing standing_of(const Session* session) {
  if (!session) return {};
  return {true, session->is_live(), session->session_info().child.number(), session->remains()};
}

Error unusable(const std::string& cwd, const std::string& why) {
  return Error(Errc::bad_cwd, "Terminal cwd cannot be used: " + cwd + ": " + why);
}

/// Beside the loops. A hang on the drive at "/" bars no others: everything lies there, and on a drive that answers one
/// directory may still hang.
Result<void> checked_cwd(const std::string& cwd, const BlockingPool::Enter& enter) {
  const auto barred =
      barred_mount(cwd, Mounts::now(), [&enter](const std::string& mount) { return enter(mount == "/" ? "" : mount); });
  if (barred) return unusable(cwd, "the drive at " + *barred + " does not answer");
  return check_cwd(cwd);
}

/// A program that no call waits for any more is not started. Other Commands are carried out all the same.
bool is_cancelled(const Caller& caller, const Command& command) {
  return std::holds_alternative<Run>(command) && caller.is_cancelled();
}

/// Where what is done to `key` waits its turn. An agent's programs have nothing to do with each other.
SessionKey turn_of(const SessionKey& key) {
  return is_agents(key.thread_id) ? key : SessionKey{key.thread_id, ""};
}

SessionKey turn_of(const Command& command) {
  const auto* close = std::get_if<Close>(&command);
  return turn_of(close ? SessionKey{close->thread_id, close->terminal_id.value_or("")} : key_of(command));
}

std::string in_seconds(std::chrono::milliseconds time) {
  const auto tenths = time.count() / 100;
  return std::to_string(tenths / 10) + (tenths % 10 > 0 ? "." + std::to_string(tenths % 10) : "") + " s";
}

}  // namespace

void Directory::submit(Caller caller, SessionHost& home, Request request, std::function<void()> carried_out) {
  const auto place = turn_of(request.command());
  auto carry_out_job = [this, job = Job{std::move(caller), &home, std::move(request)}](Finished finished) mutable {
    carry_out(std::move(job), std::move(finished));
  };
  turns_.take(place, {std::move(carry_out_job), std::move(carried_out)});
}

void Directory::carry_out(Job job, Finished finished) {
  switch (job.request.row().dispatch) {
    case Dispatch::starting:
      return look_and_open(std::move(job), std::move(finished));
    case Dispatch::thread:
      return close(std::move(job), std::move(finished));
    case Dispatch::in_turn:
    case Dispatch::straight: {
      const auto key = key_of(job.request.command());
      return on_known(std::move(job), key, std::move(finished));
    }
    case Dispatch::server:
    case Dispatch::peer:
      break;
  }
  assert(false && "not for a session");
}

void Directory::on_known(Job job, const SessionKey& key, Finished finished) {
  const auto loop = registry_.loop_of(key);
  if (!loop) return refuse(job.caller, unknown_terminal(key), finished);
  auto* const host = &host_at(*loop);
  host->loop().dispatch([this, host, key, job = std::move(job), finished = std::move(finished)]() mutable {
    auto back = [this, finished = std::move(finished)] { here().loop().dispatch(finished); };
    if (auto* session = host->find(key)) return session->carry_out(std::move(job.caller), job.request, std::move(back));
    refuse(job.caller, unknown_terminal(key), back);
  });
}

/// A drive that never answers keeps the Command that asks for it, and those behind it, waiting. A Command for the same
/// directory waits behind them and takes no other thread of the pool. Once one was refused for lack of an answer, the
/// next ones are refused at once.
void Directory::look_and_open(Job job, Finished finished) {
  if (const auto allowed = may_start_there(job.request); !allowed) return refuse(job.caller, allowed.error(), finished);
  if (is_cancelled(job.caller, job.request.command())) return refuse(job.caller, was_cancelled(), finished);
  // Where one runs, an Execute starts nothing.
  const bool starts_none =
      std::holds_alternative<Execute>(job.request.command()) && registry_.runs(key_of(job.request.command()));
  const auto cwd = starts_none ? std::nullopt : directory_in(job.request);
  if (!cwd) return open(std::move(job), std::move(finished));
  const auto patience = options_.cwd_patience;
  looks_.run(
      here().loop(), *cwd,
      BlockingPool::Patience{patience, unusable(*cwd, "there was no answer for " + in_seconds(patience)), true},
      [cwd = *cwd](const BlockingPool::Enter& enter) { return checked_cwd(cwd, enter); },
      [this, job = std::move(job), finished = std::move(finished)](const Result<void>& checked) {
        if (checked) return open(job, finished);
        refuse(job.caller, checked.error(), finished);
      });
}

/// The session may have to be made, and will be running afterwards.
void Directory::open(Job job, Finished finished) {
  const auto key = key_of(job.request.command());
  const bool is_new = !registry_.knows(key);
  if (is_new && !job.request.row().starts_now) return refuse(job.caller, unknown_terminal(key), finished);
  if (is_cancelled(job.caller, job.request.command())) return refuse(job.caller, was_cancelled(), finished);
  if (const auto allowed = job.request.row().starts_now ? registry_.room_to_run(key) : Result<void>(); !allowed)
    return refuse(job.caller, allowed.error(), finished);
  const auto loop = registry_.begin(key, job.home->loop().index(), job.request.row().starts_now);
  open_there(host_at(loop), std::move(job), is_new, std::move(finished));
}

void Directory::open_there(SessionHost& host, Job job, bool is_new, Finished finished) {
  const auto key = key_of(job.request.command());
  // Asked on the session's loop, where it is known: what came before it may still be on its way here.
  auto back = [this, to = &host, key, is_new, finished = std::move(finished)] {
    here().loop().dispatch([this, to, key, is_new, now = standing_of(to->find(key)), finished] {
      settle(key, now);
      finished();
      if (is_new && now.is_there) tell_hosts(key, to);
    });
  };
  auto made = [this, to = &host, is_new, job = std::move(job),
               back = std::move(back)](const Result<std::shared_ptr<Session>>& session) {
    if (!session) return refuse(job.caller, session.error(), back);
    if (!is_new) return (*session)->carry_out(job.caller, job.request, back);
    here().loop().dispatch([this, to, job, back] { start_heard(*to, job, back); });
  };
  host.loop().dispatch([to = &host, key, made = std::move(made)] { to->find_or_make(key, made); });
}

void Directory::settle(const SessionKey& key, const SessionRegistry::Standing& now) {
  if (!registry_.knows(key)) return;
  registry_.settle(key, now);
  tell_running();
  drop_surplus();
}

/// Subscribers to all sessions hear the new one from its start; one place is left for the client that opens it, with
/// full access.
void Directory::start_heard(SessionHost& host, Job job, Finished finished) {
  host.loop().dispatch(
      [to = &host, watchers = watchers_, job = std::move(job), finished = std::move(finished)]() mutable {
        auto* session = to->find(key_of(job.request.command()));
        if (!session) return refuse(job.caller, unknown_terminal(key_of(job.request.command())), finished);
        for (const auto& viewer : watchers)
          if (!is_noticed(viewer->access()) || session->audience().viewers(Access::full) + 1 < Session::kMaxViewers)
            session->watch(viewer);
        session->carry_out(std::move(job.caller), job.request, std::move(finished));
      });
}

void Directory::close(Job job, Finished finished) {
  const auto asked = std::get<Close>(job.request.command());
  const auto keys = registry_.keys_in(asked.thread_id, asked.terminal_id);
  auto left = std::make_shared<std::size_t>(keys.size() + 1);
  auto one_less = [this, left, asked, caller = std::move(job.caller), finished = std::move(finished)] {
    if (--*left > 0) return;
    delete_history(asked, [caller, finished](const Result<void>& deleted) {
      caller.reply(deleted ? Result<Reply>(Reply(Done{})) : Result<Reply>(deleted.error()));
      finished();
    });
  };
  for (const auto& key : keys)
    if (is_agents(key.thread_id))
      end_program(key, [this, key, one_less] { forget(key, one_less); });
    else
      forget(key, one_less);
  one_less();
}

/// Tells all that wait for its exit.
void Directory::end_program(const SessionKey& key, Finished ended) {
  // Answered from inside its session's call, which what comes next may end.
  auto answered = [this, ended = std::move(ended)](const Result<Reply>&) { here().loop().post(ended); };
  on_known({Caller(here().loop(), nullptr, std::move(answered)), nullptr, Request(Release{key})}, key, [] {});
}

void Directory::delete_history(const Close& asked, std::function<void(Result<void>)> deleted) {
  if (!asked.delete_history) return deleted({});
  const auto& settings = here().settings();
  settings.files.run(
      here().loop(), asked.thread_id,
      BlockingPool::Patience{settings.file_patience,
                             Error(Errc::internal, "The disk with the transcripts did not answer")},
      [store = settings.store, asked]() -> Result<void> {
        if (asked.terminal_id) {
          store.remove({asked.thread_id, *asked.terminal_id});
        } else {
          store.remove_thread(asked.thread_id);
        }
        return {};
      },
      std::move(deleted));
}

void Directory::forget(const SessionKey& key, Finished forgotten) {
  const auto loop = registry_.forget(key);
  if (!loop) return forgotten();  // while its program ended
  tell_running();
  auto* const host = &host_at(*loop);
  tell_hosts(key, nullptr);
  // No client can come back to what an agent has run.
  if (is_agents(key.thread_id))
    forgotten = [this, key, forgotten = std::move(forgotten)] {
      delete_history({key.thread_id, key.terminal_id, true}, [forgotten](const Result<void>&) { forgotten(); });
    };
  host->loop().dispatch([this, host, key, forgotten = std::move(forgotten)] {
    host->forget(key);
    here().loop().dispatch(forgotten);
  });
}

void Directory::tell_hosts(const SessionKey& key, SessionHost* host) {
  for (const auto& each : hosts_)
    each->loop().dispatch([to = each.get(), key, host] {
      if (host)
        to->router().learn(key, host->loop().index());
      else
        to->router().forget(key);
    });
}

void Directory::watch(const std::shared_ptr<Viewer>& viewer, const std::function<void()>& heard) {
  watchers_.insert(viewer);
  auto left = std::make_shared<std::size_t>(1);
  auto one_less = [left, heard] {
    if (--*left == 0) heard();
  };
  registry_.for_each([&](const SessionKey& key, std::size_t loop) {
    ++*left;
    host_at(loop).loop().dispatch([this, &host = host_at(loop), key, viewer, one_less] {
      if (auto* session = host.find(key)) session->watch(viewer);
      here().loop().dispatch(one_less);
    });
  });
  one_less();
}

void Directory::unwatch(const std::shared_ptr<Viewer>& viewer) {
  watchers_.erase(viewer);
}

void Directory::on_ended(const SessionKey& key, LaunchNumber launch, Remains remains) {
  if (!registry_.knows(key)) return;
  registry_.on_ended(key, launch, remains);
  tell_running();
  drop_surplus();
}

void Directory::drain(std::function<void(std::size_t running)> told) {
  registry_.drain(told != nullptr);
  drain_told_ = std::move(told);
  tell_running();
}

void Directory::tell_running() {
  if (drain_told_) drain_told_(registry_.running());
}

void Directory::on_released(const SessionKey& key) {
  const Caller nobody(here().loop(), nullptr, [](const Result<Reply>&) {});
  submit(nobody, here(), Request(Close{key.thread_id, key.terminal_id, true}), [] {});
}

/// A later one of this name may be there by then.
void Directory::on_failed(const SessionKey& key, const std::string& what) {
  const auto said = make_broadcast(key, here().loop().clock().unix_now(),
                                   Failed{"The server could not go on with this terminal: " + what});
  auto forget_it = [this, key, said](const Finished& finished) {
    forget_if(
        key, [](const Session& session) { return session.has_failed(); },
        [this, said, finished](bool forgotten) {
          if (forgotten) here().settings().delegate.broadcast(said);
          finished();
        });
  };
  turns_.take_next(turn_of(key), {std::move(forget_it), [] {}});
}

/// In its turn. The SessionRegistry is told the state of a session that is not due.
void Directory::forget_if(const SessionKey& key, IsDue is_due, const std::function<void(bool forgotten)>& done) {
  const auto loop = registry_.loop_of(key);
  if (!loop) return done(false);
  host_at(*loop).loop().dispatch([this, &host = host_at(*loop), key, is_due, done] {
    const auto* session = host.find(key);
    const bool goes = session && is_due(*session);
    here().loop().dispatch([this, key, goes, now = standing_of(session), done] {
      if (goes) return forget(key, [done] { done(true); });
      registry_.settle(key, now);
      tell_running();
      done(false);
    });
  });
}

/// Ended sessions beyond the limits leave memory, the oldest first; transcripts of people's stay on disk.
void Directory::drop_surplus() {
  for (const auto& key : registry_.surplus())
    if (!turns_.any_for(turn_of(key))) drop(key);
}

void Directory::drop(const SessionKey& key) {
  auto forget_it = [this, key](const Finished& finished) {
    const auto is_due = [](const Session& session) { return !session.is_live() && session.remains() != Remains::jobs; };
    forget_if(key, is_due, [finished](bool) { finished(); });
  };
  turns_.take_next(turn_of(key), {std::move(forget_it), [this] { drop_surplus(); }});
}

}  // namespace ptyd
