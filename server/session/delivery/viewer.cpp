#include "server/session/delivery/viewer.hpp"

namespace ptyd {

template <class... Told>
auto SubscriptionHandle::call(void (Publisher::*told)(SubscriptionId, Told...), Told... of_it) const {
  return [session = session_, id = id_, told, of_it...] {
    if (const auto alive = session.lock()) (*alive.*told)(id, of_it...);
  };
}

void SubscriptionHandle::taken() const {
  if (loop_) loop_->dispatch(call(&Publisher::on_taken));
}

void SubscriptionHandle::passed_over(std::size_t bytes) const {
  if (loop_) loop_->dispatch(call(&Publisher::on_passed_over, bytes));
}

void SubscriptionHandle::returned(std::size_t bytes) const {
  if (loop_) loop_->dispatch(call(&Publisher::on_returned, bytes));
}

void SubscriptionHandle::reply_arrived() const {
  if (loop_) loop_->dispatch(call(&Publisher::on_reply_arrived));
}

void SubscriptionHandle::leave() const {
  if (loop_) loop_->dispatch(call(&Publisher::on_cancelled));
}

void SubscriptionHandle::cancel() const {
  if (loop_) loop_->post(call(&Publisher::on_cancelled));
}

}  // namespace ptyd
