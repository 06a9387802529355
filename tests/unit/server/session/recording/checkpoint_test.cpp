#include "server/session/recording/checkpoint.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/recording/screen_replay.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// A Checkpoint, and a disk that does one thing when it is told to.
class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() { show("\x1b[1mone\r\ntwo"); }

  Checkpoint on_disk() {
    return {"name", [this](const auto&, auto text, auto saved) {
              waiting_.push_back([=, this] {
                if (works_) file_ = text ? std::optional(*text) : std::nullopt;
                saved(works_);
              });
            }};
  }
  void work() {
    while (!waiting_.empty()) work_once();
  }
  void work_once() {
    const auto next = std::move(waiting_.front());
    waiting_.pop_front();
    next();
  }
  void load(Checkpoint& into) {
    into.load([this](const auto&, auto loaded) { loads_++, loaded(file_.value_or("")); }, [this] { done_++; });
  }
  void show(std::string_view text) { show_on(screen_, text); }
  /// The screen that it recreates; "nothing" where it has nothing at hand.
  std::string taken_back(Checkpoint& from) {
    Screen fresh({.size = {20, 4}});
    return from.restore(fresh) ? vt_snapshot(fresh, {}) : "nothing";
  }
  std::string now() { return vt_snapshot(screen_, {}); }

  Screen screen_{{.size = {20, 4}}};
  std::deque<std::function<void()>> waiting_;
  std::optional<std::string> file_;
  bool works_ = true;
  int loads_ = 0, done_ = 0;
};

TEST_F(CheckpointTest, ThereIsNothingAtFirst) {
  auto made = on_disk();
  EXPECT_FALSE(made.holds());
  EXPECT_FALSE(made.is_on_disk());
  EXPECT_EQ(taken_back(made), "nothing");
}

TEST_F(CheckpointTest, WithoutAFileTheBytesAreInMemoryUntilTheyAreTakenBack) {
  Checkpoint made;
  ASSERT_EQ(made.keep(screen_), Checkpoint::Keeping::done);
  EXPECT_TRUE(made.holds());
  EXPECT_FALSE(made.is_on_disk());
  load(made);
  EXPECT_EQ(loads_, 0);
  EXPECT_EQ(done_, 1);
  EXPECT_EQ(taken_back(made), now());
  EXPECT_FALSE(made.holds());
  made.delete_file();
  EXPECT_EQ(made.saved_bytes(), 0u);
}

TEST_F(CheckpointTest, TheBytesAreAwayOnceTheyAreWrittenAndStayInTheFile) {
  auto made = on_disk();
  made.keep(screen_);
  EXPECT_FALSE(made.is_on_disk());
  work();
  EXPECT_EQ(made.saved_bytes(), file_->size());
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(made.is_on_disk());
    EXPECT_EQ(taken_back(made), "nothing");
    load(made);
    EXPECT_FALSE(made.is_on_disk());
    EXPECT_EQ(taken_back(made), now());
    EXPECT_TRUE(made.holds()) << "in the file, which is read again when it is needed";
  }
}

TEST_F(CheckpointTest, WhatCannotBeWrittenStaysInMemory) {
  works_ = false;
  auto made = on_disk();
  made.keep(screen_);
  work();
  EXPECT_FALSE(made.is_on_disk());
  EXPECT_EQ(taken_back(made), now());
}

TEST_F(CheckpointTest, WhatIsReadAndIsNotWhatWasWrittenIsLost) {
  auto made = on_disk();
  made.keep(screen_);
  work();
  for (const auto& other : {std::string(), std::string(file_->size(), '?'), *file_ + "?"}) {
    made.keep(screen_);
    work();
    file_ = other;
    done_ = 0;
    load(made);
    EXPECT_EQ(done_, 1);
    EXPECT_FALSE(made.is_on_disk());
    EXPECT_FALSE(made.holds());
    EXPECT_EQ(taken_back(made), "nothing");
  }
}

TEST_F(CheckpointTest, OneTextIsOnItsWayAtATimeAndTheNextStaysInMemory) {
  auto made = on_disk();
  made.keep(screen_);
  show("!");
  made.keep(screen_);
  EXPECT_EQ(waiting_.size(), 1u);
  work();
  EXPECT_FALSE(made.is_on_disk()) << "the file holds another Screen";
  EXPECT_EQ(taken_back(made), now());
  made.keep(screen_);
  EXPECT_EQ(waiting_.size(), 1u);
}

TEST_F(CheckpointTest, WhatIsToldOfForgottenBytesChangesNothing) {
  auto made = on_disk();
  made.keep(screen_);
  made.forget();
  work();
  EXPECT_FALSE(made.holds());
  made.keep(screen_);
  work();
  std::function<void(std::string)> late;
  made.load([&](const auto&, auto loaded) { late = std::move(loaded); }, [this] { done_++; });
  made.forget();
  late(*file_);
  EXPECT_EQ(done_, 1) << "who waits is told all the same";
  EXPECT_FALSE(made.holds());
}

TEST_F(CheckpointTest, WhatIsToldLateHarmsNobodyThatIsGone) {
  std::function<void(std::string)> late;
  {
    auto made = on_disk();
    made.keep(screen_);
    work();
    made.load([&](const auto&, auto loaded) { late = std::move(loaded); }, [this] { done_++; });
    made.forget();
    made.keep(screen_);
  }
  work();
  late(*file_);
  EXPECT_EQ(done_, 1);
}

TEST_F(CheckpointTest, AFileIsDeletedBehindWhatIsPutIntoItOnceForEachTime) {
  auto made = on_disk();
  made.delete_file();
  EXPECT_EQ(waiting_.size(), 1u) << "an earlier life may have left one";
  made.delete_file();
  EXPECT_EQ(waiting_.size(), 1u);
  made.keep(screen_);
  made.delete_file();
  work_once();
  work_once();
  EXPECT_TRUE(file_);
  work();
  EXPECT_FALSE(file_);
}

TEST_F(CheckpointTest, ALongScreenIsKeptInPartsAsIfAtOnce) {
  ManualClock clock;
  for (int line = 0; line < 200; ++line) show("\x1b[3" + std::to_string(line % 8) + "mline\r\n");
  Checkpoint at_once, in_parts;
  at_once.keep(screen_);
  std::size_t turns = 1;
  for (; in_parts.keep(screen_, {clock, 0ms}) == Checkpoint::Keeping::unfinished; ++turns)
    EXPECT_FALSE(in_parts.holds()) << turns;
  const auto above = screen_.grid().scrollback(), most = Checkpoint::kRowsPerLook;
  EXPECT_EQ(turns, 1 + 2 * ((above + most - 1) / most)) << "the screen, what is above, and all of it put together";
  EXPECT_EQ(taken_back(in_parts), taken_back(at_once));
}

TEST_F(CheckpointTest, AScreenThatChangesMeanwhileIsKeptAsItIsThen) {
  ManualClock clock;
  for (int line = 0; line < 200; ++line) show("line\r\n");
  Checkpoint made;
  ASSERT_EQ(made.keep(screen_, {clock, 0ms}), Checkpoint::Keeping::unfinished);
  ASSERT_EQ(made.keep(screen_, {clock, 0ms}), Checkpoint::Keeping::unfinished);
  made.forget();
  show("\x1b[Hchanged");
  ASSERT_EQ(made.keep(screen_), Checkpoint::Keeping::done);
  EXPECT_EQ(taken_back(made), now());
}

TEST_F(CheckpointTest, AScreenThatNoBytesRecreateIsNotKept) {
  auto made = on_disk();
  show("\r\nthree\r\nfour\x1b[H");
  screen_.resize({20, 2});
  ASSERT_TRUE(screen_.grid().keeps_below());
  EXPECT_EQ(made.keep(screen_), Checkpoint::Keeping::impossible);
  EXPECT_FALSE(made.holds());
  EXPECT_TRUE(waiting_.empty());
}

}  // namespace
}  // namespace ptyd
