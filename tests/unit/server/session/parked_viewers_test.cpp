// Viewers of a terminal whose Screen is parked, or would be but for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "server/session/parking.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// A server that keeps its files in a folder.
struct WithFolder {
  test::TemporaryDirectory folder;
  ManualClock clock;
};

class ParkedViewersTest : protected WithFolder, public SessionBench {
 protected:
  ParkedViewersTest() : SessionBench(kept_in(folder), 0, clock) {}

  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    return options;
  }
  void pass(std::chrono::milliseconds time) {
    for (; time > 0ms; time -= 500ms) {
      clock.advance(500ms);
      settle();
    }
  }
  std::size_t screens() const {
    const std::filesystem::directory_iterator all(folder / "sessions");
    return static_cast<std::size_t>(
        std::count_if(begin(all), end(all), [](const auto& each) { return each.path().extension() == ".screen"; }));
  }
};

TEST_F(ParkedViewersTest, WhoFellBehindBeforeAScreenWasParkedIsShownThePresent) {
  auto slow = viewer("slow");
  open(slow);
  settle();
  slow->takes = false;
  std::string text;
  while (text.size() < (3u << 20)) text += "line " + std::to_string(text.size()) + "\r\n";
  launcher_->last().say(text);
  pass(2min);
  ASSERT_EQ(launcher_->last().unread(), 0u);
  ASSERT_EQ(screens(), 1u) << "it should be parked";
  slow->takes = true;
  slow->take();
  until([&] { return slow->output.find("skipped]") != slow->output.npos; }, "the present");
  EXPECT_LT(slow->output.size(), 200'000u);
}

TEST_F(ParkedViewersTest, WhoWaitsForHisPlaceKeepsAScreenFromBeingParked) {
  auto slow = viewer("slow");
  open(slow);
  settle();
  slow->takes = false;
  launcher_->last().say("one");
  settle();
  launcher_->last().say("two");
  settle();
  Open again;
  again.key = {"t", "default"};
  again.attach = true;
  bool answered = false;
  sessions_->submit(slow, again, [&](const Result<Reply>&) { answered = true; });
  pass(2min);
  EXPECT_FALSE(answered);
  EXPECT_EQ(screens(), 0u);
  slow->takes = true;
  slow->take();
  until([&] { return answered; }, "the reply in its place");
}

}  // namespace
}  // namespace ptyd
