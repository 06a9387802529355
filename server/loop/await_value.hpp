// await_value: waits in a coroutine for a callback.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

namespace ptyd {

/// Calls `start` with a copyable function that takes a T, once; goes on, on `executor`, after that was called.
template <class T, class Executor, class Start>
boost::asio::awaitable<T> await_value(Executor executor, Start start) {
  return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(T)>(
      [executor](auto handler, Start begin) {
        auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        begin([executor, shared](T value) {
          boost::asio::post(executor,
                            [shared, value = std::move(value)]() mutable { std::move (*shared)(std::move(value)); });
        });
      },
      boost::asio::use_awaitable, std::move(start));
}

}  // namespace ptyd
