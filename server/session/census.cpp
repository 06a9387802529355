#include "server/session/census.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {

std::optional<std::size_t> Census::loop_of(const SessionKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.loop);
}

std::vector<SessionKey> Census::keys_in(const std::string& thread_id,
                                        const std::optional<std::string>& terminal_id) const {
  std::vector<SessionKey> keys;
  for (auto each = entries_.lower_bound({thread_id, ""}); each != entries_.end(); ++each) {
    if (each->first.thread_id != thread_id) break;
    if (!terminal_id || each->first.terminal_id == *terminal_id) keys.push_back(each->first);
  }
  return keys;
}

std::size_t Census::running_in(const std::string& thread_id) const {
  const auto keys = keys_in(thread_id, std::nullopt);
  const auto counts = [this](const SessionKey& key) { return entries_.at(key).counts(); };
  return static_cast<std::size_t>(std::count_if(keys.begin(), keys.end(), counts));
}

bool Census::runs(const SessionKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.counts();
}

Result<void> Census::room_to_run(const SessionKey& key) const {
  if (runs(key)) return {};
  if (draining_) return Error(Errc::limit, "The server is draining: it starts no terminals");
  if (counting_ >= limits_.max_sessions)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(counting_) +
                                  " are running on this server, the limit is " + std::to_string(limits_.max_sessions));
  const auto in_thread = running_in(key.thread_id);
  if (in_thread >= limits_.max_sessions_per_thread)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(in_thread) +
                                  " are running in this thread, the limit is " +
                                  std::to_string(limits_.max_sessions_per_thread));
  return {};
}

std::size_t Census::begin(const SessionKey& key, std::size_t home, bool starts) {
  auto& entry = entries_.try_emplace(key, Entry{home}).first->second;
  change(entry, [starts](Entry& each) { each.starting = starts; });
  return entry.loop;
}

void Census::settle(const SessionKey& key, const Standing& now) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  change(found->second, [](Entry& each) { each.starting = false; });
  if (!now.is_there)
    static_cast<void>(forget(key));
  else
    note(found->second, now.launch, now.is_live);
}

void Census::on_ended(const SessionKey& key, LaunchNumber launch) {
  if (const auto found = entries_.find(key); found != entries_.end()) note(found->second, launch, false);
}

std::optional<std::size_t> Census::forget(const SessionKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return std::nullopt;
  counting_ -= found->second.counts() ? 1 : 0;
  const auto loop = found->second.loop;
  entries_.erase(found);
  return loop;
}

const SessionKey* Census::surplus() const {
  if (entries_.size() - counting_ <= limits_.retained_sessions) return nullptr;
  const std::pair<const SessionKey, Entry>* oldest = nullptr;
  for (const auto& each : entries_)
    if (!each.second.counts() && (!oldest || each.second.ended < oldest->second.ended)) oldest = &each;
  return &oldest->first;
}

/// What is told of an earlier launch than the one that is known comes too late.
void Census::note(Entry& entry, LaunchNumber launch, bool running) {
  if (launch < entry.launch) return;
  const bool ends = !running && (entry.running || launch > entry.launch);
  entry.launch = launch;
  change(entry, [running](Entry& each) { each.running = running; });
  if (ends) entry.ended = ++ended_;
}

}  // namespace ptyd
