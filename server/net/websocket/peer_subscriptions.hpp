// PeerSubscriptions: the sessions that one peer hears, and what each was sent that is not acked yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <variant>

#include "protocol/language/languages.hpp"
#include "protocol/messages.hpp"
#include "server/loop/loops.hpp"
#include "server/net/websocket/ack_tracker.hpp"
#include "server/net/websocket/outbox.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Owns    the handles, and the tracker, whose pings it sends: at once when much is unacked, soon when the link is
///         quiet.
/// Thread  the peer's loop. Handles are told at once: a session may say more from inside.
/// Units   bytes of output as the client counts them.
class PeerSubscriptions {
 public:
  using Ping = std::function<void(std::uint64_t number)>;

  PeerSubscriptions(Loop& loop, Ping ping);

  AckTracker& ack_tracker() { return ack_tracker_; }
  bool is_subscribed(SubscriptionId id) const { return subscribed_.contains(id); }
  bool is_subscribed(const SessionKey& key) const { return by_key_.contains(key); }

  void add(const SubscriptionHandle& handle);
  void forget(SubscriptionId id);
  /// Ends the one subscription, if there is any.
  void leave(const SessionKey& key);
  /// Ends all subscriptions.
  void cancel();

  /// The client acks this session's output from now on. Acks of a session without a subscription are fine:
  /// the reference takes them silently.
  void acked(const AckOutput& ack);
  void pong(std::uint64_t number);
  /// A frame has been written that brought these events to their end.
  void written(std::span<const Outbox::Outgoing::Part> parts, AckKind ack_kind);
  /// An event was not sent, so nothing has to be acked.
  void passed_over(SubscriptionId id, std::size_t bytes);
  /// A reply waits to be written that shows a terminal as it is: what comes until then acks nothing that is sent
  /// behind it.
  void await_reply(const SessionKey& key);
  /// It has been written, and is to be acked. Output of the terminal that was sent before it needs no ack any more.
  void reset_credit(const SessionKey& key);

 private:
  struct Subscribed {
    SubscriptionHandle handle;
    bool acks_output = false;  // the client acks this session's output by ackOutput
    std::size_t unacked = 0;   // output bytes written; counted in case it begins to
    std::size_t replies = 0;   // that wait
  };
  void give_credit(SubscriptionId id, std::size_t bytes);
  static void return_credit(Subscribed& subscribed, std::size_t bytes);
  void ask_for_acks();
  void ask_when_quiet();

  Loop& loop_;
  Ping ping_;
  std::map<SubscriptionId, Subscribed> subscribed_;
  std::map<SessionKey, SubscriptionId> by_key_;
  AckTracker ack_tracker_{[this](SubscriptionId id, std::size_t bytes) { give_credit(id, bytes); }};
  std::unique_ptr<Timer> quiet_timer_;
  bool waits_for_quiet_ = false;
};

/// The languages of one peer that want the output of every terminal: sessions know the peer only as a whole, and the
/// end of one language's wish must not end that of another.
class AllTerminals {
 public:
  /// `always`: the address asked for them (?events=all), so no language ends that.
  explicit AllTerminals(bool always) : always_(always) {}

  /// Notes what a language asks. False: it ends a subscription that another language still wants, so it is not to be
  /// carried out.
  bool passes(const Language& language, const Command& command) {
    if (std::holds_alternative<Subscribe>(command)) wanting_.insert(&language);
    if (!std::holds_alternative<Unsubscribe>(command)) return true;
    wanting_.erase(&language);
    return !always_ && wanting_.empty();
  }

 private:
  bool always_;
  std::set<const Language*> wanting_;
};

}  // namespace ptyd
