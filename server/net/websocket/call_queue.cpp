#include "server/net/websocket/call_queue.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {

void CallQueue::add(const Language& language, Call call, std::size_t bytes) {
  const bool behind = stands_behind(call.command);
  if (behind) threads_[thread_of(call.command)]++;
  bytes_ += bytes;
  (behind ? behind_ : ready_).push_back({&language, std::move(call), bytes});
}

bool CallQueue::stands_behind(const Command& command) const {
  if (is_large(answer_of(command))) return true;
  const auto dispatch = dispatch_of(command);
  if (dispatch == Dispatch::peer) return false;
  if (dispatch == Dispatch::straight) return threads_.contains(thread_of(command));
  return !behind_.empty();
}

std::optional<CallQueue::Waiting> CallQueue::take(bool may_be_large) {
  if (!ready_.empty()) return pop(ready_);
  if (behind_.empty()) return std::nullopt;
  if (!may_be_large && is_large(answer_of(behind_.front().call.command))) return std::nullopt;
  return pop(behind_);
}

bool CallQueue::drop(const Language& language, CallToken token) {
  const auto is_meant = [&](const Waiting& each) { return each.language == &language && each.call.token == token; };
  for (auto* calls : {&ready_, &behind_})
    if (const auto call = std::find_if(calls->begin(), calls->end(), is_meant); call != calls->end()) {
      (void)extract(*calls, call);
      return true;
    }
  return false;
}

CallQueue::Waiting CallQueue::extract(std::list<Waiting>& from, std::list<Waiting>::iterator call) {
  auto waiting = std::move(*call);
  from.erase(call);
  bytes_ -= waiting.bytes;
  if (&from != &behind_) return waiting;
  const auto thread = threads_.find(thread_of(waiting.call.command));
  if (--thread->second == 0) threads_.erase(thread);
  return waiting;
}

void CallQueue::clear() {
  *this = {};
}

}  // namespace ptyd
