#include "server/session/context/caller.hpp"

#include <cassert>
#include <utility>

namespace ptyd {

Caller::Caller(Loop& loop, std::shared_ptr<Viewer> viewer, ReplyHandler done, bool is_agent)
    : question_(new Question{loop, std::move(viewer), std::move(done), is_agent}) {}

void Caller::reply(Result<Reply> reply) const {
  assert(question_->done && "answered twice");
  question_->answer(std::move(reply));
}

void Caller::Question::answer(Result<Reply> reply) {
  // Also where no client takes it: captures of `done` and of the viewer end on their loop.
  loop.dispatch(
      [done = std::exchange(done, nullptr), viewer = viewer, wanted = !given_up, reply = std::move(reply)]() mutable {
        if (wanted) done(std::move(reply));
      });
}

/// Loops that have stopped answer no client any more.
Caller::Question::~Question() {
  if (!done || loop.has_stopped()) return;
  assert(given_up && "a Caller was never answered");
  answer(Error(Errc::internal, "The request was lost"));
}

}  // namespace ptyd
