// Ledger: which output has been sent to a peer and not yet proved to have arrived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>

#include "protocol/languages.hpp"
#include "server/session/viewer.hpp"

namespace ptyd {

/// Turns proofs of receipt into credit. The slowest proof that a client gives counts: acks of output (they bypass the
/// ledger), else acks of events, else pongs.
///
/// Order   events are recorded as they were sent; credit comes in the same order.
/// Units   bytes of output as the client counts them.
class Ledger {
 public:
  /// Ask for a proof after this many bytes: the bounds within which the threshold follows what a round trip carries.
  static constexpr std::size_t kMinProve = 4 << 10, kMaxProve = 64 << 10;

  using Credit = std::function<void(SubscriptionId, std::size_t bytes)>;
  explicit Ledger(Credit credit) : credit_(std::move(credit)) {}

  /// An event was sent: the last of its frames, whose language proves by `proof`. `bytes` is 0 for what needs no proof.
  void sent(SubscriptionId subscription, std::size_t bytes, Proof proof);
  /// The client confirmed the `events` oldest unconfirmed events of those that it may confirm. They may not have been
  /// sent yet: when a stream ends, nobody waits any more for what it was to carry.
  void confirmed(std::size_t events);
  /// From now on only confirmations prove what may be confirmed.
  void rely_on_confirmations();
  /// Gives the credit that is due, for what was proved before it was sent.
  void settle();
  /// Everything of this subscription is accounted for elsewhere from now on.
  void drop(SubscriptionId subscription);

  /// Whether a ping should go out now; `idle` when nothing else waits to be sent.
  bool wants_ping(bool idle) const;
  /// The number of the ping that is sent now.
  std::uint64_t ping();
  void pong(std::uint64_t number);

 private:
  struct Entry {
    SubscriptionId subscription;
    std::size_t bytes;
    std::uint64_t confirmable;  // number among events that may be confirmed, 0 for others
    std::uint64_t event;        // number among all events
  };
  bool is_proved(const Entry& entry) const;

  Credit credit_;
  std::list<Entry> entries_;
  std::uint64_t events_ = 0, confirmable_ = 0, confirmed_ = 0;
  bool relies_on_confirmations_ = false;
  std::size_t unasked_ = 0, asked_ = 0, prove_after_ = 16 << 10;
  std::uint64_t pings_ = 0, ping_covers_ = 0, ponged_ = 0;
  bool ping_out_ = false;
};

}  // namespace ptyd
