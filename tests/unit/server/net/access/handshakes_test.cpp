#include "server/net/access/handshakes.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace ptyd {
namespace {

class HandshakesTest : public testing::Test {
 protected:
  /// Leaves when it is cut, as a connection does, though that comes to its end later.
  class FakeGuest final : public Guest {
   public:
    FakeGuest(Handshakes& handshakes, std::string bucket) : handshakes_(handshakes), bucket_(std::move(bucket)) {}
    void cut() override {
      is_cut = true;
      handshakes_.leave(*this);
    }
    const std::string& bucket() const override { return bucket_; }
    bool is_cut = false;

   private:
    Handshakes& handshakes_;
    std::string bucket_;
  };
  FakeGuest& come(const std::string& bucket = "a") {
    auto& guest = guests_.emplace_back(handshakes_, bucket);
    handshakes_.enter(guest);
    return guest;
  }
  std::size_t cut() const {
    std::size_t count = 0;
    for (const auto& guest : guests_) count += guest.is_cut ? 1 : 0;
    return count;
  }

  static constexpr std::size_t kMost = 4;
  Handshakes handshakes_{kMost};
  std::deque<FakeGuest> guests_;
};

TEST_F(HandshakesTest, ThereAreNeverMoreThanAllowedHoweverManyComeInOneTurn) {
  for (std::size_t i = 0; i < kMost; i++) come();
  EXPECT_EQ(cut(), 0u);
  for (std::size_t i = 0; i < 3 * kMost; i++) {
    come();
    EXPECT_EQ(handshakes_.size(), kMost);
    EXPECT_EQ(cut(), i + 1);
  }
  for (std::size_t i = 0; i < guests_.size(); i++) EXPECT_EQ(guests_[i].is_cut, i < 3 * kMost) << "the oldest go";
}

TEST_F(HandshakesTest, ThoseOfACrowdAreCutFirst) {
  auto& alone = come("alone");
  for (std::size_t i = 0; i < 10 * kMost; i++) come("crowd");
  EXPECT_FALSE(alone.is_cut) << "though it is the oldest";
}

TEST_F(HandshakesTest, OfAddressesWithAsManyTheOldestIsCut) {
  auto& first = come("a");
  for (const auto* bucket : {"b", "c", "d", "e"}) come(bucket);
  EXPECT_TRUE(first.is_cut);
  EXPECT_EQ(cut(), 1u);
}

TEST_F(HandshakesTest, OneThatHasLeftIsNotCutAndComesBackAsTheNewest) {
  auto& guest = come();
  handshakes_.leave(guest);
  handshakes_.leave(guest);
  for (std::size_t i = 0; i < kMost; i++) come();
  EXPECT_EQ(cut(), 0u);
  handshakes_.enter(guest);
  handshakes_.enter(guest);
  EXPECT_EQ(handshakes_.size(), kMost);
  EXPECT_EQ(cut(), 1u);
  for (std::size_t i = 1; i < kMost; i++) come();
  EXPECT_FALSE(guest.is_cut);
  come();
  EXPECT_TRUE(guest.is_cut);
}

TEST_F(HandshakesTest, CutsWhileThereAreAny) {
  come();
  come();
  for (int i = 0; i < 3; i++) handshakes_.cut_one();
  EXPECT_EQ(cut(), 2u);
  EXPECT_EQ(handshakes_.size(), 0u);
}

TEST(Handshakes, TakeAQuarterOfTheDescriptorsAtMost) {
  EXPECT_EQ(Handshakes::most(1'000'000, 4), Handshakes::kMost);
  EXPECT_EQ(Handshakes::most(4 * 4 * Handshakes::kMost, 4), Handshakes::kMost);
  EXPECT_EQ(Handshakes::most(1024, 4), 64u);
  EXPECT_EQ(Handshakes::most(1024, 1), 256u);
  EXPECT_EQ(Handshakes::most(2, 4), 1u);
}

}  // namespace
}  // namespace ptyd
