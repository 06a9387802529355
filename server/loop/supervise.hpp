// supervise: the one way in which work of ours is started and left alone.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <memory>
#include <utility>

namespace ptyd {

/// Tells `owner` of an exception by on_task_failed(what). The owner writes one line to the log and ends itself alone.
template <class Owner>
void tell_failure(Owner& owner, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    owner.on_task_failed(error.what());
  } catch (...) {
    owner.on_task_failed("unknown exception");
  }
}

/// Does `work` of `owner` now; what it throws ends that owner only. False when it threw.
template <class Owner, class Work>
bool guarded(Owner& owner, Work&& work) {
  try {
    std::forward<Work>(work)();
    return true;
  } catch (...) {
    tell_failure(owner, std::current_exception());
    return false;
  }
}

/// Runs `task` on owner->executor(). The owner lives as long as the task.
template <class Owner>
void supervise(std::shared_ptr<Owner> owner, boost::asio::awaitable<void> task) {
  auto executor = owner->executor();
  boost::asio::co_spawn(executor, std::move(task), [owner = std::move(owner)](const std::exception_ptr& exception) {
    if (exception) tell_failure(*owner, exception);
  });
}

/// The same for a completion handler: keeps the owner alive until it has run, and stops what it throws.
template <class Owner, class Handler>
auto supervised(std::shared_ptr<Owner> owner, Handler handler) {
  return
      [owner = std::move(owner), handler = std::move(handler)]<class... Arguments>(Arguments&&... arguments) mutable {
        try {
          handler(std::forward<Arguments>(arguments)...);
        } catch (...) {
          tell_failure(*owner, std::current_exception());
        }
      };
}

}  // namespace ptyd
