#include "server/loop/log.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// A file that takes nothing before it is opened.
class SlowSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  void open() { opened_promise_.set_value(); }
  /// The first line has come, and waits.
  void await_first() { came_.get_future().wait(); }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (first_) came_.set_value();
    first_ = false;
    opened_.wait();
    lines_.emplace_back(message.payload.data(), message.payload.size());
  }
  void flush_() override {}

  std::promise<void> opened_promise_, came_;
  std::shared_future<void> opened_ = opened_promise_.get_future().share();
  bool first_ = true;
  std::vector<std::string> lines_;
};

TEST(Log, WritesWhatWaitsBeforeItEnds) {
  const auto sink = std::make_shared<SlowSink>();
  sink->open();
  Log log(sink, "info");
  for (int i = 0; i < 100; ++i) spdlog::info("line {}", i);
  spdlog::debug("not for this level");
  EXPECT_TRUE(log.end(1h));
  const auto lines = sink->lines();
  ASSERT_EQ(lines.size(), 100u);
  EXPECT_EQ(lines.back(), "line 99");
}

TEST(Log, StopsNobodyWhenItsLinesAreNotReadAndCountsThoseItDrops) {
  const auto sink = std::make_shared<SlowSink>();
  {
    Log log(sink, "info", 10);
    spdlog::info("held");
    sink->await_first();
    for (int i = 0; i < 10; ++i) spdlog::info("line {}", i);
    EXPECT_EQ(Log::dropped(), 0u);
    for (int i = 10; i < 13; ++i) spdlog::info("line {}", i);
    EXPECT_EQ(Log::dropped(), 3u);
    sink->open();
    EXPECT_TRUE(log.end(1h));
  }
  const auto lines = sink->lines();
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[1], "line 3") << "the oldest are dropped";
  EXPECT_EQ(lines.back(), "line 12");
}

TEST(Log, EndsThoughNobodyReads) {
  const auto sink = std::make_shared<SlowSink>();
  Log log(sink, "info");
  spdlog::info("held");
  sink->await_first();
  EXPECT_FALSE(log.end(0ms));
  spdlog::info("nobody is told of this");
  sink->open();
  EXPECT_EQ(sink->lines().size(), 1u) << "the thread that was left behind has written the line it held";
  // That thread drops the sink in code of a library that the thread sanitizer does not see: it must not be the last.
  static std::vector<std::shared_ptr<SlowSink>> kept;
  kept.push_back(sink);
}

TEST(Log, HasDroppedNothingWhereThereIsNone) {
  EXPECT_EQ(Log::dropped(), 0u);
}

}  // namespace
}  // namespace ptyd
