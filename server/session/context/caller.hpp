// Caller: the client of a Command, and the callback for its answer.
#pragma once

#include <atomic>
#include <memory>

#include "pty/result.hpp"
#include "server/loop/loops.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// The asker of a Command. Copies are the same Caller.
///
/// Thread  any; the answer is given on the loop that asked, in order with the events that its viewer is sent.
/// Errors  one that goes without having been answered is our fault: an assert, and Errc::internal for the client that
///         waits.
class Caller {
 public:
  /// `viewer`, on `loop`, gets the events that it subscribes to; null for a caller that only wants the answer.
  Caller(Loop& loop, std::shared_ptr<Viewer> viewer, ReplyHandler done, bool is_agent = false);

  Loop& loop() const { return question_->loop; }
  const std::shared_ptr<Viewer>& viewer() const { return question_->viewer; }
  /// An agent, or its delegate: a terminal is not_found for it unless a program of its own runs there.
  bool is_agent() const { return question_->is_agent; }
  /// Gives the answer; to be called once.
  void reply(Result<Reply> reply) const;
  /// The answer is not waited for any more. To the code that carries out the Command the Caller counts as answered, and
  /// a reply() is dropped. On loop(), where an answer that is on its way may still come.
  void give_up() const { question_->given_up = true; }
  /// The Command is not to begin if it waits: it is answered then that it was cancelled. On loop().
  void cancel() const { question_->cancelled = true; }
  /// True also where no client waits for the answer.
  bool is_cancelled() const { return question_->cancelled || question_->given_up; }
  bool is_answered() const { return !question_->done || question_->given_up; }

 private:
  struct Question {
    Loop& loop;
    std::shared_ptr<Viewer> viewer;
    ReplyHandler done;  ///< none once it is answered
    const bool is_agent;
    std::atomic<bool> given_up = false, cancelled = false;

    ~Question();
    void answer(Result<Reply> reply);
  };

  std::shared_ptr<Question> question_;
};

}  // namespace ptyd
