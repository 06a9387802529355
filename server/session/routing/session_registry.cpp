#include "server/session/routing/session_registry.hpp"

#include <algorithm>

#include "server/session/agent/program_rules.hpp"

namespace ptyd {

namespace {

Error too_many(std::size_t there, const std::string& what, std::size_t most, const std::string& advice = {}) {
  return {Errc::limit, "Too many terminals: " + std::to_string(there) + " " + what + ", the limit is " +
                           std::to_string(most) + advice};
}

}  // namespace

std::optional<std::size_t> SessionRegistry::loop_of(const SessionKey& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.loop);
}

std::vector<SessionKey> SessionRegistry::keys_in(const std::string& thread_id,
                                                 const std::optional<std::string>& terminal_id) const {
  std::vector<SessionKey> keys;
  for (auto each = entries_.lower_bound({thread_id, ""}); each != entries_.end(); ++each) {
    if (each->first.thread_id != thread_id) break;
    if (!terminal_id || each->first.terminal_id == *terminal_id) keys.push_back(each->first);
  }
  return keys;
}

std::size_t SessionRegistry::running_in(const std::string& thread_id) const {
  const auto keys = keys_in(thread_id, std::nullopt);
  const auto counts = [this](const SessionKey& key) { return entries_.at(key).counts(); };
  return static_cast<std::size_t>(std::count_if(keys.begin(), keys.end(), counts));
}

bool SessionRegistry::runs(const SessionKey& key) const {
  const auto found = entries_.find(key);
  return found != entries_.end() && found->second.counts();
}

Result<void> SessionRegistry::room_to_run(const SessionKey& key) const {
  if (runs(key)) return {};
  if (draining_) return Error(Errc::limit, "The server is draining: it starts no terminals");
  if (running_ >= limits_.max_sessions) return too_many(running_, "are running on this server", limits_.max_sessions);
  const auto in_thread = running_in(key.thread_id);
  if (in_thread >= limits_.max_sessions_per_thread)
    return too_many(in_thread, "are running in this thread", limits_.max_sessions_per_thread);
  return is_agents(key.thread_id) ? room_to_retain(key.thread_id) : Result<void>();
}

/// Each may be retained one day: those that may not be dropped then are a reason to start no more.
Result<void> SessionRegistry::room_to_retain(const std::string& thread_id) const {
  const auto with_jobs = retained_in({thread_id, Remains::jobs});
  if (with_jobs > 0 && with_jobs >= limits_.retained_programs)
    return too_many(with_jobs, "of this session have ended and left jobs that run on", limits_.retained_programs,
                    ": release some");
  const auto most = limits_.all_retained_programs;
  if (const auto of_all = retained_of_agents_ < most ? 0 : jobs_of_agents(); of_all >= most)
    return too_many(of_all, "of agents have ended and left jobs that run on", most, ": release some");
  return {};
}

std::size_t SessionRegistry::begin(const SessionKey& key, std::size_t home, bool starts) {
  const auto [found, is_new] = entries_.try_emplace(key, Entry{home});
  if (is_new) count_in(*found);
  change(*found, [starts](Entry& each) { each.starting = starts; });
  return found->second.loop;
}

void SessionRegistry::settle(const SessionKey& key, const Standing& now) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  change(*found, [](Entry& each) { each.starting = false; });
  if (!now.is_there)
    static_cast<void>(forget(key));
  else
    note(*found, now);
}

void SessionRegistry::on_ended(const SessionKey& key, LaunchNumber launch, Remains remains) {
  if (const auto found = entries_.find(key); found != entries_.end()) note(*found, {true, false, launch, remains});
}

std::optional<std::size_t> SessionRegistry::forget(const SessionKey& key) {
  const auto found = entries_.find(key);
  if (found == entries_.end()) return std::nullopt;
  count_out(*found);
  const auto loop = found->second.loop;
  entries_.erase(found);
  return loop;
}

SessionRegistry::Share SessionRegistry::share_of(const Entries::value_type& each) {
  const auto& [key, entry] = each;
  return {is_agents(key.thread_id) ? key.thread_id : std::string(), entry.remains};
}

void SessionRegistry::count_in(const Entries::value_type& each) {
  if (each.second.counts()) {
    running_++;
    return;
  }
  const auto share = share_of(each);
  retained_[share]++;
  if (!share.first.empty()) retained_of_agents_++;
}

void SessionRegistry::count_out(const Entries::value_type& each) {
  if (each.second.counts()) {
    running_--;
    return;
  }
  const auto share = retained_.find(share_of(each));
  if (!share->first.first.empty()) retained_of_agents_--;
  if (--share->second == 0) retained_.erase(share);
}

std::size_t SessionRegistry::retained_in(const Share& share) const {
  const auto found = retained_.find(share);
  return found == retained_.end() ? 0 : found->second;
}

std::size_t SessionRegistry::jobs_of_agents() const {
  std::size_t all = 0;
  for (const auto& [share, number] : retained_) all += share.second == Remains::jobs ? number : 0;
  return all;
}

std::size_t SessionRegistry::most_in(const Share& share) const {
  return share.first.empty() ? limits_.retained_sessions : limits_.retained_programs;
}

std::vector<SessionKey> SessionRegistry::surplus() const {
  std::vector<SessionKey> keys;
  const Shares::value_type* largest = nullptr;  // of agents'
  for (const auto& each : retained_) {
    const auto& [share, number] = each;
    if (share.second == Remains::jobs) continue;
    if (number > most_in(share)) keys.push_back(*oldest_of(share));
    if (!share.first.empty() && (!largest || number > largest->second)) largest = &each;
  }
  const bool too_many_in_all = retained_of_agents_ > limits_.all_retained_programs;
  if (too_many_in_all && largest && largest->second <= most_in(largest->first))
    keys.push_back(*oldest_of(largest->first));
  return keys;
}

const SessionKey* SessionRegistry::oldest_of(const Share& share) const {
  const Entries::value_type* oldest = nullptr;
  for (auto each = entries_.lower_bound({share.first, ""}); each != entries_.end(); ++each) {
    if (!share.first.empty() && each->first.thread_id != share.first) break;
    if (each->second.counts() || share_of(*each) != share) continue;
    if (!oldest || each->second.ended < oldest->second.ended) oldest = &*each;
  }
  return oldest ? &oldest->first : nullptr;
}

/// A report of an earlier launch than the one that is known comes too late.
void SessionRegistry::note(Entries::value_type& each, const Standing& now) {
  const auto& entry = each.second;
  if (now.launch < entry.launch) return;
  const bool ends = !now.is_live && (entry.running || now.launch > entry.launch || now.remains != entry.remains);
  change(each, [&](Entry& changed) {
    changed.launch = now.launch;
    changed.running = now.is_live;
    changed.remains = now.is_live ? Remains::text : now.remains;
    if (ends) changed.ended = ++ended_;
  });
}

}  // namespace ptyd
