// Distributor: the cursors of one session: who hears it, from where, and what goes to whom next.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pty/journal/journal.hpp"
#include "server/session/event_source.hpp"
#include "server/session/flow.hpp"
#include "server/session/viewer.hpp"

namespace ptyd {

/// A cursor with credit, and whose it is.
struct Subscription {
  SubscriptionId id = 0;
  std::shared_ptr<Viewer> viewer;  ///< none while a lossless viewer that went is waited for
  Position cursor = 0;
  Credit credit;
  DeliveryPolicy policy = DeliveryPolicy::latest;
  ViewerTraits traits;
  bool stream_output = true;                 ///< false: events only, output is passed over
  std::optional<TimePoint> event_in_flight;  ///< since when the viewer holds one that it has not taken yet
  std::string pending_text;                  ///< output of our own to be sent at the cursor before anything else
  /// For this viewer alone, sent once the cursor has reached the journal's end, where no sequence is torn by it: output
  /// of our own, or an event.
  std::string aside;
  EventSource::Shared aside_event;
  bool takes_clipboard = false;  ///< it asked for `clipboard` events
  /// A reply which takes its place in this session's output.
  struct Barrier {
    /// How the cursor came to it: byte by byte, by a jump, or not at all, since the session was closed or the viewer
    /// went.
    enum class Reached { in_order, by_jump, never };
    Position at = 0;
    std::function<void(Reached)> answer;  ///< called once
  };
  std::list<Barrier> barriers;
  TimePoint gone_since{};
};

/// Owns    the subscriptions. The journal and the source are borrowed and outlive it.
/// Thread  the session's loop; viewers are told on theirs.
/// Order   each cursor passes every byte and mark once, in order, unless it is overrun; then it is shown the present.
class Distributor {
 public:
  /// What is shown to a cursor that was overrun: text from which an emulator can go on at the journal's head.
  using Resync = std::function<std::string(Position behind)>;

  Distributor(const Journal& journal, EventSource& source, Resync resync);

  Subscription& add(SubscriptionId id, std::shared_ptr<Viewer> viewer, Position at);
  Subscription* find(SubscriptionId id);
  Subscription* find(const Viewer& viewer);
  /// A lossless viewer's cursor stays for flow::kLinger after it went.
  void remove(SubscriptionId id, TimePoint now);
  /// Takes up the cursor that a lossless viewer left behind at `at` or further on.
  void forget_lingering(Position at);
  /// Ends all; viewers are told, and whose reply waits for its place is answered.
  void clear();

  /// Sends to everybody what may be sent now. Viewers are told from inside: more may be added meanwhile, none removed.
  void pump(TimePoint now);
  /// Who is given text for a clipboard: `writer` if it takes such, else whoever came last of those that do, else null.
  Subscription* clipboard_taker(const Viewer* writer);
  /// Moves every cursor that is before `position` there, without a resync: what lay between was taken back.
  void skip_to(Position position);

  /// The foremost viewer that is worth waiting for.
  std::optional<Position> fastest(TimePoint now) const;
  /// Whether reading `bytes` more would overrun a lossless cursor.
  bool would_overrun_lossless(std::size_t bytes, TimePoint now);

  std::size_t viewers() const;
  const std::vector<std::unique_ptr<Subscription>>& all() const { return subscriptions_; }
  std::uint64_t resyncs() const { return resyncs_; }

 private:
  bool step(Subscription& to, TimePoint now);
  bool fire_barrier(Subscription& to);
  bool is_overrun(const Subscription& to) const;
  bool resync(Subscription& to);
  bool pass_mark(Subscription& to, const Mark& mark, TimePoint now);
  bool send_text(Subscription& to, std::string& text, TimePoint now);
  bool send_aside(Subscription& to, TimePoint now);
  bool send_output(Subscription& to, TimePoint now);
  std::size_t allowance(const Subscription& to) const;
  static void end(Subscription& ended);
  static void give_up_barriers(Subscription& ended);
  void send(Subscription& to, EventSource::Shared publication, TimePoint now);

  const Journal& journal_;
  EventSource& source_;
  Resync resync_;
  std::vector<std::unique_ptr<Subscription>> subscriptions_;
  std::uint64_t resyncs_ = 0;
};

}  // namespace ptyd
