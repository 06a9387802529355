// Caller: who asked, and how to answer.
#pragma once

#include <memory>

#include "pty/result.hpp"
#include "server/loop/loops.hpp"
#include "server/session/session_facts.hpp"
#include "server/session/viewer.hpp"

namespace ptyd {

/// Who asked. Copies are the same Caller.
///
/// Thread  any; the answer is given on the loop that asked, in order with the events that its viewer is sent.
/// Errors  one that goes without having been answered is our fault: an assert, and Errc::internal for who waits.
class Caller {
 public:
  /// `viewer`, on `loop`, hears what it asks to hear; null for one who only wants the answer.
  Caller(Loop& loop, std::shared_ptr<Viewer> viewer, ReplyHandler done);

  Loop& loop() const { return question_->loop; }
  const std::shared_ptr<Viewer>& viewer() const { return question_->viewer; }
  /// Once.
  void reply(Result<Reply> reply) const;
  bool is_answered() const { return !question_->done; }

 private:
  struct Question {
    Loop& loop;
    std::shared_ptr<Viewer> viewer;
    ReplyHandler done;  ///< none once it is answered

    ~Question();
    void answer(Result<Reply> reply);
  };

  std::shared_ptr<Question> question_;
};

}  // namespace ptyd
