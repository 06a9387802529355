// Delivery: the next event for one cursor of a session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "pty/journal/journal.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/types.hpp"
#include "server/session/delivery/event_source.hpp"
#include "server/session/delivery/kept_marks.hpp"
#include "server/session/delivery/subscription.hpp"

namespace ptyd {

/// Sends each cursor of one session what follows it, an event at a time.
///
/// Owns    copies of the marks that some cursor has yet to pass. Journal and source are borrowed and outlive it; the
///         state of one cursor stands in its Subscription, which is borrowed for a call.
/// Thread  the session's loop; viewers are told on theirs.
/// Order   1. a reply with a place in the output, without waiting for the viewer; each further event waits until the
///         viewer has taken the one before it: 2. marks that the cursor jumped over, 3. the rest of the server's own
///         output, 4. where the cursor is overrun, `resynced` and the repaint, 5. bytes and marks of the journal,
///         6. at the journal's head, the output or event for this viewer alone. An exit follows the repaint.
/// Units   positions of the journal; lines of the screen, bytes of its text.
/// Errors  none: what cannot be sent yet, or not be told yet, stays where it is.
class Delivery {
 public:
  /// Repaint for a cursor that was overrun: text from which an emulator can go on at the journal's head. Above the
  /// screen go at most so many lines, in so many bytes, of what was skipped. Nothing while that cannot be told: then
  /// advance() is called as soon as it can.
  using Resync = std::function<std::optional<Repaint>(Position behind, std::size_t lines, std::size_t bytes)>;

  Delivery(const Journal& journal, EventSource& source, Resync resync);

  /// Takes note of what the journal got, in case it forgets that before every cursor has passed it; all of them are at
  /// `hindmost` or further on. To be called before advance().
  void note_marks(Position hindmost);
  /// A cursor went back to `position`, which the journal holds: what follows is noted again.
  void look_back(Position position);
  /// Sends what may be sent now. Replies are answered from inside.
  void advance(Subscription& to, TimePoint now);
  /// Moves the cursor forward to `position`; its viewer is owed the marks between.
  void jump(Subscription& to, Position position) const;

  /// How often a cursor went on at the journal's head because it was overrun.
  std::uint64_t resyncs() const { return resyncs_; }

 private:
  bool step(Subscription& to, TimePoint now);
  bool fire_barrier(Subscription& to);
  bool is_overrun(const Subscription& to) const;
  bool resync(Subscription& to);
  Position end_of_output() const;
  bool tell_owed(Subscription& to, TimePoint now);
  bool pass_mark(Subscription& to, const Mark& mark, TimePoint now);
  bool send_aside(Subscription& to, TimePoint now);
  bool send_injected(Subscription& to, TimePoint now);
  bool tell_skipped(Subscription& to, TimePoint now);
  bool send_output(Subscription& to, TimePoint now);

  const Journal& journal_;
  EventSource& source_;
  Resync resync_;
  KeptMarks recent_;  // those that some cursor has yet to pass, for when the journal forgets them before
  Position noted_;    // up to here
  std::uint64_t resyncs_ = 0;
};

}  // namespace ptyd
