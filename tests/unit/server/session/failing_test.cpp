// An exception while a session does something costs that session and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <utility>

#include "pty/screen/native/native.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kColumnsWithoutMemory = 666;
/// For the next Screen.
bool no_memory_for_screens = false;

/// Has no memory left for some things.
class FailingEmulator final : public Emulator {
 public:
  explicit FailingEmulator(Grid& grid) : emulator_(make_native_emulator(grid)) {}
  void feed(const Token& token) override {
    if (token.bytes.find("too much") != token.bytes.npos) throw std::bad_alloc();
    emulator_->feed(token);
  }
  void resize(Size size) override {
    if (size.cols == kColumnsWithoutMemory) throw std::bad_alloc();
    emulator_->resize(size);
  }
  void clear() override { emulator_->clear(); }
  void reset() override { emulator_->reset(); }
  const TerminalState& state() const override { return emulator_->state(); }

 private:
  std::unique_ptr<Emulator> emulator_;
};

const SessionKey kFails{"t", "fails"}, kLives{"t", "lives"};

class FailingTest : public SessionBench {
 protected:
  FailingTest() : SessionBench(failing()) {}
  static SessionOptions failing() {
    SessionOptions options;
    options.screen.make = [](Grid& grid) -> std::unique_ptr<Emulator> {
      if (std::exchange(no_memory_for_screens, false)) throw std::bad_alloc();
      return std::make_unique<FailingEmulator>(grid);
    };
    return options;
  }
  /// A terminal can be opened, and is heard.
  void expect_works(const std::shared_ptr<FakeViewer>& viewer, const SessionKey& key) {
    open(viewer, key);
    launcher_->last().say("works");
    until([&] { return viewer->output.ends_with("works"); }, "output");
  }
  void expect_internal_error(const Result<Reply>& reply) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code(), Errc::internal);
  }
};

TEST_F(FailingTest, AnEmulatorThatThrowsEndsItsTerminalAlone) {
  auto one = viewer("one"), two = viewer("two");
  open(two, kLives);
  const auto lives = launcher_->children.back();
  open(one, kFails);
  const auto fails = launcher_->children.back();
  fails->say("this is too much for it");
  until([&] { return one->handles.empty() && fails->destroyed; }, "the end of the terminal");
  const auto news = AllOf(HasSubstr(R"("type":"error")"), HasSubstr(R"("fails")"), HasSubstr("bad_alloc"));
  for (const auto& each : {one, two})
    until([&] { return testing::Value(each->lifecycle, testing::Contains(news)); }, "news of it");
  EXPECT_FALSE(lives->destroyed);
  lives->say("still here");
  until([&] { return two->output == "still here"; }, "output of the other");
  expect_works(one, kFails);
}

TEST_F(FailingTest, WhoAskedForWhatFailsIsAnswered) {
  auto someone = viewer();
  open(someone, kFails);
  EXPECT_TRUE(ask(someone, Resize{kFails, {kColumnsWithoutMemory, 24}})) << "it takes effect at the next look";
  TakeSnapshot look;
  look.key = kFails;
  expect_internal_error(ask(someone, look));
  until([&] { return someone->handles.empty(); }, "the end of the terminal");
  expect_works(someone, kFails);
}

TEST_F(FailingTest, AStartThatFailsHoldsUpNobodyInItsThread) {
  auto someone = viewer();
  Open asked;
  asked.key = kFails;
  asked.cwd = "/";
  asked.cols = kColumnsWithoutMemory;
  expect_internal_error(ask(someone, asked));
  expect_works(someone, kLives);
  expect_works(someone, kFails);
}

TEST_F(FailingTest, ATerminalThatCannotBeMadeIsRefusedAndHoldsUpNobodyInItsThread) {
  auto someone = viewer();
  Open asked;
  asked.key = kFails;
  asked.cwd = "/";
  no_memory_for_screens = true;
  const auto refused = ask(someone, asked);
  expect_internal_error(refused);
  EXPECT_THAT(refused.error().detail(), HasSubstr("bad_alloc"));
  expect_works(someone, kLives);
  expect_works(someone, kFails);
}

}  // namespace
}  // namespace ptyd
