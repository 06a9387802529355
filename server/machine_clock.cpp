#include "server/machine_clock.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <utility>

namespace ptyd {
namespace {

class MachineTimer final : public Timer {
 public:
  explicit MachineTimer(boost::asio::io_context& context) : timer_(context) {}

  void wait_until(TimePoint when, Work work) override {
    waiting_ = std::make_shared<Work>(std::move(work));
    timer_.expires_at(when);
    timer_.async_wait([waiting = std::weak_ptr(waiting_)](const boost::system::error_code&) {
      const auto still = waiting.lock();
      if (const auto due = still ? std::exchange(*still, nullptr) : nullptr) due();
    });
  }
  void cancel() override {
    waiting_.reset();
    timer_.cancel();
  }

 private:
  boost::asio::steady_timer timer_;
  std::shared_ptr<Work> waiting_;  // null once cancelled, even if the handler is queued already
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
