#include "server/net/websocket/message_progress.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kMessageBegin{1h};

TEST(MessageProgress, AMessageThatBringsTooLittleHasATimeAfterWhichItFails) {
  MessageProgress progress;
  EXPECT_EQ(progress.until(), std::nullopt);
  progress.came(1, kMessageBegin);
  EXPECT_EQ(progress.until(), kMessageBegin + MessageProgress::kTime);
  progress.came(MessageProgress::kBytes, kMessageBegin + 29s);
  EXPECT_EQ(progress.until(), kMessageBegin + MessageProgress::kTime) << "one byte too few";
}

TEST(MessageProgress, ASlowMessageMayGoOnForAsLongAsItBringsEnough) {
  MessageProgress progress;
  progress.came(1, kMessageBegin);
  auto now = kMessageBegin;
  for (std::size_t bytes = 1 + MessageProgress::kBytes; bytes < 7 << 20; bytes += MessageProgress::kBytes) {
    now += MessageProgress::kTime;
    progress.came(bytes, now);
    EXPECT_EQ(progress.until(), now + MessageProgress::kTime);
  }
}

TEST(MessageProgress, TheNextMessageBeginsAfresh) {
  MessageProgress progress;
  progress.came(1 << 20, kMessageBegin);
  progress.ended();
  EXPECT_EQ(progress.until(), std::nullopt);
  progress.came(1, kMessageBegin + 1h);
  EXPECT_EQ(progress.until(), kMessageBegin + 1h + MessageProgress::kTime);
}

}  // namespace
}  // namespace ptyd
