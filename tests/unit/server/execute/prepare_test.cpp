// What a shell reads when it starts is written before it is launched, however long the disk takes.
#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using Prepare = RunnerBench;

TEST_F(Prepare, TheTerminalIsInUseUntilTheFilesAreThere) {
  EXPECT_FALSE(runner_->is_waited_for());
  bool is_done = false;
  runner_->prepare([&](const Result<void>&) { is_done = true; });
  EXPECT_TRUE(runner_->is_waited_for()) << "its screen is not parked: the launch needs it";
  settle();
  EXPECT_TRUE(is_done);
  EXPECT_FALSE(runner_->is_waited_for());
}

}  // namespace
}  // namespace ptyd
