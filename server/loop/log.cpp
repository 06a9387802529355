#include "server/loop/log.hpp"

#include <spdlog/async.h>
#include <spdlog/spdlog.h>

#include <future>
#include <thread>
#include <utility>

#include "server/loop/signals_held.hpp"

namespace ptyd {

Log::Log(spdlog::sink_ptr to, const std::string& level, std::size_t waiting) : before_(spdlog::default_logger()) {
  const SignalsHeld held;
  spdlog::init_thread_pool(waiting, 1);
  logger_ = std::make_shared<spdlog::async_logger>("ptyd", std::move(to), spdlog::thread_pool(),
                                                   spdlog::async_overflow_policy::overrun_oldest);
  logger_->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%l%$ %v");
  logger_->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(logger_);
}

Log::~Log() {
  if (!ended_) end(std::chrono::milliseconds(0));
  spdlog::set_default_logger(before_);
}

std::uint64_t Log::dropped() {
  const auto threads = spdlog::thread_pool();
  return threads ? threads->overrun_counter() : 0;
}

bool Log::end(std::chrono::milliseconds patience) {
  ended_ = true;
  logger_->set_level(spdlog::level::off);
  auto threads = spdlog::thread_pool();
  spdlog::details::registry::instance().set_tp(nullptr);
  std::promise<void> ended;
  auto written = ended.get_future();
  const SignalsHeld held;
  // The pool's thread ends when all is written, and the pool's destructor waits for that.
  std::thread([threads = std::move(threads), ended = std::move(ended)]() mutable {
    threads.reset();
    ended.set_value();
  }).detach();
  return written.wait_for(patience) == std::future_status::ready;
}

}  // namespace ptyd
