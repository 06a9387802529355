// Marks that a newer one makes superfluous are forgotten alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "pty/journal/journal.hpp"
#include "pty/journal/journal_format.hpp"
#include "tests/support/pty/journal/journals.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using test::bytes_of;
using test::told;

constexpr const char* kForgotten = "<14:>";

Journal journal_in(const std::filesystem::path& file) {
  auto made = Journal::create(file, "identity", {4096, 16 << 10});
  EXPECT_TRUE(made) << made.error().detail();
  return std::move(*made);
}

/// As a session does it: whatever is added is committed.
void add(Journal& journal, MarkKind kind, const std::string& payload) {
  journal.mark(kind, 0, payload);
  journal.commit();
}
void print(Journal& journal, const std::string& text) {
  journal.append(text);
  journal.commit();
}

std::string title(int number) {
  return std::string(100, 't') + std::to_string(number);
}

/// A spinner: a character, and a title for each.
void spin(Journal& journal, int times) {
  for (int i = 0; i < times; ++i) {
    print(journal, "s");
    add(journal, MarkKind::title, title(i));
  }
}

TEST(JournalMarks, TitlesDoNotEvictTextHoweverManyThereAre) {
  Journal journal = journal_in({});
  spin(journal, 1000);
  EXPECT_EQ(journal.tail(), 0U);
  EXPECT_EQ(bytes_of(journal), std::string(1000, 's'));
  EXPECT_TRUE(told(journal).starts_with(std::string("s") + kForgotten + "s" + kForgotten));
  EXPECT_TRUE(told(journal).ends_with("<6:" + title(999) + ">")) << "the newest is known";
}

TEST(JournalMarks, WhatNoNewerOneMakesSuperfluousStays) {
  Journal journal = journal_in({});
  add(journal, MarkKind::started, "shell");
  add(journal, MarkKind::resized, "wide");
  print(journal, "drawn wide");
  add(journal, MarkKind::resized, "narrow");
  add(journal, MarkKind::exited, "code");
  spin(journal, 1000);
  EXPECT_TRUE(told(journal).starts_with("<1:shell><5:wide>drawn wide<5:narrow><2:code>s")) << told(journal, 0, 100);
}

TEST(JournalMarks, OfSizesAtWhichNothingWasPrintedOnlyTheLastStays) {
  Journal journal = journal_in({});
  print(journal, "before");
  for (int i = 0; i < 3000; ++i) add(journal, MarkKind::resized, "size " + std::to_string(i));
  print(journal, "after");
  EXPECT_EQ(journal.tail(), 0U);
  EXPECT_EQ(bytes_of(journal), "beforeafter");
  EXPECT_TRUE(told(journal).ends_with("<5:size 2999>after"));
}

/// An agent's hooks: a state after each tool.
void work(Journal& journal, int times) {
  for (int i = 0; i < times; ++i) {
    print(journal, "tool");
    add(journal, MarkKind::activity, title(i));
  }
}

TEST(JournalMarks, ActivitiesDoNotEvictTextHoweverManyThereAre) {
  Journal journal = journal_in({});
  work(journal, 700);
  EXPECT_EQ(journal.tail(), 0U);
  EXPECT_TRUE(told(journal).starts_with(std::string("tool") + kForgotten));
  EXPECT_TRUE(told(journal).ends_with("<7:" + title(699) + ">")) << "the newest is known";
}

/// A character and a mark, `times` times: the marks need more room than there is.
void print_marks(Journal& journal, MarkKind kind, int times) {
  for (int i = 0; i < times; ++i) {
    print(journal, "x");
    add(journal, kind, title(i));
  }
}

TEST(JournalMarks, OlderOnesGoFirstOfEachKindThatSupersedesThem) {
  for (const MarkTraits& traits : kMarkTraits) {
    if (!traits.supersedes_older) continue;
    Journal journal = journal_in({});
    print_marks(journal, traits.kind, 700);
    const auto mark = "<" + std::to_string(static_cast<int>(traits.kind)) + ":" + title(699) + ">";
    EXPECT_EQ(journal.tail(), 0U) << mark;
    EXPECT_TRUE(told(journal).starts_with(std::string("x") + kForgotten)) << mark;
    EXPECT_TRUE(told(journal).ends_with(mark));
  }
}

TEST(JournalMarks, NoneIsSupersededByOneOfAnotherKind) {
  for (const MarkTraits& older : kMarkTraits) {
    for (const MarkTraits& newer : kMarkTraits) {
      if (!newer.supersedes_older || older.kind == newer.kind || older.kind == MarkKind::forgotten) continue;
      Journal journal = journal_in({});
      add(journal, older.kind, "older");
      print_marks(journal, newer.kind, 700);
      const auto mark = "<" + std::to_string(static_cast<int>(older.kind)) + ":older>";
      EXPECT_TRUE(told(journal).starts_with(mark)) << told(journal, 0, 100);
    }
  }
}

TEST(JournalMarks, AnUnknownKindSupersedesNothing) {
  EXPECT_FALSE(traits_of(MarkKind{99}).supersedes_older);
  EXPECT_FALSE(traits_of(MarkKind{99}).supersedes_near);
}

TEST(JournalMarks, OneThatIsSupersededAtOnceTakesNoRoomWhereMarksAreMany) {
  Journal journal = journal_in({});
  print(journal, "kept");
  while (journal.has_room_behind(0, 1)) {
    print(journal, "x");
    add(journal, MarkKind::warning, title(0));
  }
  for (const auto kind : {MarkKind::activity, MarkKind::resized, MarkKind::title})
    for (int i = 0; i < 700; ++i) add(journal, kind, "state " + std::to_string(i));
  EXPECT_EQ(journal.tail(), 0U) << "though those before are too many to be written once more";
  EXPECT_TRUE(told(journal).ends_with("<7:state 699>" + told(journal, journal.head() - 1400))) << told(journal);
  EXPECT_TRUE(told(journal).ends_with("<6:state 699>"));
}

// --- sizes between text

/// A window is dragged while the program draws a little at each size.
void drag(Journal& journal, int times, int from = 0) {
  for (int i = from; i < from + times; ++i) {
    add(journal, MarkKind::resized, "size " + std::to_string(i));
    print(journal, "ab");
  }
}

TEST(JournalMarks, SizesBetweenTextDoNotEvictIt) {
  Journal journal = journal_in({});
  drag(journal, 1300);
  EXPECT_EQ(journal.tail(), 0U);
  EXPECT_EQ(bytes_of(journal).size(), 2600U);
  EXPECT_TRUE(told(journal).ends_with("<5:size 1299>ab")) << "the newest is known";
}

TEST(JournalMarks, OfSizesThatFollowedEachOtherAfterLittleTextSomeStay) {
  Journal journal = journal_in({});
  drag(journal, 1300);
  int known = 0;
  Position last = 0, widest = 0;
  for (Position at = journal.tail(); at < journal.head(); ++at) {
    const auto slice = journal.read(at, 1);
    if (!slice.mark || slice.mark->kind != MarkKind::resized) continue;
    ++known;
    widest = std::max(widest, at - last);
    last = at;
  }
  EXPECT_GT(known, 100);
  EXPECT_LT(widest, 70U) << "text is drawn at a size that it was printed near";
}

TEST(JournalMarks, AsLongAsThereIsRoomEachSizeBetweenTextStays) {
  Journal journal = journal_in({});
  drag(journal, 120);
  spin(journal, 300);
  EXPECT_TRUE(told(journal).starts_with("<5:size 0>ab<5:size 1>ab<5:size 2>ab")) << told(journal, 0, 100);
}

TEST(JournalMarks, SizesThatALosslessReaderHasYetToPassStay) {
  Journal journal = journal_in({});
  drag(journal, 100);
  const Position held = journal.head();
  journal.hold({held, 1});
  int more = 100;
  for (; journal.has_room_behind(held, 3); ++more) drag(journal, 1, more);
  EXPECT_GT(more, 200);
  EXPECT_EQ(told(journal, held).find(kForgotten), std::string::npos);
  for (int i = 0; i < 700; ++i) add(journal, MarkKind::resized, "dragged on");
  EXPECT_LE(journal.tail(), held) << "sizes alone, at which nothing is printed, cost nothing";
  EXPECT_TRUE(told(journal, held).starts_with("<5:size 100>ab<5:size 101>ab"));
}

// --- room that is kept for lossless readers

TEST(JournalMarks, ThereIsRoomForBytesUpToTheRingsSize) {
  Journal journal = journal_in({});
  print(journal, "text");
  EXPECT_TRUE(journal.has_room_behind(0, journal.capacity() - 4));
  EXPECT_FALSE(journal.has_room_behind(0, journal.capacity() - 3));
  EXPECT_TRUE(journal.has_room_behind(4, journal.capacity()));
}

TEST(JournalMarks, ThereIsRoomForMarksUpToThreeQuarters) {
  Journal journal = journal_in({});
  constexpr std::size_t kRecord = 32 + 96, kMost = (16 << 10) / 4 * 3;
  const std::string payload(96, 'p');
  for (std::size_t used = 0; used < kMost; used += kRecord) {
    EXPECT_TRUE(journal.has_room_behind(0, 1)) << used;
    add(journal, MarkKind::warning, payload);
  }
  EXPECT_TRUE(journal.has_room_behind(0, 1));
  add(journal, MarkKind::warning, payload);
  EXPECT_FALSE(journal.has_room_behind(0, 1));
  EXPECT_TRUE(journal.has_room_behind(1, 1)) << "what is before does not count";
}

TEST(JournalMarks, MarksThatAllMatterAreStillLostWithTheTextBeforeThem) {
  Journal journal = journal_in({});
  for (int i = 0; i < 1000; ++i) {
    print(journal, "a");
    add(journal, MarkKind::warning, title(i));
  }
  EXPECT_GT(journal.tail(), 1U);
  EXPECT_EQ(told(journal).find(kForgotten), std::string::npos);
}

// --- the next server

TEST(JournalMarks, ASuccessorKnowsWhereForgottenOnesStood) {
  for (const bool in_order : {true, false}) {
    const test::TemporaryDirectory folder;
    std::string before;
    {
      Journal journal = journal_in(folder / "j");
      spin(journal, 1000);
      before = told(journal);
      if (in_order) journal.close_in_order();
    }
    const auto found = Journal::open(folder / "j");
    ASSERT_TRUE(found) << found.error().detail();
    EXPECT_EQ(found->tail(), 0U);
    EXPECT_TRUE(told(*found) == before) << "in order: " << in_order;
    EXPECT_EQ(bytes_of(*found), std::string(1000, 's')) << "where a mark stood is no output";
  }
}

TEST(JournalMarks, ASuccessorOfAFileOfBeforeKnowsNothingBeforeAForgottenOne) {
  const test::TemporaryDirectory folder;
  {
    Journal journal = journal_in(folder / "j");
    print(journal, "before");
    print(journal, "after");
  }
  std::fstream file(folder / "j", std::ios::binary | std::ios::in | std::ios::out);
  journal_format::Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  header.states[header.active].forgotten_end = 6;
  file.seekp(0).write(reinterpret_cast<const char*>(&header), sizeof header);
  file.close();
  EXPECT_EQ(told(*Journal::open(folder / "j")), "after");
}

TEST(JournalMarks, ClearingLeavesNothingOfTitlesThatWereForgotten) {
  const test::TemporaryDirectory folder;
  Journal journal = journal_in(folder / "j");
  add(journal, MarkKind::title, "a secret");
  spin(journal, 1000);
  journal.move_tail(journal.head());
  journal.wipe();
  std::ifstream file(folder / "j", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(bytes.find("a secret"), std::string::npos);
  EXPECT_EQ(bytes.find("ttttt"), std::string::npos);
}

TEST(JournalMarks, EveryPositionStaysWhatItWasOverRandomWork) {
  std::mt19937 random(11);
  Journal journal = journal_in({});
  std::string cells;  // one per position: a byte, or '#' for a mark
  for (int round = 0; round < 5000; ++round) {
    const auto choice = random() % 100;
    if (choice < 40) {
      const std::string text(random() % 8, static_cast<char>('a' + round % 26));
      print(journal, text);
      cells += text;
    } else {
      constexpr MarkKind kKinds[] = {MarkKind::title, MarkKind::activity, MarkKind::resized};
      const auto kind = kKinds[random() % 3];
      add(journal, kind, title(round).substr(kind == MarkKind::resized ? 95 : random() % 100));
      cells += '#';
    }
    ASSERT_EQ(journal.head(), cells.size());
    if (round % 100 != 0) continue;
    for (Position at = journal.tail(); at < journal.head(); ++at) {
      const auto slice = journal.read(at, 1);
      ASSERT_EQ(slice.mark ? '#' : slice.bytes.at(0), cells[at]) << at << " in round " << round;
    }
  }
  EXPECT_EQ(journal.head() - journal.tail(), journal.capacity()) << "only the ring's size bounds what is remembered";
}

}  // namespace
}  // namespace ptyd
