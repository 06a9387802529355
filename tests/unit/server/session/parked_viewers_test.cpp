// Viewers of a terminal whose Screen is parked, or would be but for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "server/session/parking.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// A server that keeps its files in a folder.
struct WithStateFolder {
  test::TemporaryDirectory folder;
};

class ParkedViewersTest : protected WithStateFolder, public SessionBench {
 protected:
  static constexpr int kLines = 100'000;

  ParkedViewersTest() : SessionBench(kept_in(folder)) {}

  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    return options;
  }
  void pass_slowly(std::chrono::milliseconds time) {
    for (; time > 0ms; time -= 500ms) pass(500ms);
  }
  /// More than a journal holds.
  static std::string long_text() {
    std::string text;
    for (int i = 0; i < kLines; ++i) text += "a line of thirty characters ...\r\n";
    return text;
  }
  /// Waits until `viewer` is told of some.
  double lines_skipped(const FakeViewer& viewer) {
    constexpr std::string_view kNotice = "[ptyd: ";
    until([&] { return viewer.output.find(kNotice) != viewer.output.npos; }, "a notice");
    const auto at = viewer.output.find(kNotice);
    return at == viewer.output.npos ? -1 : std::stod(viewer.output.substr(at + kNotice.size()));
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
  launcher_->last().say(long_text());
  pass_slowly(2min);
  ASSERT_EQ(launcher_->last().unread(), 0u);
  ASSERT_EQ(screens(), 1u) << "it should be parked";
  slow->takes = true;
  slow->take();
  EXPECT_NEAR(lines_skipped(*slow), kLines, kLines / 4);
  EXPECT_LT(slow->output.size(), 200'000u);
}

TEST_F(ParkedViewersTest, WhoFallsBehindAfterARestartIsToldOfNoMoreThanWasPrintedSince) {
  auto slow = viewer("slow");
  open(slow);
  launcher_->last().say(long_text());
  pass_slowly(2min);
  ASSERT_TRUE(ask(slow, Restart{{"t", "default"}, "/", {80, 24}, {}}));
  settle();
  slow->takes = false;
  slow->output.clear();
  launcher_->last().say(long_text());
  pass_slowly(2s);
  slow->takes = true;
  slow->take();
  EXPECT_NEAR(lines_skipped(*slow), kLines, kLines / 4);
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
  pass_slowly(2min);
  EXPECT_FALSE(answered);
  EXPECT_EQ(screens(), 0u);
  slow->takes = true;
  slow->take();
  until([&] { return answered; }, "the reply in its place");
}

}  // namespace
}  // namespace ptyd
