#include "server/session/routing/turns.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace ptyd {

void Turns::take(const SessionKey& place, Turn turn) {
  auto& queue = threads_[place.thread_id];
  put(place, queue, queue.end(), std::move(turn));
}

void Turns::take_next(const SessionKey& place, Turn turn) {
  auto& queue = threads_[place.thread_id];
  const auto waits = [&](const Entry& each) { return !each.under_way && each.excludes(place.terminal_id); };
  put(place, queue, std::find_if(queue.begin(), queue.end(), waits), std::move(turn));
}

void Turns::put(const SessionKey& place, Queue& queue, Queue::iterator before, Turn turn) {
  const auto is_ahead = [&](const Entry& each) { return each.excludes(place.terminal_id); };
  const bool is_free = std::none_of(queue.begin(), before, is_ahead);
  const auto entry = queue.insert(before, {place.terminal_id, std::move(turn), is_free});
  if (is_free) begin(place.thread_id, entry);
}

bool Turns::any_for(const SessionKey& place) const {
  const auto found = threads_.find(place.thread_id);
  if (found == threads_.end()) return false;
  const auto& queue = found->second;
  return std::any_of(queue.begin(), queue.end(), [&](const Entry& each) { return each.excludes(place.terminal_id); });
}

/// All that nothing is ahead of. Work may bring further work, and may be over before it returns: what is due is known
/// before any of it begins.
void Turns::begin_due(const std::string& thread_id) {
  const auto found = threads_.find(thread_id);
  if (found == threads_.end()) return;
  std::vector<Queue::iterator> due;
  std::set<std::string_view> ahead;
  for (auto each = found->second.begin(); each != found->second.end(); ++each) {
    const bool is_whole = each->terminal_id.empty();
    const bool is_free = is_whole ? ahead.empty() : !ahead.contains(each->terminal_id);
    if (is_free && !std::exchange(each->under_way, true)) due.push_back(each);
    if (is_whole) break;
    ahead.insert(each->terminal_id);
  }
  for (const auto& each : due) begin(thread_id, each);
}

void Turns::begin(const std::string& thread_id, Queue::iterator entry) {
  const auto work = std::exchange(entry->turn.work, nullptr);
  work([this, thread_id, entry] { end(thread_id, entry); });
}

void Turns::end(const std::string& thread_id, Queue::iterator entry) {
  const auto done = std::move(entry->turn.done);
  const auto found = threads_.find(thread_id);
  found->second.erase(entry);
  if (found->second.empty())
    threads_.erase(found);
  else
    loop_.post([this, thread_id] { begin_due(thread_id); });
  done();
}

}  // namespace ptyd
