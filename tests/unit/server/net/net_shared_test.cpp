// How many WebSockets there may be.
#include "server/net/net_shared.hpp"

#include <gtest/gtest.h>

#include "server/session/routing/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

class NetSharedTest : public testing::Test {
 protected:
  static NetOptions four_connections() {
    NetOptions options;
    options.max_connections = 4;
    return options;
  }
  NetSharedTest() {
    for (std::size_t i = 0; i < loops_.size(); i++) shared_.add_loop(loops_.at(i), nullptr);
  }
  ~NetSharedTest() override { loops_.stop(); }
  bool has_room(Access access) const { return shared_.has_room(access); }
  void connect(std::size_t loop, Access access) {
    auto& counters = shared_.at(loop).counters;
    counters.connections.add();
    if (access == Access::view) counters.view_connections.add();
  }

  ManualClock clock_;
  Loops loops_{2, clock_};
  SessionManager sessions_{
      loops_, [](Loop& loop) { return std::make_unique<FakeLauncher>(loop.context().get_executor()); }, {}};
  NetShared shared_{loops_, sessions_, four_connections()};
};

TEST_F(NetSharedTest, HasSoManyConnectionsOfAllLoopsTogetherAndNotOneMore) {
  for (std::size_t i = 0; i < 3; i++) connect(i % 2, Access::full);
  EXPECT_TRUE(has_room(Access::full));
  connect(1, Access::full);
  EXPECT_FALSE(has_room(Access::full));
  EXPECT_EQ(shared_.metrics().connections, 4u);
}

TEST_F(NetSharedTest, ConnectionsThatMayOnlyViewTakeNoPlaceOfOthers) {
  connect(0, Access::view);
  EXPECT_TRUE(has_room(Access::view));
  connect(1, Access::view);
  EXPECT_FALSE(has_room(Access::view));
  for (std::size_t i = 0; i < 3; i++) connect(0, Access::full);
  EXPECT_TRUE(has_room(Access::full));
  EXPECT_EQ(shared_.metrics().connections, 5u) << "all of them";
  EXPECT_EQ(shared_.metrics().view_connections, 2u);
}

TEST_F(NetSharedTest, CarriesOutAsManyRequestsAtOnceAsThereMayBeConnectionsAndSpareOnes) {
  for (std::size_t i = 0; i < 3 + NetShared::kSpareRequests; i++) shared_.at(i % 2).counters.carried_out.add();
  EXPECT_TRUE(shared_.has_room_for_request());
  shared_.at(0).counters.carried_out.add();
  EXPECT_FALSE(shared_.has_room_for_request());
  EXPECT_TRUE(has_room(Access::full)) << "they take no place of connections";
}

TEST_F(NetSharedTest, DrainsUntilItIsTakenBack) {
  EXPECT_FALSE(shared_.is_draining());
  shared_.set_draining(true);
  EXPECT_TRUE(shared_.is_draining());
  shared_.set_draining(false);
  EXPECT_FALSE(shared_.is_draining());
}

TEST_F(NetSharedTest, TakesNoConnectionWhenItIsClosing) {
  shared_.set_closing();
  EXPECT_FALSE(has_room(Access::full));
  EXPECT_FALSE(has_room(Access::view));
}

}  // namespace
}  // namespace ptyd
