// CallQueue: calls of one peer that wait to be carried out.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "protocol/language/languages.hpp"
#include "server/net/websocket/large_answers.hpp"
#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Hands out calls in their order, except that a call with a large answer may have to wait, and what comes after it
/// waits with it. Input of other threads and acks of output go ahead of those: typing never waits for what others are
/// shown. A client that leaves a terminal does so after it has entered it: until then its Detach waits, and only calls
/// that enter this terminal again wait with it.
///
/// Units   bytes of what came in, as the caller counts them.
class CallQueue {
 public:
  struct Waiting {
    const Language* language = nullptr;
    CallToken token = 0;
    Request request;
    std::size_t bytes = 0;
  };

  void add(const Language& language, Call call, std::size_t bytes);
  /// The next call, or nothing while there is none that may go now.
  std::optional<Waiting> take(bool may_be_large);
  /// The client enters this terminal, by a call that was taken and whose answer has this number: until entered() it
  /// does not leave it.
  void entering(LargeAnswers::Number answer, SessionKey key) { entering_.emplace(answer, std::move(key)); }
  /// The answer was made. Those of calls that enter nothing change nothing.
  void entered(LargeAnswers::Number answer) { entering_.erase(answer); }
  /// This call is not to be carried out any more; false: it does not wait.
  bool drop(const Language& language, CallToken token);
  void clear();

  bool empty() const { return ready_.empty() && behind_.empty(); }
  std::size_t size() const { return ready_.size() + behind_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  using WaitingList = std::list<Waiting>;

  bool stands_behind(const Request& request) const;
  WaitingList::iterator next_behind(bool may_be_large);
  bool is_entering(const SessionKey& key) const;
  bool is_left_before(WaitingList::const_iterator call) const;
  Waiting extract(WaitingList& from, WaitingList::iterator call);

  // Lists: an empty one takes no memory, and nearly all are empty nearly always.
  WaitingList ready_;
  WaitingList behind_;                          // from the first with a large answer on, or a Detach that waits
  std::map<std::string, std::size_t> threads_;  // of those in behind_, but for Detaches: how many calls each
  std::map<LargeAnswers::Number, SessionKey> entering_;  // by answers that are not made yet
  std::size_t bytes_ = 0;
};

}  // namespace ptyd
