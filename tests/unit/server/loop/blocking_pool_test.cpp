#include "server/loop/blocking_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Holds up whatever tasks wait at it, until it is opened. Each that comes gives the loop something to do, and has
/// nothing more to do with the loop once it was counted: that may go then.
class Gate {
 public:
  explicit Gate(Loop& loop) : loop_(loop) {}
  void wait() {
    {
      const std::lock_guard lock(mutex_);
      come_++;
      loop_.post([] {});
    }
    opened_.wait();
  }
  void open() {
    if (!open_.exchange(true)) open_promise_.set_value();
  }
  int come() const {
    const std::lock_guard lock(mutex_);
    return come_;
  }

 private:
  Loop& loop_;
  std::promise<void> open_promise_;
  std::shared_future<void> opened_ = open_promise_.get_future().share();
  std::atomic<bool> open_ = false;
  mutable std::mutex mutex_;
  int come_ = 0;
};

class BlockingPoolTest : public testing::Test {
 protected:
  ~BlockingPoolTest() override {
    gate_->open();
    loops_.stop();
  }
  BlockingPool& make(const BlockingPool::Options& options) {
    pool_ = std::make_unique<BlockingPool>(options);
    return *pool_;
  }
  void ask(const std::string& key, std::function<std::string()> work,
           std::optional<BlockingPool::Patience> patience = {}) {
    pool_->run(
        loops_.main(), key, std::move(patience), [work = std::move(work)]() -> Result<std::string> { return work(); },
        [this](const Result<std::string>& result) { told_.push_back(result ? *result : result.error().detail()); });
  }
  /// Asks for what waits at the gate.
  void ask_at_gate(const std::string& key, const std::string& answer,
                   std::optional<BlockingPool::Patience> patience = {}) {
    ask(
        key,
        [gate = gate_, answer] {
          gate->wait();
          return answer;
        },
        std::move(patience));
  }
  void ask_for(const std::string& key, const std::string& answer) {
    ask(key, [answer] { return answer; });
  }
  /// Asks for what goes to `place`, and hangs there.
  void ask_at(const std::string& place, bool hangs, std::optional<BlockingPool::Patience> patience = {}) {
    pool_->run(
        loops_.main(), "", std::move(patience),
        [gate = gate_, place, hangs](const BlockingPool::Enter& enter) -> Result<std::string> {
          if (!enter(place)) return place + " hangs";
          if (hangs) gate->wait();
          return std::string("done");
        },
        [this](const Result<std::string>& result) { told_.push_back(result ? *result : result.error().detail()); });
  }
  /// No event tells when a thread comes back whose asker was given up.
  void ask_until(const std::function<void()>& asks, const std::string& answer) {
    EXPECT_TRUE(run_until(loops_.main().context(), [&] {
      loops_.main().post([] {});
      asks();
      return !told_.empty() && told_.back() == answer;
    }));
  }
  void await_told(std::size_t count) {
    EXPECT_TRUE(run_until(loops_.main().context(), [&] { return told_.size() >= count; }));
    EXPECT_EQ(told_.size(), count) << testing::PrintToString(told_);
  }
  void await_at_gate(int count) {
    EXPECT_TRUE(run_until(loops_.main().context(), [&] { return gate_->come() >= count; }));
    EXPECT_EQ(gate_->come(), count);
  }

  const BlockingPool::Patience kImpatient{1ms, Error(Errc::bad_cwd, "no answer")};
  static constexpr std::size_t kThreads = 3;
  static BlockingPool::Options few() {
    BlockingPool::Options options;
    options.threads = kThreads;
    return options;
  }

  ManualClock clock_;
  Loops loops_{1, clock_};
  std::shared_ptr<Gate> gate_ = std::make_shared<Gate>(loops_.main());  ///< shared with threads that are left behind
  std::unique_ptr<BlockingPool> pool_;
  std::vector<std::string> told_;
};

TEST_F(BlockingPoolTest, AreDoneBesideTheLoopAndToldOfOnIt) {
  make(few());
  std::promise<std::thread::id> where;
  std::optional<std::thread::id> told_where;
  pool_->run(
      loops_.main(), "", {},
      [&where]() -> Result<int> {
        where.set_value(std::this_thread::get_id());
        return 7;
      },
      [&](const Result<int>& seven) {
        EXPECT_EQ(*seven, 7);
        told_where = std::this_thread::get_id();
      });
  EXPECT_TRUE(run_until(loops_.main().context(), [&] { return told_where.has_value(); }));
  EXPECT_EQ(*told_where, std::this_thread::get_id());
  EXPECT_NE(where.get_future().get(), *told_where);
}

TEST_F(BlockingPoolTest, WithoutThreadsAreDoneAndToldOfInsideTheCall) {
  BlockingPool::Options options;
  options.threads = 0;
  make(options);
  ask_for("", "at once");
  EXPECT_EQ(told_, std::vector<std::string>{"at once"});
  ask("", []() -> std::string { throw std::bad_alloc(); });
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_NE(told_[1].find("bad_alloc"), std::string::npos) << told_[1];
}

TEST_F(BlockingPoolTest, OneThatHangsStopsNoOther) {
  make(few());
  for (std::size_t i = 1; i < kThreads; ++i) ask_at_gate("", "late");
  for (int i = 0; i < 20; ++i) ask_for("", "soon");
  await_told(20);
  gate_->open();
  await_told(20 + kThreads - 1);
  EXPECT_EQ(told_.back(), "late");
}

TEST_F(BlockingPoolTest, OfOneKeyAreDoneOneAfterTheOther) {
  make(few());
  ask_at_gate("key", "0");
  for (int i = 1; i < 50; ++i) ask_for("key", std::to_string(i));
  ask_for("another", "of another");
  await_told(1);
  EXPECT_EQ(told_, std::vector<std::string>{"of another"});
  gate_->open();
  await_told(51);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(told_[static_cast<std::size_t>(i) + 1], std::to_string(i));
}

TEST_F(BlockingPoolTest, AreDoneByNoMoreThreadsThanThereMayBe) {
  make(few());
  for (std::size_t i = 0; i < kThreads + 5; ++i) ask_at_gate("", "done");
  await_at_gate(static_cast<int>(kThreads));
  gate_->open();
  await_told(kThreads + 5);
}

TEST_F(BlockingPoolTest, BeyondTheLimitAreRefusedAndThoseBeforeAreDone) {
  BlockingPool::Options options;
  options.threads = 1;
  options.waiting = 2;
  make(options);
  ask_at_gate("", "first");
  await_at_gate(1);
  ask_for("", "second");
  ask_for("", "third");
  EXPECT_TRUE(told_.empty());
  ask_for("", "fourth");
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_NE(told_[0].find("the limit is 2"), std::string::npos) << told_[0];
  gate_->open();
  await_told(4);
  EXPECT_EQ(std::vector<std::string>(told_.begin() + 1, told_.end()),
            (std::vector<std::string>{"first", "second", "third"}));
}

TEST_F(BlockingPoolTest, WhoseAskerHasNoPatienceLeftAreAnsweredOnce) {
  make(few());
  ask_at_gate("key", "late", kImpatient);
  clock_.advance(1ms);
  await_told(1);
  EXPECT_EQ(told_[0], "no answer");
  ask_for("key", "after it");
  gate_->open();
  await_told(2);
  EXPECT_EQ(told_[1], "after it");
}

TEST_F(BlockingPoolTest, ThatHadNotBegunWhenPatienceEndedAreNotDone) {
  make(few());
  ask_at_gate("key", "late");
  bool done = false;
  ask(
      "key",
      [&done] {
        done = true;
        return std::string();
      },
      BlockingPool::Patience{1ms, Error(Errc::internal, "no answer")});
  clock_.advance(1ms);
  await_told(1);
  ask_for("key", "after it");
  gate_->open();
  await_told(3);
  EXPECT_EQ(told_, (std::vector<std::string>{"no answer", "late", "after it"}));
  EXPECT_FALSE(done);
}

TEST_F(BlockingPoolTest, ThatStayAreDoneWhenTheirTurnComesAndToldOfOnce) {
  make(few());
  ask_at_gate("key", "late");
  bool done = false;
  ask(
      "key",
      [&done] {
        done = true;
        return std::string();
      },
      BlockingPool::Patience{1ms, Error(Errc::internal, "no answer"), false, true});
  clock_.advance(1ms);
  await_told(1);
  ask_for("key", "after it");
  gate_->open();
  await_told(3);
  EXPECT_EQ(told_, (std::vector<std::string>{"no answer", "late", "after it"}));
  EXPECT_TRUE(done);
}

TEST_F(BlockingPoolTest, ThatHangAndWereGivenUpKeepNoThreadFromOthers) {
  make(few());
  for (std::size_t i = 0; i < kThreads; ++i) ask_at_gate("", "late", kImpatient);
  ask_for("", "soon");
  await_at_gate(static_cast<int>(kThreads));
  EXPECT_TRUE(told_.empty());
  clock_.advance(1ms);
  await_told(kThreads + 1);
  EXPECT_EQ(told_.back(), "soon");
}

TEST_F(BlockingPoolTest, ThatHangAreBoundedByThemselvesAndRefusedBeyondThat) {
  auto options = few();
  options.hung = 2;
  make(options);
  for (int hanging = 1; hanging <= static_cast<int>(kThreads + options.hung); ++hanging) {
    ask_for("", "soon");
    await_told(told_.size() + 1);
    EXPECT_EQ(told_.back(), "soon") << "with one thread left it is done";
    ask_at_gate("", "late", kImpatient);
    await_at_gate(hanging);
    clock_.advance(1ms);
    await_told(told_.size() + 1);
  }
  ask_for("", "refused");
  EXPECT_EQ(told_.back(), "The server is busy: 5 requests hang at drives that do not answer, the limit is 5");
  gate_->open();
  ask_until([this] { ask_for("", "soon"); }, "soon");
}

TEST_F(BlockingPoolTest, AreRefusedAtOnceWhereOneHangs) {
  make(few());
  ask_at("dead", true, kImpatient);
  await_at_gate(1);
  clock_.advance(1ms);
  await_told(1);
  ask_at("dead", true);
  ask_at("alive", false);
  ask_at("", false);
  await_told(4);
  EXPECT_THAT(told_, testing::UnorderedElementsAre("no answer", "dead hangs", "done", "done"));
  gate_->open();
  told_.clear();
  ask_until([this] { ask_at("dead", false); }, "done");
}

TEST_F(BlockingPoolTest, AtOnePlaceKeepHalfOfTheThreadsAndLeaveTheOthersToOthers) {
  auto options = few();
  options.at_one_place = 2;
  make(options);
  constexpr int kMany = 20;
  for (int i = 0; i < kMany; ++i) ask_at("slow", true);
  await_at_gate(kMany);
  for (int i = 0; i < kMany; ++i) ask_at("quick", false);
  await_told(kMany);
  EXPECT_THAT(told_, testing::Each("done"));
  gate_->open();
  await_told(2 * kMany);
}

TEST_F(BlockingPoolTest, OfAKeyThatHangsAreRefusedAtOnceWhereTheAskerWantsThat) {
  make(few());
  auto shared = kImpatient;
  shared.shared = true;
  ask_at_gate("key", "late", shared);
  await_at_gate(1);
  ask(
      "key", [] { return std::string("never begun"); }, shared);
  EXPECT_TRUE(told_.empty()) << "patience has not ended";
  clock_.advance(1ms);
  await_told(2);
  ask(
      "key", [] { return std::string("refused"); }, shared);
  EXPECT_EQ(told_, std::vector<std::string>(3, "no answer"));
  ask(
      "another", [] { return std::string("of another"); }, shared);
  ask(
      "key", [] { return std::string("in its order"); }, kImpatient);
  await_told(4);
  EXPECT_EQ(told_.back(), "of another");
  gate_->open();
  await_told(5);
  EXPECT_EQ(told_.back(), "in its order");
}

TEST_F(BlockingPoolTest, ThatAreDoneInTimeLeaveNobodyWaiting) {
  make(few());
  ask(
      "", [] { return std::string("in time"); }, BlockingPool::Patience{1h, Error(Errc::internal, "no answer")});
  await_told(1);
  EXPECT_EQ(told_[0], "in time");
  EXPECT_FALSE(clock_.has_waiting()) << "the timer was cancelled";
}

TEST_F(BlockingPoolTest, ThatThrowAreAnErrorForTheirAskerAlone) {
  make(few());
  ask("key", []() -> std::string { throw std::bad_alloc(); });
  ask("key", []() -> std::string { throw 1; });
  ask_for("key", "done");
  await_told(3);
  EXPECT_NE(told_[0].find("bad_alloc"), std::string::npos) << told_[0];
  EXPECT_EQ(told_[1], "The server could not do this");
  EXPECT_EQ(told_[2], "done");
}

TEST_F(BlockingPoolTest, AreAllAnsweredOnceAtTheEnd) {
  make(few());
  ask_at_gate("key", "late");
  ask_for("key", "never begun");
  pool_->end(Error(Errc::internal, "ending"));
  ask_for("", "too late");
  await_told(3);
  EXPECT_EQ(told_, (std::vector<std::string>{"ending", "ending", "ending"}));
  gate_->open();
  pool_.reset();
  loops_.main().context().restart();
  loops_.main().context().poll();
  EXPECT_EQ(told_.size(), 3u);
}

TEST_F(BlockingPoolTest, LeaveTheirThreadBehindWhenOneHangs) {
  auto options = few();
  options.leave = 0ms;
  make(options);
  const auto owned = std::make_shared<int>(7);
  pool_->run(
      loops_.main(), "", {},
      [gate = gate_]() -> Result<int> {
        gate->wait();
        return 7;
      },
      [owned](const Result<int>&) { ADD_FAILURE() << "told after the end"; });
  await_at_gate(1);
  const auto before = BlockingPool::left_behind();
  pool_.reset();
  EXPECT_EQ(BlockingPool::left_behind(), before + 1);
  EXPECT_EQ(owned.use_count(), 1) << "what belongs to the asker is not left with the thread";
}

}  // namespace
}  // namespace ptyd
