// AckTracker: output that was sent to a peer and is not acked yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>

#include "protocol/language/languages.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Turns acks into credit. Acks of output, once a client sends them, bypass the tracker; else the ack is
/// that of the language: acks of frames, or pongs.
///
/// Order   events are recorded as they were sent; credit comes in the same order among those of one AckKind. An event
///         that awaits an ack does not delay the credit that pongs return, and the other way round.
/// Units   bytes of output as the client counts them.
class AckTracker {
 public:
  /// Bytes after which an ack is asked for: the bounds of a threshold that follows the bytes of a round trip. It starts
  /// at the minimum.
  static constexpr std::size_t kMinAck = 4 << 10, kMaxAck = 64 << 10;
  /// Pings in flight. Several are needed to time bytes over a long path, since each would otherwise wait for the pong
  /// before it.
  static constexpr std::size_t kMaxPings = 8;
  /// Unconfirmed text that may be sent: before the client's first confirmation, and after it. The latter leaves room
  /// for the windows of all its subscriptions.
  static constexpr std::size_t kFirstUnconfirmed = 64 << 10, kMaxUnconfirmed = 512 << 10;

  using Credit = std::function<void(SubscriptionId, std::size_t bytes)>;
  explicit AckTracker(Credit credit) : credit_(std::move(credit)) {}

  /// The last frame of an event was sent, in a language with that `ack_kind`. `bytes` is 0 where it needs no ack.
  void sent(SubscriptionId subscription, std::size_t bytes, AckKind ack_kind);
  /// Another event, which went in the same frame as the last one.
  void sent_along(SubscriptionId subscription, std::size_t bytes, AckKind ack_kind);
  /// A reply was sent that needs an ack. A pong acks it, whatever its client confirms, and credits 0 bytes.
  void sent_reply(SubscriptionId subscription);
  /// A frame of so much text that the client is to confirm is about to be sent. Before sent() is told of its event.
  void begun(std::size_t text);
  /// So much is unconfirmed that no more should be begun.
  bool is_full() const { return unconfirmed_bytes_ >= (confirmed_ == 0 ? kFirstUnconfirmed : kMaxUnconfirmed); }
  /// The client confirmed the `frames` oldest unconfirmed frames of those that it may confirm. They may not have been
  /// sent yet: when a stream ends, no client waits any more for its events.
  void confirmed(std::size_t frames);
  /// Gives the credit that is due, for what was acked before it was sent.
  void settle();
  /// Nothing that this subscription was sent needs an ack any more.
  void drop(SubscriptionId subscription);
  /// Its output is accounted for elsewhere from now on; replies are not.
  void drop_output(SubscriptionId subscription);

  /// Whether a ping should go out now; `idle` when nothing else waits to be sent.
  bool wants_ping(bool idle) const;
  /// The number of the ping that is sent now.
  std::uint64_t ping();
  /// Answers that ping and all before it: a peer may answer the last one only.
  void pong(std::uint64_t number);

 private:
  struct Entry {
    SubscriptionId subscription;
    std::size_t bytes;
    std::uint64_t confirmable;  // number among frames that are confirmed, 0 for others
    std::uint64_t event;        // number among all events
  };
  struct Begun {
    std::uint64_t number;  // as confirmable
    std::size_t text;
  };
  struct Ping {
    std::uint64_t number;
    std::uint64_t covers;  // events
    std::size_t asked;     // bytes that it asks for, and no ping before it
  };
  using Entries = std::list<Entry>;
  bool is_acked(const Entry& entry) const;
  void settle(Entries& entries);

  Credit credit_;
  Entries by_pong_, by_confirmation_;  // sent, and acked by these
  std::list<Begun> unconfirmed_;
  std::size_t unconfirmed_bytes_ = 0;
  std::uint64_t events_ = 0, begun_ = 0, confirmable_ = 0, confirmed_ = 0;
  std::size_t unasked_ = 0, ack_after_ = kMinAck;
  bool is_reply_unasked_ = false;
  std::list<Ping> pings_out_;
  std::uint64_t pings_ = 0, ponged_ = 0;
};

}  // namespace ptyd
