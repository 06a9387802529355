// LoopTest: one loop whose time the test moves, for things that belong to a loop.
#pragma once

#include <gtest/gtest.h>

#include <chrono>

#include "server/loop/loops.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {

class LoopTest : public testing::Test {
 protected:
  /// Runs everything that is ready.
  void settle() {
    loop_.context().restart();
    loop_.context().poll();
  }
  /// Time passes, and everything happens that was due.
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
};

}  // namespace ptyd
