// Subscription: one viewer's subscription to one session, with cursor and credit.
#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "protocol/messages.hpp"
#include "pty/types.hpp"
#include "server/policy/access.hpp"
#include "server/session/delivery/event_source.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/delivery/holds.hpp"
#include "server/session/delivery/kept_marks.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// A viewer's cursor in a session, with its credit.
struct Subscription {
  SubscriptionId id = 0;
  std::shared_ptr<Viewer> viewer;
  Position cursor = 0;
  /// The client has been sent everything up to here. Events carry this position, since a client that disconnects
  /// resumes there. It stays behind the cursor while output is passed over, and until the marks of a jump have been
  /// sent.
  Position shown = 0;
  /// Waiting bytes that were printed while the client was away. They overrun no link, however slow it is.
  std::size_t missed = 0;
  Credit credit;
  InFlight in_flight;  ///< a client that disconnects may resume there
  DeliveryPolicy policy = DeliveryPolicy::latest;
  HoldName hold = 0;  ///< a lossless viewer's name for what is held for it
  /// Events the viewer must still take before an ack counts. Acks of earlier output may be in flight when credit is
  /// reset.
  std::size_t taken_before_ack = 0;
  /// Extra hold on the journal from here, until the client acks the last snapshot or anything sent after it.
  std::optional<Position> kept;
  ViewerTraits traits;
  bool stream_output = true;                 ///< false: events only, no output
  bool is_opened = false;                    ///< its client has opened the session, and relies on what it is sent here
  bool awaits_present = false;               ///< and the reply with its snapshot is still to be sent
  std::optional<TimePoint> event_in_flight;  ///< time at which the event was sent that the viewer has not taken yet
  bool passes_output_over = false;           ///< its client is not sent the output that the viewer takes
  KeptMarks owed;  ///< marks that the cursor jumped over: sent before anything else, one by one
  /// Output of the server to be sent at the cursor, after `owed`: in pieces, as credit comes.
  struct InjectedOutput {
    std::string text;
    std::size_t sent = 0;  ///< of it
    /// Resume position if the client disconnects midway; none: it gets a new snapshot.
    std::optional<Position> again_from;
    /// Lines this repaint skips; reported in `resynced` before it is sent.
    std::optional<std::uint64_t> skipped_lines;
    bool empty() const { return rest().empty(); }
    std::string_view rest() const { return std::string_view(text).substr(sent); }
  };
  InjectedOutput injected;
  /// For this viewer alone: output of the server, or an event. Only the last one is sent, once the cursor has reached
  /// the journal's end, where it tears no sequence.
  std::optional<std::variant<std::string, Clipboard>> aside;
  std::size_t scrollback = limits::kMaxHistoryLines;  ///< lines above the screen that it wants, at most
  bool takes_clipboard = false;                       ///< it asked for `clipboard` events
  /// A reply with a place in this session's output. Credit is reset behind it.
  struct Barrier {
    /// The cursor came to it byte by byte, or by a jump; or never, since the session was closed or the viewer left.
    enum class Reached { in_order, by_jump, never };
    Position at = 0;
    std::function<void(Reached)> answer;  ///< called once
    bool shows = true;                    ///< it carries a snapshot; else its client goes on from what it was sent
  };
  std::list<Barrier> barriers;

  /// Whether the child and other clients may notice it.
  bool is_noticed() const { return ptyd::is_noticed(viewer->access()); }
  /// The journal is held for it. A viewer without output loses none.
  bool holds() const { return policy == DeliveryPolicy::lossless && stream_output; }
  /// Start of that hold: a client that disconnects may resume there.
  Position held_from() const { return std::min(kept.value_or(cursor), in_flight.oldest().value_or(cursor)); }
  /// Everything up to there has been sent, or jumped over.
  void move(Position to, Position head) {
    cursor = to;
    missed = std::min(missed, static_cast<std::size_t>(head - to));
  }
  /// Output sent until now needs no ack any more. For a lossless viewer all of it stays held, since the reply with the
  /// snapshot may be lost as well.
  void reset_credit();
  /// Its viewer has taken the event that is in flight.
  void on_taken();
  /// Output from `from` on was sent, after everything before it.
  void on_sent(Position from, std::size_t bytes, TimePoint now);
  void on_returned(std::size_t bytes, TimePoint now);
  /// The client has received the last snapshot. A program that waits for a lossless viewer waits for this where nothing
  /// is printed after it.
  void on_reply_arrived();
  /// As on_taken(), but the client was not sent the event, of which `bytes` were output.
  void on_passed_over(std::size_t bytes);
  /// Drops the rest of the server's output. An emulator that has a part of it may be inside a sequence, which CAN ends.
  void drop_injected();

  /// Applies the options of an `open`, which may be repeated. Those of a view-only viewer are ignored where others
  /// would notice them.
  void suit(const Open& asked);
};

}  // namespace ptyd
