// CallQueue: calls of one peer that wait to be carried out.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <string>

#include "protocol/language/languages.hpp"
#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Hands out calls in their order, except that a call with a large answer may have to wait, and what comes after it
/// waits with it. Input of other threads and acks of output go ahead of those: typing never waits for what others are
/// shown.
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
  /// A client enters this terminal, by a call that was taken: until entered() it does not leave it.
  void entering(const SessionKey& key) { entering_[key]++; }
  void entered(const SessionKey& key);
  /// This call is not to be carried out any more; false: it does not wait.
  bool drop(const Language& language, CallToken token);
  void clear();

  bool empty() const { return ready_.empty() && behind_.empty(); }
  std::size_t size() const { return ready_.size() + behind_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  bool stands_behind(const Request& request) const;
  bool may_go(const Request& request, bool may_be_large) const;
  Waiting pop(std::list<Waiting>& from) { return extract(from, from.begin()); }
  Waiting extract(std::list<Waiting>& from, std::list<Waiting>::iterator call);

  // Lists: an empty one takes no memory, and nearly all are empty nearly always.
  std::list<Waiting> ready_;
  std::list<Waiting> behind_;                   // from the first with a large answer on
  std::map<std::string, std::size_t> threads_;  // of those in behind_: how many calls each
  std::map<SessionKey, std::size_t> entering_;  // calls that were taken and have no answer yet
  std::size_t bytes_ = 0;
};

}  // namespace ptyd
