// IoDone: a completion handler of any type, for the places where its type would multiply what is compiled.
#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace ptyd {

/// Move-only; called once, on the loop that asked.
class IoDone {
 public:
  template <class Handler>
  requires(!std::is_same_v<std::decay_t<Handler>, IoDone>) explicit IoDone(Handler&& handler)
      : call_(std::make_unique<Of<std::decay_t<Handler>>>(std::forward<Handler>(handler))) {}

  void operator()(boost::system::error_code error, std::size_t count = 0) {
    std::exchange(call_, nullptr)->run(error, count);
  }

 private:
  struct Call {
    virtual ~Call() = default;
    virtual void run(boost::system::error_code error, std::size_t count) = 0;
  };
  template <class Handler>
  struct Of final : Call {
    explicit Of(Handler h) : handler(std::move(h)) {}
    void run(boost::system::error_code error, std::size_t count) override { std::move(handler)(error, count); }
    Handler handler;
  };

  std::unique_ptr<Call> call_;
};

}  // namespace ptyd
