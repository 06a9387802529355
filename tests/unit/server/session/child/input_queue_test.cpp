#include "server/session/child/input_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <vector>

#include "tests/support/pty/process/fake_pty.hpp"

namespace ptyd {
namespace {

struct Silent final : PtyObserver {
  void on_readable() override {}
  void on_writable() override {}
  void on_exit(ExitStatus) override {}
};

class InputQueueTest : public testing::Test {
 protected:
  boost::asio::io_context context_;
  Silent observer_;
  std::shared_ptr<FakeChild> child_ = std::make_shared<FakeChild>(context_.get_executor(), LaunchSpec{}, observer_, 7);
  FakePty pty_{child_};
  InputQueue queue_;
};

TEST_F(InputQueueTest, GivesEverythingToAChildThatReads) {
  ASSERT_TRUE(queue_.push("abc"));
  ASSERT_TRUE(queue_.push("def"));
  const auto flushed = queue_.flush(pty_);
  EXPECT_EQ(child_->written, "abcdef");
  EXPECT_EQ(flushed.written, 6u);
  EXPECT_FALSE(flushed.blocked);
  EXPECT_TRUE(queue_.empty());
}

TEST_F(InputQueueTest, KeepsWhatAChildDoesNotTakeYetAndGoesOnThere) {
  child_->set_capacity(4);
  ASSERT_TRUE(queue_.push("abcdef"));
  EXPECT_TRUE(queue_.flush(pty_).blocked);
  EXPECT_EQ(queue_.bytes(), 2u);
  child_->set_capacity(100);
  EXPECT_FALSE(queue_.flush(pty_).blocked);
  EXPECT_EQ(child_->written, "abcdef");
}

TEST_F(InputQueueTest, AResizeStaysBetweenTheWritesBeforeAndAfterIt) {
  ASSERT_TRUE(queue_.push("before"));
  queue_.push(Size{90, 20});
  ASSERT_TRUE(queue_.push("after"));
  queue_.flush(pty_);
  EXPECT_EQ(child_->sizes.back(), (Size{90, 20}));
  EXPECT_EQ(child_->resized_after.back(), 6u);
}

TEST_F(InputQueueTest, OfSizesThatWaitSideBySideOnlyTheLastIsSet) {
  child_->set_capacity(0);
  ASSERT_TRUE(queue_.push("before"));
  for (std::uint16_t cols = 80; cols <= 90; cols++) queue_.push(Size{cols, 20});
  ASSERT_TRUE(queue_.push("after"));
  for (std::uint16_t cols = 100; cols <= 110; cols++) queue_.push(Size{cols, 20});
  queue_.flush(pty_);
  child_->set_capacity(100);
  queue_.flush(pty_);
  EXPECT_EQ(child_->written, "beforeafter");
  EXPECT_EQ(child_->sizes, (std::vector<Size>{LaunchSpec().size, {90, 20}, {110, 20}}))
      << "the first is the one it started with";
  EXPECT_EQ(child_->resized_after, (std::vector<std::size_t>{6, 11}));
}

TEST_F(InputQueueTest, TakesExactlyItsLimitAndThenNothingOfAWriteThatIsTooMuch) {
  child_->set_capacity(0);
  ASSERT_TRUE(queue_.push(std::string(InputQueue::kLimit, 'x')));
  const auto refused = queue_.push("y");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::busy);
  EXPECT_EQ(queue_.bytes(), InputQueue::kLimit);
}

TEST_F(InputQueueTest, SizesBetweenWritesCountAsPiecesAndAreNeverRefused) {
  child_->set_capacity(0);
  std::size_t writes = 0;
  while (queue_.push("x")) {
    queue_.push(Size{static_cast<std::uint16_t>(80 + writes % 2), 20});
    ASSERT_LE(++writes, InputQueue::kMaxPieces);
  }
  EXPECT_EQ(writes, InputQueue::kMaxPieces / 2);
  EXPECT_EQ(queue_.pieces(), InputQueue::kMaxPieces);
  EXPECT_EQ(queue_.push("x").error().code(), Errc::busy);
  EXPECT_EQ(queue_.bytes(), writes) << "nothing was taken of it";
  queue_.push(Size{100, 20});
  EXPECT_EQ(queue_.pieces(), InputQueue::kMaxPieces);
  child_->set_capacity(writes);
  queue_.flush(pty_);
  EXPECT_TRUE(queue_.empty());
  EXPECT_TRUE(queue_.push("x")) << "there is room again";
}

TEST_F(InputQueueTest, WritesWithoutSizesBetweenThemAreBoundedByTheirBytes) {
  child_->set_capacity(0);
  const std::string hardly_joined(2049, 'x');
  while (queue_.push(hardly_joined)) {
  }
  EXPECT_GT(queue_.bytes() + hardly_joined.size(), InputQueue::kLimit);
}

TEST_F(InputQueueTest, ALineOfAllTheKernelTakesIsFineAndOneByteMoreIsTold) {
  child_->line_mode.canonical = true;
  ASSERT_TRUE(queue_.push(std::string(InputQueue::kLineLimit, 'x') + "\n"));
  EXPECT_EQ(queue_.flush(pty_).line_too_long, 0u);
  ASSERT_TRUE(queue_.push(std::string(InputQueue::kLineLimit + 1, 'x') + "\n"));
  EXPECT_EQ(queue_.flush(pty_).line_too_long, InputQueue::kLineLimit + 1);
}

TEST_F(InputQueueTest, ALongLineIsToldOnceHoweverManyWritesItComesIn) {
  child_->line_mode.canonical = true;
  std::size_t told = 0;
  for (int i = 0; i < 10; i++) {
    ASSERT_TRUE(queue_.push(std::string(1000, 'x')));
    told += queue_.flush(pty_).line_too_long > 0 ? 1 : 0;
  }
  EXPECT_EQ(told, 1u);
}

TEST_F(InputQueueTest, ALongLineIsToldAgainToTheNextChild) {
  child_->line_mode.canonical = true;
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(queue_.push(std::string(InputQueue::kLineLimit + 1, 'x')));
    EXPECT_EQ(queue_.flush(pty_).line_too_long, InputQueue::kLineLimit + 1);
    queue_.clear();
  }
}

TEST_F(InputQueueTest, LinesAreNotCountedWhileTheProgramReadsKeys) {
  ASSERT_TRUE(queue_.push(std::string(10'000, 'x')));
  EXPECT_EQ(queue_.flush(pty_).line_too_long, 0u);
}

}  // namespace
}  // namespace ptyd
