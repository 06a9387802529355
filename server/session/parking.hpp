// Parking: when the Screen of a session is parked, and what waits until it is back.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

#include "server/loop/clock.hpp"
#include "server/policy/command_traits.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/recording/checkpoint.hpp"
#include "server/session/recording/recorder.hpp"

namespace ptyd {

/// Lines above the screen that the answer to `command` shows at most.
std::size_t lines_shown(const Command& command);

/// Parks the Screen of one session, and has it brought back: read beside the loop, or drawn again in turns.
///
/// Owns    what waits. SessionContext and Recorder are borrowed and outlive it.
/// Thread  the loop's. Nothing blocks.
/// Order   Commands that need the Screen are carried out as they came, each in a turn of its own, as long as one waits.
class Parking : public std::enable_shared_from_this<Parking> {
 public:
  /// A Command, and the callback for when it has been carried out.
  struct Waiting {
    Caller caller;
    Request request;
    std::function<void()> finished;
    bool is_left_behind = false;  ///< its thread has gone on: `finished` does nothing
  };
  /// Work of the session when the Screen is there; each is called in a turn of its own.
  struct Then {
    /// Draws as much of the Screen as a turn may, then lays out so many lines above it, likewise; true: it is done.
    std::function<bool(std::size_t lines)> redraw;
    std::function<void()> go_on;             ///< reads again, and tells its viewers
    std::function<void(Waiting)> carry_out;  ///< carries out a Command that has waited
  };
  enum class Rest : std::uint8_t {
    parked,      ///< by this call, which took some time
    drawn,       ///< output that waited was drawn, as far as there was time
    unfinished,  ///< parking has begun, and the next call goes on with it
    later,       ///< it is in use, or has been just now
    settled,     ///< it is parked already, or cannot be
  };
  /// Commands that wait for one Screen; further ones are refused with `busy`. A disk has to be silent for long until
  /// people have asked so often.
  static constexpr std::size_t kMaxWaiting = 256;
  /// The session has been quiet for so long before what waits to be drawn is drawn unasked.
  static constexpr std::chrono::milliseconds kQuietBeforeDrawn{20};
  /// Drawing, and parking, takes so long in a turn.
  static constexpr std::chrono::milliseconds kTurn{5};

  Parking(SessionContext& context, Recorder& recorder, Checkpoint::LoadFile load, Then then);

  /// The session does something: its Screen may be needed again soon.
  void on_use();
  /// Parks the Screen when it is time to and it is not `in_use`; before that it is drawn.
  Rest rest(bool in_use);

  /// A Command that needs the Screen has to wait.
  bool holds() const { return under_way_ || recorder_.is_away(); }
  /// Keeps it until it may be carried out. Errc::busy for its caller when too many wait.
  void wait(Waiting next);
  /// Keeps a Command that is being carried out until the lines that it shows are laid out, ahead of all that wait.
  void wait_for_lines(Waiting next);
  /// Has the Screen brought back; then the session goes on.
  void bring_back();
  /// The session is closed: every waiting Command is answered `error`.
  void end(const Error& error);

 private:
  template <class Work>
  void queue(Work work);
  void redraw();
  void turn();

  SessionContext& context_;
  Recorder& recorder_;
  const Checkpoint::LoadFile load_;
  const Then then_;
  TimePoint used_at_;
  std::deque<Waiting> waiting_;
  bool under_way_ = false;  // until nothing waits any more
};

}  // namespace ptyd
