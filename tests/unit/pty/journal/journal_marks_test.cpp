// Marks that a newer one makes superfluous are forgotten alone.
#include "pty/journal/journal_marks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

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

TEST(JournalMarks, MarksThatAllMatterAreStillLostWithTheTextBeforeThem) {
  Journal journal = journal_in({});
  for (int i = 0; i < 1000; ++i) {
    print(journal, "a");
    add(journal, MarkKind::activity, title(i));
  }
  EXPECT_GT(journal.tail(), 1U);
  EXPECT_EQ(told(journal).find(kForgotten), std::string::npos);
}

TEST(JournalMarks, ASuccessorKnowsNothingBeforeAForgottenOne) {
  const test::TemporaryDirectory folder;
  Position head = 0;
  {
    Journal journal = journal_in(folder / "j");
    spin(journal, 1000);
    head = journal.head();
  }
  const auto found = Journal::open(folder / "j");
  ASSERT_TRUE(found) << found.error().detail();
  EXPECT_EQ(found->head(), head);
  EXPECT_LT(found->tail(), head) << "what came after it is there";
  EXPECT_EQ(told(*found).find(kForgotten), std::string::npos);
  EXPECT_EQ(bytes_of(*found).find('\0'), std::string::npos) << "where a mark stood is no output";
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
      add(journal, choice < 99 ? MarkKind::title : MarkKind::resized, title(round).substr(random() % 100));
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

TEST(ForgottenMarks, AreFoundFromAnywhereBeforeThemHoweverTheyCame) {
  ForgottenMarks forgotten;
  EXPECT_FALSE(forgotten.first_from(0));
  forgotten.add({3, 4, 9}, 0);
  forgotten.add({2, 5, 7}, 0);
  std::vector<Position> found;
  for (auto next = forgotten.first_from(0); next; next = forgotten.first_from(*next + 1)) found.push_back(*next);
  EXPECT_EQ(found, (std::vector<Position>{2, 3, 4, 5, 7, 9}));
  forgotten.add({20}, 6);
  EXPECT_EQ(forgotten.first_from(0), Position{7}) << "what is before the tail is nobody's concern";
}

}  // namespace
}  // namespace ptyd
