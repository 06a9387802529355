#include "server/session/viewer.hpp"

#include "server/session/session.hpp"

namespace ptyd {

void Feed::taken() const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_] {
    if (const auto alive = session.lock())
      alive->safely([&] { alive->heard([id](Audience& all, TimePoint) { return all.on_taken(id); }); });
  });
}

void Feed::passed_over(std::size_t bytes) const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_, bytes] {
    if (const auto alive = session.lock())
      alive->safely([&] { alive->heard([=](Audience& all, TimePoint) { return all.on_passed_over(id, bytes); }); });
  });
}

void Feed::returned(std::size_t bytes) const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_, bytes] {
    if (const auto alive = session.lock())
      alive->safely(
          [&] { alive->heard([=](Audience& all, TimePoint now) { return all.on_returned(id, bytes, now); }); });
  });
}

void Feed::cancel() const {
  if (!loop_) return;
  loop_->post([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->safely([&] { alive->cancel(id); });
  });
}

}  // namespace ptyd
