#include "server/loop/loops.hpp"

#include <gtest/gtest.h>

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <new>

#include "tests/support/server/loop/standing_clock.hpp"

namespace ptyd {
namespace {

TEST(Loops, GoOnWhenSomethingThrows) {
  StandingClock clock;
  Loops loops(2, clock);
  int done = 0;
  for (std::size_t at = 0; at < loops.size(); ++at) {
    loops.at(at).post([] { throw std::bad_alloc(); });
    loops.at(at).post([] { throw 1; });
    loops.at(at).post([&] {
      loops.main().post([&] {
        if (++done == 2) loops.stop();
      });
    });
  }
  loops.run();
  EXPECT_EQ(done, 2);
}

TEST(Loops, WhatStillWaitsOnOneLoopMayOwnATimerOfAnother) {
  StandingClock clock;
  std::weak_ptr<boost::asio::steady_timer> dropped;
  {
    Loops loops(3, clock);
    for (std::size_t from = 0; from < loops.size(); ++from) {
      for (std::size_t to = 0; to < loops.size(); ++to) {
        auto timer = std::make_shared<boost::asio::steady_timer>(loops.at(to).context());
        timer->expires_at(boost::asio::steady_timer::time_point::max());
        timer->async_wait([](boost::system::error_code) {});
        dropped = timer;
        loops.at(from).post([timer] {});
      }
    }
  }
  EXPECT_TRUE(dropped.expired());
}

}  // namespace
}  // namespace ptyd
