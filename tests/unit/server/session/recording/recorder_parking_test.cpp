// A Screen that nobody needs is parked, and comes back.
#include "server/session/recording/mark_payload.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/recording/recorder_test.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace ptyd {
namespace {

TEST_F(RecorderTest, AParkedScreenComesBackAsItWas) {
  for (const auto& file : {std::filesystem::path(), folder_ / "checkpoint"}) {
    const auto made = recorder(file);
    print(*made, kPainted);
    const auto before = text_of(*made);
    made->park();
    EXPECT_TRUE(made->is_parked());
    EXPECT_EQ(made->title(), "name");
    EXPECT_EQ(text_of(*made), before);
    EXPECT_FALSE(made->is_parked());
    EXPECT_EQ(made->screen().grid().size(), (Size{40, 6}));
    EXPECT_EQ(made->screen().grid().active(), Buffer::alternate);
    EXPECT_EQ(loads_, file.empty() ? 0u : 1u) << "what is in memory is not read from a file";
  }
}

TEST_F(RecorderTest, LinesOfAParkedScreenKeepTheirNumbers) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "cleared\r\n\n\n\n\n\n\n\x1b[3J");
  for (std::size_t i = 0; i <= Screen::kDefaultScrollback / 1000; ++i) print(*made, std::string(1000, '\n'));
  const auto numbers = [&] {
    const auto& grid = screen(*made).grid();
    return std::array{grid.first_line(), grid.next_line(), grid.uncleared_line(), grid.scrolled_out()};
  };
  const auto before = numbers();
  EXPECT_GT(before[0], before[2]) << "some have made room";
  EXPECT_GT(before[2], 0u);
  made->park();
  EXPECT_EQ(numbers(), before);
  const auto skipped_from = made->journal().head();
  print(*made, "one more\r\n");
  EXPECT_EQ(made->scrolled_out_at(made->journal().head()), made->scrolled_out_at(skipped_from) + 1);
}

TEST_F(RecorderTest, AParkedScreenIsAwayUntilItsFileHasBeenRead) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  const auto before = text_of(*made);
  made->park();
  EXPECT_TRUE(made->is_away());
  std::function<void(std::string)> loaded;
  back_ = 0;
  made->bring_back([&](const auto&, auto told) { loaded = std::move(told); }, [this] { back_++; });
  EXPECT_TRUE(made->is_away());
  EXPECT_EQ(back_, 0u);
  loaded(Store::load(folder_ / "checkpoint"));
  EXPECT_FALSE(made->is_away());
  EXPECT_EQ(back_, 1u);
  EXPECT_EQ(text_of(*made), before);
}

TEST_F(RecorderTest, WhatIsReadForARecorderThatIsGoneHarmsNobody) {
  auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  made->park();
  std::function<void(std::string)> loaded;
  back_ = 0;
  made->bring_back([&](const auto&, auto told) { loaded = std::move(told); }, [this] { back_++; });
  made.reset();
  loaded("late");
  EXPECT_EQ(back_, 1u);
}

TEST_F(RecorderTest, AScreenThatWasOnlyLookedAtIsNotSavedAgain) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  const auto before = text_of(*made);
  for (int i = 0; i < 3; ++i) {
    made->park();
    EXPECT_TRUE(made->is_away());
    EXPECT_EQ(text_of(*made), before);
    made->resize({40, 6});
  }
  EXPECT_EQ(saves_, 1u);
  print(*made, "!");
  made->park();
  EXPECT_EQ(saves_, 2u);
  EXPECT_NE(text_of(*made), before);
}

TEST_F(RecorderTest, WhateverChangesAScreenMakesItsFileWorthless) {
  using Change = std::function<void(Recorder&)>;
  const std::vector<Change> changes{[](Recorder& to) {
                                      to.resize({50, 6});
                                    },
                                    [](Recorder& to) { to.clear(); }, [](Recorder& to) { to.say("said"); },
                                    [](Recorder& to) { to.start_over(); }};
  for (const auto& change : changes) {
    const auto made = recorder(folder_ / "checkpoint");
    print(*made, kPainted);
    made->park();
    bring_back(*made);
    change(*made);
    const auto changed = text_of(*made);
    made->park();
    EXPECT_EQ(text_of(*made), changed);
  }
}

TEST_F(RecorderTest, AScreenThatIsStartedOverWhileItIsParkedIsNotTheOldOneAgain) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "first");
  made->park();
  made->start_over();
  made->park();
  EXPECT_EQ(plain(*made), "");
}

TEST_F(RecorderTest, AScreenThatIsStartedOverWhileItIsSavedIsNotTheOldOneAgain) {
  saves_late_ = true;
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "first");
  made->park();
  auto late = std::exchange(save_, nullptr);
  made->start_over();
  made->park();
  std::exchange(late, nullptr)();
  EXPECT_FALSE(made->is_away()) << "the file holds another Screen";
  EXPECT_EQ(plain(*made), "");
}

TEST_F(RecorderTest, ASmallScreenIsParkedSoonerThanOneThatIsLongToWrite) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "$ ");
  EXPECT_EQ(made->park_after(), Recorder::kQuiet);
  const auto kept = Recorder::kSaveRate * static_cast<std::size_t>(Recorder::kQuiet.count()) / 1000;
  made->say(std::string(kept - 2, 'x'));
  EXPECT_EQ(made->park_after(), Recorder::kQuiet);
  made->say(std::string(Recorder::kSaveRate, 'x'));
  EXPECT_EQ(made->park_after(), Recorder::kQuiet + std::chrono::seconds(1));
  made->park();
  EXPECT_EQ(made->park_after(), Recorder::kQuiet) << "it is in its file already";
  EXPECT_EQ(recorder()->park_after(), Recorder::kQuiet) << "it is kept in memory";
}

TEST_F(RecorderTest, AParkedScreenGoesOnWithWhatIsPrintedNext) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "half a sequence \x1b[3");
  made->park();
  print(*made, "1mred");
  EXPECT_EQ(plain(*made), "half a sequence red");
  const auto& grid = made->screen().grid();
  EXPECT_EQ(grid.pen(grid.line(Buffer::primary, 0).cells[16].pen).foreground, Colour::indexed(1));
}

TEST_F(RecorderTest, AParkedScreenWhoseCheckpointIsGoneIsShownFromTheJournal) {
  const auto made = recorder(folder_ / "checkpoint");
  made->mark(MarkKind::started, 0, encode_payload(StartFacts{1, {40, 6}, "/"}));
  print(*made, kPainted);
  const auto before = text_of(*made);
  made->park();
  std::filesystem::remove(folder_ / "checkpoint");
  EXPECT_EQ(text_of(*made), before);
}

TEST_F(RecorderTest, AParkedScreenWhoseCheckpointIsAnotherOfTheSameLengthIsShownFromTheJournal) {
  const auto made = recorder(folder_ / "checkpoint");
  made->mark(MarkKind::started, 0, encode_payload(StartFacts{1, {40, 6}, "/"}));
  print(*made, kPainted);
  const auto before = text_of(*made);
  made->park();
  const auto size = std::filesystem::file_size(folder_ / "checkpoint");
  ASSERT_TRUE(Store::save(folder_ / "checkpoint", std::string(size, '?')));
  EXPECT_EQ(text_of(*made), before);
}

TEST_F(RecorderTest, RowsThatWaitBelowASmallerScreenAreNotLostByParking) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "1\r\n2\r\n3\r\n4\r\n5\x1b[H");
  const auto before = plain_snapshot(made->screen(), {});
  made->resize({40, 2});
  made->park();
  EXPECT_FALSE(made->may_park()) << "it was tried";
  made->resize({40, 6});
  EXPECT_TRUE(made->may_park());
  EXPECT_EQ(plain_snapshot(made->screen(), {}), before);
}

/// Two links by turns in every place of the 40 x 6 screen and of `lines` above it: each place costs as much as a link.
std::string full_of_links(int lines) {
  const std::string path(2000, 'a');
  std::string text = "\x1b]8;;http://" + path + "\x1b\\x\x1b]8;;http://b" + path + "\x1b\\y\x1b]8;;\x1b\\";
  for (int column = 3; column <= 39; column += 2) text += "\x1b[1;1;1;2;1;1;" + std::to_string(column) + "$v";
  for (int row = 2; row <= 6; ++row) text += "\x1b[1;1;1;40;1;" + std::to_string(row) + ";1$v";
  for (int line = 0; line < lines; ++line) text += "\x1b[6H\n\x1b[1;1;1;40;1;6;1$v";
  return text;
}

TEST_F(RecorderTest, AScreenIsParkedOnlyWhereItsCheckpointIsNoLongerThanEightMegabytes) {
  const auto short_enough = recorder({}), too_long = recorder({});
  print(*short_enough, full_of_links(80));
  print(*too_long, full_of_links(120));
  const auto before = text_of(*too_long);
  short_enough->park();
  too_long->park();
  EXPECT_TRUE(short_enough->is_parked());
  EXPECT_FALSE(too_long->is_parked());
  EXPECT_EQ(text_of(*too_long), before);
}

TEST_F(RecorderTest, AScreenIsParkedInPartsAndWhatIsPrintedMeanwhileBeginsAnew) {
  ManualClock clock;
  const auto made = recorder({});
  std::string lines;
  for (int line = 0; line < 500; ++line) lines += "line " + std::to_string(line) + "\r\n";
  print(*made, lines);
  ASSERT_FALSE(made->park({clock, std::chrono::milliseconds(0)}));
  ASSERT_FALSE(made->park({clock, std::chrono::milliseconds(0)}));
  EXPECT_FALSE(made->is_parked());
  print(*made, "more");
  const auto before = text_of(*made);
  EXPECT_TRUE(made->park());
  EXPECT_TRUE(made->is_parked());
  EXPECT_EQ(text_of(*made), before);
}

TEST_F(RecorderTest, ACheckpointIsNobodyElsesToRead) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "secret");
  made->park();
  EXPECT_EQ(std::filesystem::status(folder_ / "checkpoint").permissions(), std::filesystem::perms(0600));
}

TEST_F(RecorderTest, AParkedScreenIsInMemoryUntilItIsInItsFile) {
  saves_late_ = true;
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  const auto before = text_of(*made);
  made->park();
  std::exchange(save_, nullptr)();
  EXPECT_TRUE(last_saved_.expired());
  EXPECT_EQ(text_of(*made), before);
  print(*made, "!");
  const auto after = text_of(*made);
  made->park();
  EXPECT_FALSE(made->is_away());
  EXPECT_EQ(text_of(*made), after) << "brought back before it was in its file";
  std::exchange(save_, nullptr)();
  EXPECT_TRUE(last_saved_.expired());
  made->park();
  EXPECT_TRUE(made->is_away()) << "by now it is, and nothing has changed";
  EXPECT_EQ(text_of(*made), after);
}

TEST_F(RecorderTest, OneIsSavedAtATimeAndTheNextStaysInMemory) {
  saves_late_ = true;
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, "first");
  made->park();
  auto late = std::exchange(save_, nullptr);
  print(*made, "second");
  made->park();
  EXPECT_FALSE(save_) << "the first is not saved yet";
  std::exchange(late, nullptr)();
  EXPECT_EQ(plain(*made), "firstsecond");
  made->park();
  EXPECT_TRUE(save_) << "now it is";
}

TEST_F(RecorderTest, WhatWasClearedIsInNoFileAndModesStay) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  made->park();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "checkpoint"));
  bring_back(*made);
  made->clear();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint"));
  EXPECT_EQ(made->screen().mode(2004, false), true) << "modes stay";
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "");
}

TEST_F(RecorderTest, WhatWasStartedOverIsInNoFile) {
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  made->park();
  made->start_over();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint"));
}

TEST_F(RecorderTest, ASaveThatIsLateDoesNotBringBackWhatWasCleared) {
  saves_late_ = true;
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, kPainted);
  made->park();
  auto late = std::exchange(save_, nullptr);
  made->clear();
  auto after_it = std::exchange(save_, nullptr);
  ASSERT_TRUE(after_it) << "the file is deleted behind what is to be put into it";
  late();
  after_it();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint"));
}

TEST_F(RecorderTest, AFileIsDeletedOnceForEachTimeItMayHaveBeenMade) {
  const auto made = recorder(folder_ / "checkpoint");
  saves_late_ = true;
  made->clear();
  EXPECT_TRUE(std::exchange(save_, nullptr)) << "an earlier life may have left one";
  made->clear();
  EXPECT_FALSE(save_);
  made->park();
  std::exchange(save_, nullptr)();
  bring_back(*made);
  made->clear();
  EXPECT_TRUE(save_);
}

}  // namespace
}  // namespace ptyd
