// The promises of pty.hpp, asked of the real Pty and of the fake that stands in for it elsewhere.
#include "pty/process/pty.hpp"

#include <gtest/gtest.h>

#include <array>

#include "pty/process/unix_pty.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/pty/process/terminal.hpp"

namespace ptyd {
namespace {

/// A launcher whose children print `hello` and then end with code 3 once they have read a line.
struct World {
  explicit World(bool wants_real) : real(context.get_executor()), fake(context.get_executor()), is_real(wants_real) {
    fake.on_child = [](FakeChild& child) { child.say("hello"); };
  }
  Launcher& launcher() { return is_real ? static_cast<Launcher&>(real) : fake; }
  LaunchSpec spec() const { return shell_script("stty -echo; printf hello; read x; exit 3", "/bin/bash"); }
  void let_it_end(Terminal& terminal) {
    if (is_real) {
      terminal.type("\r");
    } else {
      fake.last().exit({3, {}});
    }
  }

  boost::asio::io_context context;
  UnixLauncher real;
  FakeLauncher fake;
  bool is_real;
};

class PtyContract : public testing::TestWithParam<bool> {
 protected:
  World world{GetParam()};
  Terminal terminal{world.context, world.launcher()};

  void TearDown() override {
    terminal.pty.reset();
    EXPECT_TRUE(run_dry(world.context));
    EXPECT_FALSE(terminal.told_in_call) << "somebody was told from inside a call";
  }
};

TEST_P(PtyContract, AnswersALaunchLater) {
  terminal.launch(world.spec());
  EXPECT_FALSE(terminal.answered);
  EXPECT_TRUE(run_until(world.context, [&] { return terminal.answered; }));
  ASSERT_TRUE(terminal.pty);
  EXPECT_GT(terminal.pty->pid(), 0);
  EXPECT_EQ(terminal.pty->candidate(), 0u);
}

TEST_P(PtyContract, TellsReadableOncePerQuestion) {
  terminal.keep_reading(false);
  ASSERT_TRUE(terminal.start(world.spec()));
  terminal.pty->watch_readable();
  terminal.pty->watch_readable();
  EXPECT_TRUE(run_until(world.context, [&] { return terminal.readable > 0; }));
  world.context.poll();
  EXPECT_EQ(terminal.readable, 1);
  std::array<char, 64> space;
  ASSERT_TRUE(eventually(world.context, [&] {
    const auto count = terminal.pty->read(space);
    return count && *count > 0;
  }));
  const auto nothing = terminal.pty->read(space);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*nothing, 0u);
}

TEST_P(PtyContract, TellsWritableOncePerQuestion) {
  ASSERT_TRUE(terminal.start(world.spec()));
  terminal.pty->watch_writable();
  terminal.pty->watch_writable();
  EXPECT_TRUE(run_until(world.context, [&] { return terminal.writable > 0; }));
  world.context.poll();
  EXPECT_EQ(terminal.writable, 1);
}

TEST_P(PtyContract, ExitIsToldOnceAndOutputEndsAfterIt) {
  ASSERT_TRUE(terminal.start(world.spec()));
  ASSERT_TRUE(terminal.wait_for("hello"));
  EXPECT_FALSE(terminal.ended);
  world.let_it_end(terminal);
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_TRUE(terminal.ended);
  EXPECT_EQ(terminal.exits, (std::vector<ExitStatus>{{3, {}}}));
  EXPECT_EQ(terminal.output, "hello");
  const auto written = terminal.pty->write("x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Errc::exited);
}

TEST_P(PtyContract, TheEndIsToldToWhoeverAsksAfterIt) {
  ASSERT_TRUE(terminal.start(world.spec()));
  ASSERT_TRUE(terminal.wait_for("hello"));
  world.let_it_end(terminal);
  ASSERT_TRUE(terminal.wait_for_end());
  const int before = terminal.readable;
  terminal.pty->watch_readable();
  EXPECT_TRUE(run_until(world.context, [&] { return terminal.readable > before; }));
}

TEST_P(PtyContract, AHangUpIsFollowedByTheExit) {
  ASSERT_TRUE(terminal.start(world.spec()));
  ASSERT_TRUE(terminal.wait_for("hello"));
  terminal.pty->hang_up();
  EXPECT_TRUE(terminal.exits.empty());
  ASSERT_TRUE(terminal.wait_for_exit());
  EXPECT_EQ(terminal.exits, (std::vector<ExitStatus>{{{}, 1}}));
}

TEST_P(PtyContract, NobodyIsToldAnythingOnceThePtyIsGone) {
  ASSERT_TRUE(terminal.start(world.spec()));
  terminal.pty->watch_writable();
  terminal.pty.reset();
  const int readable = terminal.readable;
  EXPECT_TRUE(run_dry(world.context));
  EXPECT_EQ(terminal.readable, readable);
  EXPECT_EQ(terminal.writable, 0);
  EXPECT_TRUE(terminal.exits.empty());
}

INSTANTIATE_TEST_SUITE_P(Pty, PtyContract, testing::Bool(),
                         [](const auto& param) { return param.param ? "real" : "fake"; });

}  // namespace
}  // namespace ptyd
