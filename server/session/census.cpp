#include "server/session/census.hpp"

#include <utility>

namespace ptyd {

std::optional<std::size_t> Census::loop_of(const SessionKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.loop);
}

std::vector<SessionKey> Census::keys_in(const std::string& thread_id,
                                        const std::optional<std::string>& terminal_id) const {
  std::vector<SessionKey> keys;
  for (const auto& [key, entry] : entries_)
    if (key.thread_id == thread_id && (!terminal_id || key.terminal_id == *terminal_id)) keys.push_back(key);
  return keys;
}

Result<void> Census::room_to_run(const SessionKey& key) const {
  if (const auto found = entries_.find(key); found != entries_.end() && found->second.counts()) return {};
  std::size_t running = 0, in_thread = 0;
  for (const auto& [each, entry] : entries_) {
    running += entry.counts() ? 1 : 0;
    in_thread += entry.counts() && each.thread_id == key.thread_id ? 1 : 0;
  }
  if (running >= limits_.max_sessions)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(running) +
                                  " are running on this server, at most " + std::to_string(limits_.max_sessions) +
                                  " may");
  if (in_thread >= limits_.max_sessions_per_thread)
    return Error(Errc::limit, "Too many terminals: " + std::to_string(in_thread) +
                                  " are running in this thread, at most " +
                                  std::to_string(limits_.max_sessions_per_thread) + " may");
  return {};
}

std::size_t Census::begin(const SessionKey& key, std::size_t home, bool starts) {
  auto& entry = entries_.try_emplace(key, Entry{home}).first->second;
  entry.starting = starts;
  return entry.loop;
}

void Census::settle(const SessionKey& key, const Standing& now) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  found->second.starting = false;
  if (!now.is_there)
    entries_.erase(found);
  else
    note(found->second, now.launch, now.is_live);
}

void Census::on_ended(const SessionKey& key, LaunchNumber launch) {
  if (const auto found = entries_.find(key); found != entries_.end()) note(found->second, launch, false);
}

std::optional<std::size_t> Census::forget(const SessionKey& key) {
  const auto loop = loop_of(key);
  entries_.erase(key);
  return loop;
}

const SessionKey* Census::surplus() const {
  std::size_t retained = 0;
  const std::pair<const SessionKey, Entry>* oldest = nullptr;
  for (const auto& each : entries_) {
    if (each.second.counts()) continue;
    retained++;
    if (!oldest || each.second.ended < oldest->second.ended) oldest = &each;
  }
  return oldest && retained > limits_.retained_sessions ? &oldest->first : nullptr;
}

/// What is told of an earlier launch than the one that is known comes too late.
void Census::note(Entry& entry, LaunchNumber launch, bool running) {
  if (launch < entry.launch) return;
  const bool ends = !running && (entry.running || launch > entry.launch);
  entry.launch = launch;
  entry.running = running;
  if (ends) entry.ended = ++ended_;
}

}  // namespace ptyd
