#include "server/net/websocket/call_queue.hpp"

#include <utility>

namespace ptyd {

void CallQueue::add(const Language& language, Call call, std::size_t bytes) {
  const bool behind = stands_behind(call.command);
  if (behind) threads_[thread_of(call.command)]++;
  bytes_ += bytes;
  (behind ? behind_ : ready_).push_back({&language, std::move(call), bytes});
}

bool CallQueue::stands_behind(const Command& command) const {
  if (answer_of(command) != Answer::small) return true;
  const auto way = way_of(command);
  if (way == Way::peer) return false;
  if (way == Way::straight) return threads_.contains(thread_of(command));
  return !behind_.empty();
}

std::optional<CallQueue::Waiting> CallQueue::take(bool may_be_large) {
  if (!ready_.empty()) return pop(ready_);
  if (behind_.empty()) return std::nullopt;
  if (!may_be_large && answer_of(behind_.front().call.command) != Answer::small) return std::nullopt;
  const auto thread = threads_.find(thread_of(behind_.front().call.command));
  if (--thread->second == 0) threads_.erase(thread);
  return pop(behind_);
}

CallQueue::Waiting CallQueue::pop(std::list<Waiting>& from) {
  auto next = std::move(from.front());
  from.pop_front();
  bytes_ -= next.bytes;
  return next;
}

void CallQueue::clear() {
  *this = {};
}

}  // namespace ptyd
