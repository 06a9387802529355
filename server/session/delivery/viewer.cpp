#include "server/session/delivery/viewer.hpp"

namespace ptyd {

void SubscriptionHandle::taken() const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->on_taken(id);
  });
}

void SubscriptionHandle::passed_over(std::size_t bytes) const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_, bytes] {
    if (const auto alive = session.lock()) alive->on_passed_over(id, bytes);
  });
}

void SubscriptionHandle::returned(std::size_t bytes) const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_, bytes] {
    if (const auto alive = session.lock()) alive->on_returned(id, bytes);
  });
}

void SubscriptionHandle::reply_arrived() const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->on_reply_arrived(id);
  });
}

void SubscriptionHandle::cancel() const {
  if (!loop_) return;
  loop_->post([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->on_cancelled(id);
  });
}

}  // namespace ptyd
