#include "server/loop/clock.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <utility>

namespace ptyd {
namespace {

class MachineTimer final : public Timer {
 public:
  explicit MachineTimer(boost::asio::io_context& context) : timer_(context) {}

  void wait_until(TimePoint when, Work work) override {
    timer_.expires_at(when);
    timer_.async_wait([work = std::move(work)](const boost::system::error_code& cancelled) {
      if (!cancelled) work();
    });
  }
  void cancel() override { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

class MachineClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }
  UnixMillis unix_now() const override {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  }
  std::unique_ptr<Timer> make_timer(boost::asio::io_context& context) override {
    return std::make_unique<MachineTimer>(context);
  }
};

}  // namespace

Clock& machine_clock() {
  static MachineClock clock;
  return clock;
}

}  // namespace ptyd
