// Subscription: the right of one viewer to hear one session, with cursor and credit.
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

/// A cursor with credit, and whose it is.
struct Subscription {
  SubscriptionId id = 0;
  std::shared_ptr<Viewer> viewer;
  Position cursor = 0;
  /// The client has been sent everything from where it began up to here. Events carry this place, since a client that
  /// is cut goes on from there. It stays behind the cursor while output is passed over, and until the marks of a jump
  /// have been told.
  Position shown = 0;
  /// So many of the bytes that wait were printed while the client was away. They overrun no line, however slow it is.
  std::size_t missed = 0;
  Credit credit;
  InFlight in_flight;  ///< a client that is cut may come back to there
  DeliveryPolicy policy = DeliveryPolicy::latest;
  HoldName hold = 0;  ///< a lossless viewer's name for what is held for it
  /// So many events are still to be taken before anything proves what was sent since credit began afresh: a proof of
  /// what was sent before may have been under way then.
  std::size_t taken_before_proof = 0;
  /// The journal is held from here besides, until the last reply is proved, or something that was sent behind it.
  std::optional<Position> kept;
  ViewerTraits traits;
  bool stream_output = true;                 ///< false: events only, output is passed over
  bool is_opened = false;                    ///< its client has opened the session, and goes by what it is sent here
  bool awaits_present = false;               ///< and a reply is yet to show it the present
  std::optional<TimePoint> event_in_flight;  ///< since when the viewer holds one that it has not taken yet
  bool passes_output_over = false;           ///< its client is sent none of what it takes
  KeptMarks owed;  ///< marks that the cursor jumped over: told before anything else, one by one
  /// Output of our own to be sent at the cursor, behind what is owed: in pieces, as credit comes.
  struct Own {
    std::string text;
    std::size_t sent = 0;  ///< of it
    /// Where a client that is cut before its end is sent it again; else he is shown the terminal anew, since an
    /// emulator in the middle of it is nowhere in the journal.
    std::optional<Position> again_from;
    /// Where it shows the present: lines that it leaves out, until that is told, which comes before it.
    std::optional<std::uint64_t> skipped_lines;
    bool empty() const { return rest().empty(); }
    std::string_view rest() const { return std::string_view(text).substr(sent); }
  };
  Own own;
  /// For this viewer alone: output of our own, or an event. The last one is sent, once the cursor has reached the
  /// journal's end, where no sequence is torn by it.
  std::optional<std::variant<std::string, Clipboard>> aside;
  std::size_t scrollback = limits::kMaxHistoryLines;  ///< lines above the screen that it wants, at most
  bool takes_clipboard = false;                       ///< it asked for `clipboard` events
  /// A reply which takes its place in this session's output. Credit begins afresh behind it.
  struct Barrier {
    /// How the cursor came to it: byte by byte, by a jump, or not at all, since the session was closed or the viewer
    /// went.
    enum class Reached { in_order, by_jump, never };
    Position at = 0;
    std::function<void(Reached)> answer;  ///< called once
    bool shows = true;                    ///< the present; else its client goes on from what it was sent
  };
  std::list<Barrier> barriers;

  /// Whether a child, and others, may notice it.
  bool is_noticed() const { return ptyd::is_noticed(viewer->access()); }
  /// The journal is held for it. A viewer that is sent no output loses none.
  bool holds() const { return policy == DeliveryPolicy::lossless && stream_output; }
  /// From there: a client that is cut may come back to it.
  Position held_from() const { return std::min(kept.value_or(cursor), in_flight.oldest().value_or(cursor)); }
  /// Everything up to there has been sent, or jumped over.
  void move(Position to, Position head) {
    cursor = to;
    missed = std::min(missed, static_cast<std::size_t>(head - to));
  }
  /// Output sent until now needs no proof any more; but for a lossless viewer all of it is kept, since the reply that
  /// begins afresh may be lost as well.
  void start_afresh();
  /// Its viewer has taken the event that is in flight.
  void on_taken();
  /// Output that a client has which has been sent everything before `from`.
  void on_sent(Position from, std::size_t bytes, TimePoint now);
  void on_returned(std::size_t bytes, TimePoint now);
  /// The last reply has arrived. Where nothing is printed behind it there is no other proof: a program that is held
  /// waits for this one.
  void on_reply_arrived();
  /// As on_taken(), but the client was not sent the event, of which `bytes` were output.
  void on_passed_over(std::size_t bytes);
  /// The rest of our own output is not sent. An emulator that has a part of it may be inside a sequence, which CAN
  /// ends.
  void give_up_own();

  /// Takes the wishes of its viewer when that opens the session, once more maybe. Of a viewer that may only view
  /// nothing counts that others would notice.
  void suit(const Open& asked);
};

}  // namespace ptyd
