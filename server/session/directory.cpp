#include "server/session/directory.hpp"

#include <algorithm>
#include <cassert>

#include "server/session/event_source.hpp"

namespace ptyd {

void Directory::submit(Caller caller, SessionHost& home, Command command, std::function<void()> carried_out) {
  const auto thread_id = thread_of(command);
  auto& queue = queues_[thread_id];
  queue.push_back({std::move(caller), &home, std::move(command), std::move(carried_out)});
  if (queue.size() == 1) next(thread_id);
}

/// The front job is the one under way; it leaves the queue when it has been carried out.
void Directory::next(const std::string& thread_id) {
  auto& front = queues_[thread_id].front();
  Job job{front.caller, front.home, std::move(front.command), front.carried_out};
  carry_out(std::move(job), [this, thread_id] {
    auto& queue = queues_[thread_id];
    auto carried_out = std::move(queue.front().carried_out);
    queue.pop_front();
    const bool more = !queue.empty();
    if (!more) queues_.erase(thread_id);
    if (more) here().loop().post([this, thread_id] { next(thread_id); });
    carried_out();
  });
}

void Directory::carry_out(Job job, Finished finished) {
  switch (way_of(job.command)) {
    case Way::starting:
      return open(std::move(job), std::move(finished));
    case Way::thread:
      return close(std::move(job), std::move(finished));
    case Way::in_turn:
    case Way::straight: {
      const auto key = key_of(job.command);
      return on_known(std::move(job), key, std::move(finished));
    }
    case Way::server:
    case Way::peer:
      break;
  }
  assert(false && "not for a session");
}

void Directory::on_known(Job job, const SessionKey& key, Finished finished) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) {
    job.caller.reply(unknown_terminal(key));
    return finished();
  }
  auto* host = found->second.host;
  host->loop().dispatch([this, host, key, job = std::move(job), finished = std::move(finished)]() mutable {
    auto back = [this, finished = std::move(finished)] { here().loop().dispatch(finished); };
    if (auto* session = host->find(key)) return session->carry_out(std::move(job.caller), job.command, std::move(back));
    job.caller.reply(unknown_terminal(key));
    back();
  });
}

Result<void> Directory::check_limits(const SessionKey& key) const {
  std::size_t running = 0, in_thread = 0;
  for (const auto& [each, entry] : entries_) {
    running += entry.running ? 1 : 0;
    in_thread += entry.running && each.thread_id == key.thread_id ? 1 : 0;
  }
  if (running >= options_.max_sessions)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(running) +
                                  " are running on this server, at most " + std::to_string(options_.max_sessions) +
                                  " may");
  if (in_thread >= options_.max_sessions_per_thread)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(in_thread) +
                                  " are running in this thread, at most " +
                                  std::to_string(options_.max_sessions_per_thread) + " may");
  return {};
}

/// The session may have to be made, and will be running afterwards.
void Directory::open(Job job, Finished finished) {
  const auto key = key_of(job.command);
  const auto found = entries_.find(key);
  const bool running = found != entries_.end() && found->second.running;
  if (!starts(job.command) && found == entries_.end()) {
    job.caller.reply(unknown_terminal(key));
    return finished();
  }
  const bool will_run = !running && starts(job.command);
  if (const auto allowed = will_run ? check_limits(key) : Result<void>(); !allowed) {
    job.caller.reply(allowed.error());
    return finished();
  }
  auto& entry = entries_[key];
  if (!entry.host) entry.host = job.home;
  if (will_run) entry.running = true;
  const bool is_new = found == entries_.end();
  auto* host = entry.host;
  auto watchers = is_new ? watchers_ : Watchers();
  host->loop().dispatch([this, host, key, is_new, watchers = std::move(watchers), job = std::move(job),
                         finished = std::move(finished)]() mutable {
    auto session = host->find_or_make(key);
    auto back = [this, host, key, is_new, finished = std::move(finished)] {
      here().loop().dispatch([this, host, key, is_new, finished] {
        finished();
        if (is_new) tell_hosts(key, host);
      });
    };
    if (!session) {
      job.caller.reply(session.error());
      host->settings().neighbours.on_ended(key);
      return back();
    }
    for (const auto& viewer : watchers) (*session)->watch(viewer);
    (*session)->carry_out(std::move(job.caller), job.command, std::move(back));
  });
}

void Directory::close(Job job, Finished finished) {
  const auto asked = std::get<Close>(job.command);
  std::vector<SessionKey> keys;
  for (const auto& [key, entry] : entries_)
    if (key.thread_id == asked.thread_id && (!asked.terminal_id || key.terminal_id == *asked.terminal_id))
      keys.push_back(key);
  auto left = std::make_shared<std::size_t>(keys.size() + 1);
  auto one_less = [this, left, asked, caller = std::move(job.caller), finished = std::move(finished)] {
    if (--*left > 0) return;
    const auto& store = here().settings().store;
    if (asked.delete_history && asked.terminal_id) store.remove({asked.thread_id, *asked.terminal_id});
    if (asked.delete_history && !asked.terminal_id) store.remove_thread(asked.thread_id);
    caller.reply(Reply(Done{}));
    finished();
  };
  for (const auto& key : keys) forget(key, one_less);
  one_less();
}

void Directory::forget(const SessionKey& key, Finished forgotten) {
  auto* host = entries_[key].host;
  entries_.erase(key);
  tell_hosts(key, nullptr);
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

void Directory::watch(const std::shared_ptr<Viewer>& viewer) {
  if (!watchers_.insert(viewer).second) return;
  for (const auto& [key, entry] : entries_)
    entry.host->loop().dispatch([host = entry.host, key = key, viewer] {
      if (auto* session = host->find(key)) session->watch(viewer);
    });
}

void Directory::unwatch(const std::shared_ptr<Viewer>& viewer) {
  watchers_.erase(viewer);
}

void Directory::on_ended(const SessionKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  found->second.running = false;
  found->second.ended = ++ended_;
  drop_surplus();
}

void Directory::on_failed(const SessionKey& key, const std::string& what) {
  if (!entries_.contains(key)) return;
  const auto said = make_news(key, Failed{"The server could not go on with this terminal: " + what});
  forget(key, [this, said] { here().settings().neighbours.broadcast(said); });
}

/// Ended sessions beyond the limit leave memory, the oldest first; their transcripts stay on disk.
void Directory::drop_surplus() {
  for (;;) {
    std::size_t retained = 0;
    const SessionKey* oldest = nullptr;
    for (const auto& [key, entry] : entries_) {
      if (entry.running) continue;
      retained++;
      if (!oldest || entry.ended < entries_[*oldest].ended) oldest = &key;
    }
    if (retained <= options_.retained_sessions || !oldest || queues_.contains(oldest->thread_id)) return;
    forget(SessionKey(*oldest), [] {});
  }
}

}  // namespace ptyd
