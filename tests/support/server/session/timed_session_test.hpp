// TimedSessionTest: a SessionTest in which time passes only when the test says so.
#pragma once

#include <chrono>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {

/// A base of its own, so that the clock is there before what goes by it and outlives it.
struct WithManualClock {
  ManualClock clock_;
};

class TimedSessionTest : protected WithManualClock, public SessionTest {
 protected:
  TimedSessionTest() : SessionTest(clock_) {}

  /// Time passes, and everything happens that was due.
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
};

}  // namespace ptyd
