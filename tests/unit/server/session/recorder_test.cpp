#include "server/session/recorder.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pty/screen/told/snapshot.hpp"
#include "server/session/inbox_reads.hpp"
#include "server/session/mark_payload.hpp"
#include "server/session/store.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"

namespace ptyd {
namespace {

class Deaf final : public PtyObserver {
 public:
  void on_readable() override {}
  void on_writable() override {}
  void on_exit(ExitStatus) override {}
};

/// A recorder with a child, and a folder for its files.
class RecorderTest : public testing::Test {
 protected:
  RecorderTest() : folder_(std::filesystem::path(testing::TempDir()) / ("recorder-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~RecorderTest() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Recorder> recorder(std::filesystem::path checkpoint = {}) {
    auto made =
        std::make_unique<Recorder>(*Journal::create({}, "test"), Recorder::Options{}, std::move(checkpoint),
                                   [this](const auto& file, auto text, auto saved) {
                                     saves_ += text ? 1 : 0;
                                     last_saved_ = text;
                                     save_ = [=] { saved(text ? Store::save(file, *text) : Store::remove_file(file)); };
                                     if (!saves_late_) std::exchange(save_, nullptr)();
                                   });
    made->resize({40, 6});
    return made;
  }
  /// From the file, as it is now.
  void bring_back(Recorder& to) {
    to.bring_back([this](const auto& file, auto loaded) { loads_++, loaded(Store::load(file)); }, [this] { back_++; });
  }
  Recorder::Turn print(Recorder& to, std::string_view text) {
    bring_back(to);
    child_->say(text);
    return to.take(pty_, 1 << 20, {});
  }
  const Screen& screen(Recorder& of) {
    bring_back(of);
    return of.screen();
  }
  std::string text_of(Recorder& of) { return vt_snapshot(screen(of), {}); }
  std::string plain(Recorder& of) { return plain_snapshot(screen(of), {}); }
  /// What is said above the screen to a viewer that has been shown everything before `behind`.
  std::string notice_since(Recorder& of, Position behind) {
    bring_back(of);
    const auto text = of.repaint_from(behind, 0, 0);
    const auto at = text.find("[ptyd: ");
    return at == text.npos ? "" : text.substr(at, text.find(']', at) + 1 - at);
  }

  std::size_t saves_ = 0, loads_ = 0, back_ = 0;
  bool saves_late_ = false;     ///< a parked Screen is in its file once save_ was called
  std::function<void()> save_;  ///< the last one
  std::weak_ptr<const std::string> last_saved_;

  std::filesystem::path folder_;
  boost::asio::io_context context_;
  Deaf deaf_;
  std::shared_ptr<FakeChild> child_ = std::make_shared<FakeChild>(context_.get_executor(), LaunchSpec{}, deaf_, 1);
  FakePty pty_{child_};
};

constexpr std::string_view kPainted =
    "one\r\n\x1b[1;31mtwo\x1b[0m\r\n\x1b]2;name\a\x1b[?2004h\x1b[?1049h\x1b[3;4Hfull screen\x1b[4:3m";

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

TEST_F(RecorderTest, AJournalFromAnEarlierLifeIsOnTheScreenInTheSizesItWasPrintedFor) {
  auto journal = *Journal::create(folder_ / "journal", "test");
  journal.mark(MarkKind::started, 0, encode_payload(StartFacts{1, {30, 5}, "/"}));
  journal.append("a line of thirty-three characters");
  journal.mark(MarkKind::resized, 0, encode_payload(Size{60, 5}));
  journal.append("!");
  const Recorder made(std::move(journal), {}, {}, nullptr);
  EXPECT_EQ(made.screen().grid().size(), (Size{60, 5}));
  EXPECT_EQ(plain_snapshot(made.screen(), {}), "a line of thirty-three characters!");
  EXPECT_FALSE(made.is_blank());
}

TEST_F(RecorderTest, ClearingKeepsModesAndStartingOverDoesNot) {
  const auto made = recorder();
  print(*made, kPainted);
  made->clear();
  EXPECT_TRUE(made->is_blank());
  EXPECT_EQ(made->screen().mode(2004, false), true);
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "");
  made->start_over();
  EXPECT_EQ(made->screen().mode(2004, false), false);
  EXPECT_EQ(made->title(), "");
  EXPECT_EQ(made->screen().grid().size(), (Size{40, 6}));
}

TEST_F(RecorderTest, ANewChildStartsOnALineOfItsOwnBelowATranscript) {
  const auto made = recorder();
  made->begin_below();
  EXPECT_TRUE(made->is_blank()) << "there is nothing above it";
  print(*made, "\x1b[?2004hunfinished line");
  made->begin_below();
  print(*made, "next");
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "unfinished line\nnext");
  EXPECT_EQ(made->screen().mode(2004, false), false);
}

TEST_F(RecorderTest, OnlyTheLastTextsForAClipboardOfATurnAreKept) {
  const auto made = recorder();
  std::string text;
  for (int i = 0; i < 6; ++i) text += "\x1b]52;c;QQ==\a";
  text += "\x1b]52;p;Qg==\a";
  const auto turn = print(*made, text);
  ASSERT_EQ(turn.clipboard.size(), Recorder::kMaxClipboardWrites);
  EXPECT_EQ(turn.clipboard.back().selections, "p");
  EXPECT_EQ(turn.clipboard.back().base64, "Qg==");
  EXPECT_EQ(text_of(*made), "");
}

TEST_F(RecorderTest, WhatAnAgentsHookPrintsIsToldAndNotShown) {
  const auto made = recorder();
  const auto turn = print(*made,
                          "a\x1b]633;T3CODE_AGENT_EVENT=Start\x1b\\b\xC2\x9D"
                          "633;T3CODE_AGENT_EVENT=Stop\ac");
  EXPECT_EQ(turn.agent_event, "Stop");
  EXPECT_EQ(made->journal().read(turn.begin, 100).bytes, "abc");
}

TEST_F(RecorderTest, LinesThatHaveScrolledAwayAreKnownByPosition) {
  const auto made = recorder();
  print(*made, std::string(10, '\n'));
  const auto then = made->journal().head();
  print(*made, std::string(100, '\n'));
  EXPECT_EQ(made->scrolled_out_at(then), 5u);
  EXPECT_EQ(made->scrolled_out_at(made->journal().head()), 105u);
}

TEST_F(RecorderTest, LinesAreCountedOnWhateverScreenCountsThem) {
  const std::string many(10'000, '\n');
  const auto made = recorder(folder_ / "checkpoint");
  print(*made, many);
  auto then = made->journal().head();
  made->park();
  print(*made, "x");
  EXPECT_EQ(notice_since(*made, then), "") << "nothing has gone since";
  print(*made, std::string(7, '\n'));
  EXPECT_EQ(notice_since(*made, then), "[ptyd: 7 lines skipped]");
  then = made->journal().head();
  made->start_over();
  print(*made, std::string(8, '\n'));
  EXPECT_EQ(notice_since(*made, then), "[ptyd: 3 lines skipped]");
  print(*made, many + "\x1b[3J");
  then = made->journal().head();
  made->park();
  print(*made, "\n\n");
  EXPECT_EQ(notice_since(*made, then), "[ptyd: 2 lines skipped]");
}

TEST_F(RecorderTest, LinesOfAnEarlierLifeAreCountedFromWhereAViewerStopped) {
  auto journal = *Journal::create({}, "test");
  journal.mark(MarkKind::started, 0, encode_payload(StartFacts{1, {40, 6}, "/"}));
  journal.append(std::string(1000, '\n'));
  const auto then = journal.mark(MarkKind::title, 0, "a name") + 1;
  journal.append(std::string(20, '\n'));
  Recorder made(std::move(journal), {}, {}, nullptr);
  EXPECT_EQ(notice_since(made, then), "[ptyd: 20 lines skipped]");
}

// --- a turn is bounded in time

using namespace std::chrono_literals;

/// Turns whose time is up at their second look at the clock.
class ShortTurnTest : public RecorderTest {
 protected:
  Recorder::Turn turn(Recorder& of) { return of.take(pty_, 16 << 10, {}, {clock_, 2ms}); }
  /// Turns until nothing waits; the last one.
  Recorder::Turn all(Recorder& of) {
    auto last = turn(of);
    while (last.waits) last = turn(of);
    return last;
  }
  static constexpr std::size_t kShort = 2 * TurnLimit::kBytesPerLook;

  TickingClock clock_{1ms};
};

/// Two screens between whose margins every second byte moves all there is.
std::string hostile(std::size_t bytes) {
  std::string text = "\x1b[?69h\x1b[2;39s\x1b[6;3H";
  for (char c = 'a'; text.size() < bytes; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) text += {'\n', c};
  return text;
}

TEST_F(ShortTurnTest, WhatATurnHasNoTimeForWaitsInTheInboxAndIsDrawnInTheNext) {
  const auto made = recorder(), at_once = recorder();
  const std::string text = hostile(10'000);
  print(*at_once, text);
  child_->say(text);
  const auto first = turn(*made);
  EXPECT_TRUE(first.waits);
  EXPECT_FALSE(first.drained);
  EXPECT_EQ(first.bytes, text.size());
  EXPECT_GT(first.kept, 0u);
  EXPECT_LE(first.kept, kShort + 64) << "the sequences before it";
  EXPECT_EQ(made->journal().inbox(), text.substr(first.kept)) << "received, and not consumed";
  all(*made);
  EXPECT_EQ(text_of(*made), text_of(*at_once));
  EXPECT_EQ(made->journal().read(first.begin, text.size()).bytes, text);
}

TEST_F(ShortTurnTest, NothingIsReadBeforeWhatWaitsIsDrawn) {
  const auto made = recorder();
  child_->say(hostile(10'000));
  turn(*made);
  child_->say("later");
  const auto reads = child_->reads;
  const auto last = all(*made);
  EXPECT_EQ(child_->reads, reads);
  EXPECT_FALSE(last.drained) << "nobody has looked";
  EXPECT_TRUE(turn(*made).bytes > 0);
}

TEST_F(ShortTurnTest, TheEndOfOutputIsToldAfterAllOfIt) {
  const auto made = recorder();
  child_->say(hostile(10'000) + "the end");
  child_->exit({0, {}});
  std::size_t turns = 0;
  for (auto one = turn(*made); !one.ended; one = turn(*made)) ASSERT_LT(++turns, 100u);
  EXPECT_GT(turns, 1u);
  EXPECT_NE(plain_snapshot(made->screen(), {}).find("the end"), std::string::npos);
  EXPECT_TRUE(made->journal().inbox().empty());
}

TEST_F(ShortTurnTest, WhatWaitsIsAnsweredAndNamedInItsTurn) {
  const auto made = recorder();
  child_->say("\x1b]2;old\a" + hostile(10'000) + "\x1b[6n\x1b]2;new\a");
  auto one = turn(*made);
  EXPECT_EQ(one.answers, "");
  EXPECT_EQ(made->title(), "old");
  std::string answers;
  while (one.waits) {
    one = turn(*made);
    answers += one.answers;
    EXPECT_EQ(one.bytes, 0u);
  }
  EXPECT_EQ(answers.substr(0, 2), "\x1b[");
  EXPECT_TRUE(one.title_changed);
  EXPECT_EQ(made->title(), "new");
}

TEST_F(ShortTurnTest, AnUnfinishedSequenceIsNoWorkThatWaits) {
  const auto made = recorder();
  child_->say(std::string(kShort, 'x') + "\x1b[3");
  const auto one = turn(*made);
  EXPECT_FALSE(one.waits);
  EXPECT_EQ(one.kept, kShort);
  child_->say("1mred");
  turn(*made);
  EXPECT_EQ(made->journal().read(made->journal().head() - 8, 8).bytes, "\x1b[31mred");
}

TEST_F(ShortTurnTest, NoCharacterIsCutWhereATurnEnds) {
  const auto made = recorder();
  std::string text = "x";
  while (text.size() < 10'000) text += "\xE4\xB8\x80";
  child_->say(text);
  EXPECT_EQ((turn(*made).kept - 1) % 3, 0u);
  all(*made);
  EXPECT_EQ(plain_snapshot(made->screen(), {}).find("\xEF\xBF\xBD"), std::string::npos);
}

TEST_F(ShortTurnTest, WhatWaitsComesAfterAClearAndNeverBelowAnotherChild) {
  const auto made = recorder();
  child_->say(hostile(10'000) + "\x1b[?2004hafter");
  turn(*made);
  made->clear();
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "");
  all(*made);
  EXPECT_EQ(made->screen().mode(2004, false), true);
  child_->say(hostile(10'000));
  turn(*made);
  made->start_over();
  EXPECT_TRUE(made->journal().inbox().empty());
  child_->say("next");
  turn(*made);
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "next");
}

TEST_F(ShortTurnTest, ASequenceWithoutEndIsPassedOnWhateverTheTime) {
  const auto made = recorder();
  child_->say(std::string(kShort, 'x') + "\x1b]2;" + std::string(Scanner::kMaxString + 5000, 't'));
  for (int i = 0; i < 10; ++i) turn(*made);
  child_->say("\aafter");
  for (int i = 0; i < 3; ++i) turn(*made);
  EXPECT_EQ(made->title(), "");
  const auto shown = plain_snapshot(made->screen(), {});
  EXPECT_EQ(shown.substr(shown.size() - 6), "xafter") << "nothing of the sequence is text";
}

TEST_F(ShortTurnTest, OrdinaryOutputIsNotWorthManyLooksAtTheClock) {
  const auto made = recorder();
  child_->say(std::string(16 << 10, 'x'));
  made->take(pty_, 16 << 10, {}, {clock_, 1h});
  EXPECT_LE(clock_.looks, 1 + 2 + (16 << 10) / static_cast<int>(TurnLimit::kBytesPerLook));
}

TEST_F(RecorderTest, ATurnEndsWithoutAReadOfWhatIsLeftOfItsBudget) {
  const auto made = recorder();
  child_->read_limit = kPtyRead;
  child_->say(std::string(20'000, 'x'));
  EXPECT_EQ(made->take(pty_, 16 << 10, {}).bytes, 4 * kPtyRead);
  EXPECT_EQ(child_->reads, 4u);
  EXPECT_EQ(made->take(pty_, 10, {}).bytes, 10u) << "a small budget is worth a read";
}

}  // namespace
}  // namespace ptyd
