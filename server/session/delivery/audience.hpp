// Audience: the subscriptions of one session, their holds on its journal, and the last writer.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/journal/journal.hpp"
#include "pty/types.hpp"
#include "server/policy/access.hpp"
#include "server/session/delivery/delivery.hpp"
#include "server/session/delivery/event_source.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/delivery/holds.hpp"
#include "server/session/delivery/subscription.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// The Subscriptions of one session.
///
/// Owns    the Subscriptions, and the Holds of lossless viewers that went. Loop, journal and source are borrowed and
///         outlive it; from where the journal is held for lossless viewers stands in its file, for the next server.
/// Thread  the session's loop; viewers are told on theirs.
/// Order   each cursor passes every byte and mark once, in order, unless it is overrun or the output before it is taken
///         back. Then its viewer is sent the marks all the same, and is resynced.
class Audience {
 public:
  /// Holds for `linger` what a lossless viewer has not acked when it went. Where `resync` gave nothing, pump() is
  /// called as soon as it would give something.
  Audience(Loop& loop, Journal& journal, EventSource& source, Delivery::Resync resync,
           std::chrono::milliseconds linger = flow::kLinger);

  /// Holds what an earlier server held, as the journal tells, as if its viewers went now.
  void await_left_behind(TimePoint now);

  /// `viewer` hears everything from now on.
  Subscription& add(SubscriptionId id, std::shared_ptr<Viewer> viewer);
  Subscription* find(SubscriptionId id);
  Subscription* find(const Viewer& viewer);
  /// Holds for a while what a lossless viewer has not acked.
  void remove(SubscriptionId id, TimePoint now);
  /// Ends all subscriptions: viewers are told, and replies that wait for their place are answered `never`.
  void clear();

  /// The position of `after`, a cursor on the wire; nothing when the journal no longer holds what followed it, or when
  /// it is no cursor of this journal.
  std::optional<Position> still_here(std::string_view after) const;
  /// Where a client starts that opens the session.
  enum class GoesOn {
    anew,      ///< with a snapshot: answer_in_place()
    there,     ///< at its cursor, with all that followed where it was: to be answered now
    in_place,  ///< it is subscribed on this connection, and its cursor never goes back: answer_behind_sent()
  };
  /// The client opens the session, maybe once more, with these options.
  GoesOn open(Subscription& subscription, const Open& asked);
  /// Gives the viewer the hold of that `name`. A connection that had this name becomes `latest`. A lossless viewer
  /// without a name takes one unnamed hold, which may be its own. `at` is its resume position. Without one it gets a
  /// snapshot, and the hold stays until that is acked.
  void take_up(Subscription& subscription, HoldName name, std::optional<Position> at);
  /// Resumes a viewer that came back behind `at`: it has everything before. Credit is reset.
  void go_on(Subscription& subscription, Position at);
  using Answer = std::function<void(Subscription::Barrier::Reached)>;
  /// Calls `answer` when everything up to now was sent, before what follows.
  void answer_in_place(Subscription& subscription, Answer answer);
  /// Calls `answer` behind what was sent already, before what follows: at once, unless it is in the middle of
  /// something.
  static void answer_behind_sent(Subscription& subscription, Answer answer);

  /// The viewer takes the next event. False: it does not hear this session any more.
  bool on_taken(SubscriptionId id);
  /// As on_taken(), but the client was not sent the event, of which `bytes` were output.
  bool on_passed_over(SubscriptionId id, std::size_t bytes);
  /// The client has acked `bytes` of output. False: as above.
  bool on_returned(SubscriptionId id, std::size_t bytes, TimePoint now);
  bool on_reply_arrived(SubscriptionId id);
  /// Null, or a viewer without a subscription: there is no last writer.
  void on_written(const Viewer* by);
  /// Traits of the last writer, also after it left; before the first write, of the only viewer. View-only viewers do
  /// not count.
  const ViewerTraits& traits() const;
  /// Text from the program for one viewer's clipboard. It goes as an event to a viewer that asked for such events: the
  /// last writer, else the newest one. Where none did it goes as OSC 52 into the last writer's output.
  void give_to_clipboard(const std::string& selections, const std::string& base64);

  /// Sends to each viewer what may be sent now. Viewers are called from inside: more may be added meanwhile, none
  /// removed.
  void pump(TimePoint now);
  /// Moves every cursor that is before `position` there, without a resync: what was printed between is taken back. To
  /// be called while the journal holds it still, since its marks are told.
  void skip_to(Position position);

  /// The foremost `latest` viewer that is worth waiting for, of those with full access.
  std::optional<Pacer::Leader> fastest(TimePoint now) const;
  /// Whether reading `bytes` more, and the marks that come with them, would overrun a lossless cursor, or what was sent
  /// before it without an ack.
  bool would_overrun_lossless(std::size_t bytes, TimePoint now);

  std::size_t viewers() const { return subscriptions_.size(); }
  /// How many have exactly this access.
  std::size_t viewers(Access access) const;
  bool has(const Viewer& viewer) const;
  const std::vector<std::unique_ptr<Subscription>>& all() const { return subscriptions_; }
  /// Holds of viewers that went.
  const std::vector<Hold>& holds() const { return holds_.all(); }
  std::uint64_t resyncs() const { return delivery_.resyncs(); }

 private:
  /// The position of `after`, where it is a cursor of this journal at `begin` or further on.
  std::optional<Position> within(Position begin, std::string_view after) const;
  Position hindmost() const;
  const Subscription* only_noticed() const;
  Subscription* clipboard_taker();
  std::optional<Hold> take_hold(const Subscription& by, HoldName name, std::optional<Position> at);
  template <class Visit>
  void each_held(Visit&& visit) const;
  void note_held();
  static void end(Subscription& ended);
  static void give_up_barriers(Subscription& ended);

  Journal& journal_;  // told from where it is held, and else only read
  Delivery delivery_;
  Holds holds_;
  std::vector<std::unique_ptr<Subscription>> subscriptions_;
  SubscriptionId writer_ = 0;  // the last writer; 0: none, or it has left
  bool was_written_to_ = false;
  ViewerTraits traits_;  // of the last writer
};

}  // namespace ptyd
