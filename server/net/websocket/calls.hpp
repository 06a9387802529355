// Calls: the requests of one peer, until the answers have been written.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "server/loop/loops.hpp"
#include "server/net/websocket/call_queue.hpp"
#include "server/net/websocket/large_answers.hpp"

namespace ptyd {

/// Says which call may be carried out next, and when to ask again.
///
/// Owns    what waits, and the numbers of what is under way.
/// Thread  the loop's.
/// Order   see CallQueue.
class Calls {
 public:
  /// Calls that wait or have no answer yet, before reading stops: a peer that asks faster than it listens waits for
  /// itself. Those whose answers come later are not counted once they are carried out: see LaterCalls.
  static constexpr std::size_t kMost = 256;
  /// A call with a large answer keeps back the others for so long, once all was written: then it waits for something
  /// else than this peer, a disk maybe.
  static constexpr std::chrono::milliseconds kPatience{100};

  /// Answer to a call that is carried out.
  struct PendingReply {
    CallToken token;
    Answer kind;
    LargeAnswers::Number number;
  };
  struct ReadyCall {
    const Language& language;
    Request request;
    PendingReply pending;
  };
  /// Outcome of an answer.
  enum class ReplyOutcome : std::uint8_t { nothing, sent, in_place };

  struct Callbacks {
    std::function<void()> go_on;         ///< another one may be next(); in a turn of its own
    std::function<bool()> is_all_taken;  ///< nothing waits to be written
  };
  Calls(Loop& loop, Callbacks callbacks);

  void add(const Language& language, Call call, std::size_t bytes) { queue_.add(language, std::move(call), bytes); }
  /// This one is not to be carried out any more; false: it does not wait.
  bool drop(const Language& language, CallToken token) { return queue_.drop(language, token); }
  /// To be carried out now; nothing while no call may be.
  std::optional<ReadyCall> next();
  /// Asks for go_on(), if anything waits.
  void go_on_later();
  /// Its answer was made.
  void answered(const PendingReply& pending, ReplyOutcome made);
  /// To be called when an answer that answered() said to be sent, or in place, has been written.
  void written(bool is_large, bool in_place);
  void clear();

  /// Those that wait, and those without an answer, but for later ones.
  std::size_t size() const { return queue_.size() + under_way_; }
  /// Of those that wait.
  std::size_t bytes() const { return queue_.bytes(); }
  /// Some answer is to take its place among the events.
  bool any_in_place() const { return large_.any_in_place(); }

 private:
  void be_patient();

  Loop& loop_;
  Callbacks callbacks_;
  CallQueue queue_;
  std::size_t under_way_ = 0;
  LargeAnswers large_;
  std::unique_ptr<Timer> turn_, patience_;
  bool turn_comes_ = false, patient_ = false;
};

}  // namespace ptyd
