// Outbox: frames that wait to be written to one peer.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/language/languages.hpp"
#include "server/net/websocket/ack_tracker.hpp"
#include "server/net/websocket/transport.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Owns    what waits. The dialects and the tracker are borrowed: an event becomes frames when it is its turn.
/// Order   answers first, except those that take their place among the events; events as they came.
/// Units   bytes of JSON text; of what waits, with what it costs to keep it.
class Outbox {
 public:
  using Dialects = std::map<const Language*, std::unique_ptr<Dialect>>;
  /// Told of an event that no language carries when it is its turn.
  using PassOver = std::function<void(SubscriptionId, std::size_t bytes)>;

  /// Bytes that may wait for a client whose stream is full: beyond this they are sent all the same.
  static constexpr std::size_t kMaxHeld = 1 << 20;
  /// Most that is gathered into one frame, unless one event is longer: no longer than a frame of output.
  static constexpr std::size_t kMaxGathered = 64 << 10;

  struct Outgoing {
    struct Part {
      SubscriptionId subscription;  ///< 0: of none
      std::size_t bytes;            ///< of output, as the client counts them
    };
    Frame frame;
    std::vector<Part> parts = {};  ///< the events that have all been sent with this frame
    AckKind ack_kind = AckKind::pong;
    bool is_large = false;                 ///< the answer to a call whose answer is not small
    std::optional<SessionKey> shown = {};  ///< it shows this session as it is in this place
  };

  Outbox(Dialects& dialects, AckTracker& ack_tracker, PassOver pass_over);

  void add_answer(std::string frame, bool is_large);
  /// A large one, behind the events that wait now.
  void add_in_place(std::string frame, SessionKey shown);
  /// `subscription` is 0 for a broadcast.
  void add_event(SubscriptionId subscription, std::shared_ptr<const EncodedEvent> encoded);

  /// The next frame, or nothing. While an answer in place is `awaited`, a full stream holds nothing back: what stands
  /// before that answer has been asked for with it.
  std::optional<Outgoing> take(bool awaited);
  /// Another frame is sure to follow the one taken last.
  bool has_more() const { return !answers_.empty() || !prepared_.empty(); }
  void clear();

  /// All that waits, but for output, of which the cursors' credit is the bound, and large answers, of which there is
  /// one.
  std::size_t bytes() const { return bytes_; }
  /// Of these, what is of no subscription.
  std::size_t broadcasts() const { return broadcasts_; }
  std::size_t broadcast_bytes() const { return broadcast_bytes_; }

 private:
  struct Waiting {
    std::shared_ptr<const EncodedEvent> encoded;  // null for an answer
    std::unique_ptr<Outgoing> answer;
    SubscriptionId subscription = 0;
    /// Of an event.
    std::size_t size() const { return encoded->text.json.size(); }
    std::size_t cost() const { return sizeof(*this) + size(); }
  };
  using Events = std::vector<Waiting>;

  void prepare(bool awaited);
  bool is_held(bool awaited) const;
  void prepare_events();
  Events take_gathered();
  void wrap(const Language& language, Dialect& dialect, const Events& events);
  void count(const Waiting& event, bool comes);

  Dialects& dialects_;
  AckTracker& ack_tracker_;
  PassOver pass_over_;
  // Lists: an empty one takes no memory, and nearly all are empty nearly always.
  std::list<Outgoing> answers_;
  std::list<Outgoing> prepared_;  // of one event, or of several that go together, or one answer
  std::list<Waiting> waiting_;
  bool gathering_ = false;  // a full stream has held back what waits
  std::size_t bytes_ = 0, output_bytes_ = 0, broadcasts_ = 0, broadcast_bytes_ = 0;
};

/// Of their languages, with commas.
std::string names_of(const Outbox::Dialects& dialects);

}  // namespace ptyd
