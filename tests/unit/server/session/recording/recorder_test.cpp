#include "server/session/recording/recorder.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/session/recording/mark_payload.hpp"
#include "server/session/recording/screen_replay.hpp"
#include "tests/support/server/session/recording/recorder_test.hpp"

namespace ptyd {
namespace {

TEST_F(RecorderTest, AJournalFromAnEarlierLifeIsOnTheScreenInTheSizesItWasPrintedFor) {
  auto journal = *Journal::create(folder_ / "journal", "test");
  journal.mark(MarkKind::started, 0, encode_payload(StartFacts{1, {30, 5}, "/"}));
  journal.append("a line of thirty-three characters");
  journal.mark(MarkKind::resized, 0, encode_payload(Size{60, 5}));
  journal.append("!");
  Recorder made(std::move(journal), {}, {});
  EXPECT_TRUE(made.is_away());
  EXPECT_EQ(screen(made).grid().size(), (Size{60, 5}));
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

std::string journal_text(const Recorder& of) {
  const auto& journal = of.journal();
  return std::string(journal.read(journal.tail(), journal.capacity()).bytes);
}

TEST_F(RecorderTest, AClearInsideASequenceShowsNothingOfItsRest) {
  const struct {
    std::string begun, rest, kept, shown;
  } cases[] = {
      {"\x1b[3", "1mred", "\x1b[31mred", "red"},
      {"\xE4\xBD", "\xA0", "\xE4\xBD\xA0", "\xE4\xBD\xA0"},
      {"\x1b]2;half a ti", "tle\aafter", "after", "after"},
      {"\x1b]2;a title\x1b", "\\after", "after", "after"},
      {"\x1bPsome da", "ta\x1b\\after", "after", "after"},
      {"\x1b]2;" + std::string(Scanner::kMaxString + 1000, 't'), "tle\aafter", "after", "after"},
      {"\x1b]2;half a ti", "tle\x1b[1mafter", "\x1b[1mafter", "after"},
  };
  for (const auto& each : cases) {
    const auto made = recorder();
    print(*made, "before" + each.begun);
    made->clear();
    EXPECT_EQ(journal_text(*made), "");
    print(*made, each.rest);
    EXPECT_EQ(journal_text(*made), each.kept);
    EXPECT_EQ(plain(*made), each.shown);
    EXPECT_EQ(made->title(), "");
    print(*made, "\x1b]2;next\a");
    EXPECT_EQ(made->title(), "next") << "it is over";
  }
}

TEST_F(RecorderTest, AClearInsideWhatAShellTellsUsLosesNothingOfThat) {
  const auto made = recorder();
  int markers = 0;
  made->listen({.on_marker = [&markers](const ShellMarker&) { ++markers; }});
  print(*made, "\x1b]6973;" + std::string(kNonceDigits, '0') + ";P");
  made->clear();
  print(*made, ";0;/\aafter");
  EXPECT_EQ(markers, 1);
  EXPECT_EQ(journal_text(*made), "after");
}

TEST_F(RecorderTest, OfSizesAtWhichNothingIsDrawnOnlyTheLastCounts) {
  const auto made = recorder();
  print(*made, "\x1b[?1049h0123456789012345678901234567890123456789");
  for (const Size size : {Size{20, 6}, Size{5, 6}, Size{40, 6}}) made->resize(size);
  EXPECT_EQ(plain(*made), "0123456789012345678901234567890123456789") << "as in a transcript that is drawn again";
  made->resize({20, 6});
  EXPECT_EQ(plain(*made), "01234567890123456789");
  made->resize({40, 6});
  EXPECT_EQ(plain(*made), "01234567890123456789");
}

TEST_F(RecorderTest, ANewChildHasTheLastSize) {
  const auto made = recorder();
  made->resize({30, 4});
  made->start_over();
  EXPECT_EQ(made->screen().grid().size(), (Size{30, 4}));
}

TEST_F(RecorderTest, WhatAKilledServerHadReadIsShownBeforeAnythingElse) {
  const auto file = folder_ / "journal";
  {
    auto journal = *Journal::create(file, "test");
    constexpr std::string_view kRead = "read, and no more\x1b[";
    kRead.copy(journal.inbox_space().data(), kRead.size());
    journal.received(kRead.size());
  }
  Recorder made(*Journal::open(file), {}, {});
  EXPECT_FALSE(made.is_blank());
  EXPECT_EQ(plain(made), "read, and no more");
  EXPECT_FALSE(made.is_blank());
  made.drop_unfinished();
  print(made, "m next");
  EXPECT_EQ(plain_snapshot(made.screen(), {}), "read, and no morem next") << "no sequence goes on in another child's";
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

/// A program's words around a question, and what the journal holds of them.
struct Cut {
  std::string before, query, kept;
};

/// The journal as all that read it show it.
std::string replayed(const Recorder& of) {
  Screen fresh({.size = {40, 6}});
  Replay(fresh, of.journal()).go_on({}, [](Position) {});
  return plain_snapshot(fresh, {});
}

std::string all_of(const Recorder& of) {
  return std::string(of.journal().read(of.journal().tail(), 1 << 20).bytes);
}

/// Sequences that end where the next one begins.
const std::vector<Cut> kCutShort{{"\x1b]0;t", "\x1b[c", "\x1b]0;t\x1b\x18"},
                                 {"\x1bP1;1|17/41", "\x1b[c", "\x1bP1;1|17/41\x1b\x18"},
                                 {"\x1b_a", "\x1b[c", "\x1b_a\x1b\x18"},
                                 {"\x1b[3", "\x1b[c", "\x1b[3\x1b\x18"},
                                 {"\x1b", "\x1b[c", "\x1b\x1b\x18"},
                                 {"\x1b]0;t", "\x1bZ", "\x1b]0;t\x1b\x18"},
                                 {"\x1b]0;t", "\x1b]633;T3CODE_AGENT_EVENT=Stop\a", "\x1b]0;t\x1b\x18"},
                                 {"\x1b]0;t",
                                  "\xC2\x9B"
                                  "c",
                                  "\x1b]0;t\x18"},
                                 {"\x1b[3", "\xC2\x9A", "\x1b[3\x18"}};

TEST_F(RecorderTest, ASequenceThatIsEndedByAQueryIsEndedInTheJournalToo) {
  for (const auto& [before, query, kept] : kCutShort) {
    const auto made = recorder();
    const auto turn = print(*made, "above\r\n" + before + query + query + "text");
    EXPECT_EQ(all_of(*made), "above\r\n" + kept + "text");
    EXPECT_EQ(plain(*made), "above\ntext");
    EXPECT_EQ(replayed(*made), "above\ntext");
    EXPECT_EQ(turn.kept, made->journal().head()) << "what ends it is told of";
  }
}

TEST_F(RecorderTest, WhatAQueryEndsInOneTurnIsEndedInTheJournalInTheNext) {
  for (const auto& [before, query, kept] : kCutShort) {
    const auto made = recorder();
    print(*made, before + query.substr(0, query.size() - 1));
    print(*made, query.substr(query.size() - 1) + "text");
    EXPECT_EQ(all_of(*made), kept + "text");
    EXPECT_EQ(replayed(*made), "text");
  }
}

TEST_F(RecorderTest, ATitleIsTheSameForAllThatReadTheJournalHoweverItWasEnded) {
  for (const std::string query : {"\x1b[c",
                                  "\xC2\x9B"
                                  "c"}) {
    const auto made = recorder();
    print(*made, "\x1b]0;t" + query + "text");
    Screen fresh({.size = {40, 6}});
    Replay(fresh, made->journal()).go_on({}, [](Position) {});
    EXPECT_EQ(fresh.modes().title(), made->title());
  }
}

TEST_F(RecorderTest, NothingIsPutInThePlaceOfAQueryBehindWhatHasItsEnd) {
  for (const std::string before :
       {"x", "\x1b]0;t\a", "\x1b]0;t\x1b\\", "\x1b]0;t\xC2\x9C", "\x1b]0;t\x18", "\x1bP1;1|17/41\x1b\\", "\x1b[31m",
        "\x1b[31\x18", "\x1b[3\xC3\xA9", "\x1b(0", "\n"}) {
    const auto made = recorder();
    print(*made, before + "\x1b[c" + before + "\x1b[");
    print(*made, "c" + before);
    EXPECT_EQ(all_of(*made), before + before + before);
  }
}

TEST_F(RecorderTest, NothingIsPutBehindASequenceThatIsEndedByWhatIsKept) {
  const auto made = recorder();
  print(*made, "\x1b]0;t\x1b[31mred\x1b[c\x1b[3\x1b[m");
  EXPECT_EQ(all_of(*made), "\x1b]0;t\x1b[31mred\x1b[3\x1b[m");
}

TEST_F(RecorderTest, WhatWasForgottenIsNotEndedByAQuery) {
  using Change = std::function<void(Recorder&)>;
  const std::vector<std::pair<Change, std::string>> changes{{[](Recorder& to) { to.clear(); }, "ctext"},
                                                            {[](Recorder& to) { to.start_over(); }, "\x1b[ctext"}};
  for (const auto& [change, rest] : changes) {
    const auto made = recorder();
    print(*made, "\x1b]0;t\x1b[");
    change(*made);
    print(*made, rest);
    EXPECT_EQ(all_of(*made), "text");
  }
}

TEST_F(RecorderTest, WhatIsSaidByOurselvesIsNotEndedByAQuery) {
  const auto made = recorder();
  print(*made, "\x1b]0;t\x1b[");
  made->say("\x18said");
  print(*made, "ctext");
  EXPECT_EQ(all_of(*made), "\x1b]0;t\x18saidtext");
}

TEST_F(RecorderTest, LinesThatHaveScrolledAwayAreKnownByPosition) {
  const auto made = recorder();
  print(*made, std::string(10, '\n'));
  const auto then = made->journal().head();
  print(*made, std::string(100, '\n'));
  EXPECT_EQ(made->scrolled_out_at(then), 5u);
  EXPECT_EQ(made->scrolled_out_at(then + 40), 45u) << "also where no turn ended";
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
  Recorder made(std::move(journal), {}, {});
  EXPECT_EQ(notice_since(made, then), "[ptyd: 20 lines skipped]");
}

}  // namespace
}  // namespace ptyd
