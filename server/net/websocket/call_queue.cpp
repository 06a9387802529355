#include "server/net/websocket/call_queue.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace ptyd {

void CallQueue::add(const Language& language, Call call, std::size_t bytes) {
  Request request(std::move(call.command));
  const bool behind = stands_behind(request);
  if (behind) threads_[thread_of(request.command())]++;
  bytes_ += bytes;
  (behind ? behind_ : ready_).push_back({&language, call.token, std::move(request), bytes});
}

bool CallQueue::stands_behind(const Request& request) const {
  if (is_large(request.row().answer)) return true;
  const auto dispatch = request.row().dispatch;
  // A client that has left a terminal must not enter it afterwards.
  const auto* const leaves = std::get_if<Detach>(&request.command());
  if (dispatch == Dispatch::peer && !leaves) return false;
  if (leaves && entering_.contains(leaves->key)) return true;
  if (dispatch == Dispatch::straight || leaves) return threads_.contains(thread_of(request.command()));
  return !behind_.empty();
}

std::optional<CallQueue::Waiting> CallQueue::take(bool may_be_large) {
  if (!ready_.empty()) return pop(ready_);
  if (behind_.empty()) return std::nullopt;
  if (!may_go(behind_.front().request, may_be_large)) return std::nullopt;
  return pop(behind_);
}

bool CallQueue::may_go(const Request& request, bool may_be_large) const {
  if (const auto* const leaves = std::get_if<Detach>(&request.command())) return !entering_.contains(leaves->key);
  return may_be_large || !is_large(request.row().answer);
}

void CallQueue::entered(const SessionKey& key) {
  const auto found = entering_.find(key);
  if (found != entering_.end() && --found->second == 0) entering_.erase(found);
}

bool CallQueue::drop(const Language& language, CallToken token) {
  const auto is_meant = [&](const Waiting& each) { return each.language == &language && each.token == token; };
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
  const auto thread = threads_.find(thread_of(waiting.request.command()));
  if (--thread->second == 0) threads_.erase(thread);
  return waiting;
}

void CallQueue::clear() {
  *this = {};
}

}  // namespace ptyd
