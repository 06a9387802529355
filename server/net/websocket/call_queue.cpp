#include "server/net/websocket/call_queue.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace ptyd {
namespace {

/// The terminal that a Detach leaves; null for other calls.
const SessionKey* left_by(const Request& request) {
  const auto* const detach = std::get_if<Detach>(&request.command());
  return detach ? &detach->key : nullptr;
}

}  // namespace

void CallQueue::add(const Language& language, Call call, std::size_t bytes) {
  Request request(std::move(call.command));
  const bool behind = stands_behind(request);
  if (behind && !left_by(request)) threads_[thread_of(request.command())]++;
  bytes_ += bytes;
  (behind ? behind_ : ready_).push_back({&language, call.token, std::move(request), bytes});
}

bool CallQueue::stands_behind(const Request& request) const {
  if (is_large(request.row().answer)) return true;
  const auto dispatch = request.row().dispatch;
  // A client that has left a terminal must not enter it afterwards.
  const auto* const left = left_by(request);
  if (dispatch == Dispatch::peer && !left) return false;
  if (left && is_entering(*left)) return true;
  if (dispatch == Dispatch::straight || left) return threads_.contains(thread_of(request.command()));
  return !behind_.empty();
}

std::optional<CallQueue::Waiting> CallQueue::take(bool may_be_large) {
  if (!ready_.empty()) return extract(ready_, ready_.begin());
  const auto next = next_behind(may_be_large);
  if (next == behind_.end()) return std::nullopt;
  return extract(behind_, next);
}

/// The first that may go. Detaches that wait are passed over; any other call that may not go keeps back all behind it.
CallQueue::WaitingList::iterator CallQueue::next_behind(bool may_be_large) {
  for (auto call = behind_.begin(); call != behind_.end(); ++call) {
    const auto* const left = left_by(call->request);
    if (left && is_entering(*left)) continue;
    const bool must_wait = is_large(call->request.row().answer) && (!may_be_large || is_left_before(call));
    return must_wait ? behind_.end() : call;
  }
  return behind_.end();
}

bool CallQueue::is_entering(const SessionKey& key) const {
  return std::any_of(entering_.begin(), entering_.end(), [&](const auto& each) { return each.second == key; });
}

/// Whether it enters a terminal that the client leaves by a Detach before it.
bool CallQueue::is_left_before(WaitingList::const_iterator call) const {
  if (call->request.row().answer != Answer::in_place) return false;
  return std::any_of(behind_.begin(), call, [&key = key_of(call->request.command())](const Waiting& each) {
    const auto* const left = left_by(each.request);
    return left && *left == key;
  });
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

CallQueue::Waiting CallQueue::extract(WaitingList& from, WaitingList::iterator call) {
  auto waiting = std::move(*call);
  from.erase(call);
  bytes_ -= waiting.bytes;
  if (&from != &behind_ || left_by(waiting.request)) return waiting;
  const auto thread = threads_.find(thread_of(waiting.request.command()));
  if (--thread->second == 0) threads_.erase(thread);
  return waiting;
}

void CallQueue::clear() {
  *this = {};
}

}  // namespace ptyd
