#include "pty/journal/journal.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <string>

#include "tests/support/pty/journal/journals.hpp"

namespace ptyd {
namespace {

using test::told;

constexpr Journal::Options kSmall{4096, 16 << 10};

Journal make(Journal::Options options = {}) {
  auto made = Journal::create({}, "identity", options);
  EXPECT_TRUE(made) << made.error().detail();
  return std::move(*made);
}

TEST(Journal, GivesBytesAndMarksInTheOrderTheyWereAdded) {
  Journal journal = make();
  EXPECT_EQ(journal.mark(MarkKind::started, 11, "s"), 0U);
  journal.append("hello ");
  EXPECT_EQ(journal.mark(MarkKind::resized, 12, ""), 7U);
  journal.append("world");
  EXPECT_EQ(told(journal), "<1:s>hello <5:>world");
  EXPECT_EQ(told(journal, 0, 1), "<1:s>hello <5:>world") << "one byte at a time";
  EXPECT_EQ(told(journal, 3), "llo <5:>world");
  EXPECT_EQ(journal.head(), 13U);
  EXPECT_EQ(journal.read(0, 10).mark->time, 11);
  EXPECT_EQ(journal.read(journal.head(), 10).end(), journal.head()) << "nothing follows";
  EXPECT_EQ(journal.identity(), "identity");
}

TEST(Journal, EachJournalHasItsOwnIncarnation) {
  EXPECT_NE(make().incarnation(), make().incarnation());
}

TEST(Journal, KeepsExactlyItsCapacity) {
  Journal journal = make(kSmall);
  const std::string full(journal.capacity(), 'a');
  journal.append(full);
  EXPECT_EQ(journal.tail(), 0U);
  journal.append("b");
  EXPECT_EQ(journal.tail(), 1U);
  EXPECT_EQ(told(journal), full.substr(1) + "b");
}

TEST(Journal, AnAppendLargerThanTheRingLeavesItsEndAndTakesItsPositions) {
  Journal journal = make(kSmall);
  std::string much;
  for (int i = 0; much.size() < 3 * journal.capacity() + 17; ++i) much += std::to_string(i);
  journal.append("x");
  journal.append(much);
  EXPECT_EQ(journal.head(), 1 + much.size());
  EXPECT_EQ(told(journal), much.substr(much.size() - journal.capacity()));
}

TEST(Journal, EverySliceIsContiguousAcrossTheEndOfTheRing) {
  Journal journal = make(kSmall);
  journal.append(std::string(4000, 'a'));
  journal.append(std::string(4000, 'b'));
  EXPECT_EQ(journal.read(journal.tail(), 1 << 20).bytes.size(), journal.capacity());
}

TEST(Journal, AMarkOlderThanTheRingIsGone) {
  Journal journal = make(kSmall);
  journal.mark(MarkKind::title, 0, "old");
  journal.append(std::string(journal.capacity() - 1, 'a'));
  EXPECT_EQ(told(journal).substr(0, 7), "<6:old>");
  journal.append("a");
  EXPECT_EQ(told(journal), std::string(journal.capacity(), 'a'));
}

TEST(Journal, LosingMarksMovesTheTail) {
  Journal journal = make(kSmall);
  for (int i = 0; i < 1000; ++i) {
    journal.append("t");
    journal.mark(MarkKind::title, i, std::string(100, static_cast<char>('a' + i % 26)));
  }
  EXPECT_GT(journal.tail(), 1U);
  EXPECT_LT(journal.tail(), journal.head() - 2 * 100) << "what fits the marks is kept";
  const auto first = journal.read(journal.tail(), 1);
  EXPECT_EQ(first.bytes, "t") << "the tail is behind the last lost mark";
  EXPECT_EQ(journal.read(journal.head() - 1, 1).mark->payload, std::string(100, static_cast<char>('a' + 999 % 26)));
}

TEST(Journal, APayloadOfTheLargestSizeIsKeptAndALongerOneIsCut) {
  Journal journal = make(kSmall);
  for (int round = 0; round < 10; ++round) {
    const Position at = journal.mark(MarkKind::error, 0, std::string(Journal::kMaxPayload + 1, 'e'));
    EXPECT_EQ(journal.read(at, 1).mark->payload, std::string(Journal::kMaxPayload, 'e'));
  }
}

TEST(Journal, AMarkTakesThePositionBehindWhateverWasAppended) {
  Journal journal = make();
  journal.append("caf\xE9");
  EXPECT_EQ(journal.mark(MarkKind::title, 0, "1"), 4U);
  EXPECT_EQ(journal.mark(MarkKind::activity, 0, "2"), 5U);
  journal.append("z");
  EXPECT_EQ(told(journal), "caf\xE9<6:1><7:2>z");
}

TEST(Journal, MovingTheTailForgetsWhatLiesBeforeAndWipingOverwritesIt) {
  Journal journal = make();
  journal.append("secret");
  const std::string_view was = journal.read(0, 6).bytes;
  journal.mark(MarkKind::title, 0, "hidden");
  const std::string_view payload = journal.read(6, 1).mark->payload;
  const Position cleared = journal.mark(MarkKind::cleared, 0, "");
  journal.move_tail(cleared);
  journal.wipe();
  EXPECT_EQ(journal.tail(), cleared);
  EXPECT_EQ(std::string(was), std::string(6, '\0'));
  EXPECT_EQ(std::string(payload), std::string(6, '\0'));
  EXPECT_EQ(told(journal), "<4:>");
  journal.move_tail(journal.head());
  EXPECT_EQ(told(journal), "");
  journal.append("new");
  EXPECT_EQ(told(journal), "new");
}

TEST(Journal, RefusesSizesItCannotMap) {
  for (const Journal::Options options :
       {Journal::Options{4095, 1 << 16}, Journal::Options{2048, 1 << 16}, Journal::Options{1 << 20, 8 << 10},
        Journal::Options{std::size_t{1} << 31, 1 << 16}}) {
    const auto made = Journal::create({}, "", options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), Errc::bad_request);
  }
  EXPECT_TRUE(Journal::create({}, std::string(4096, 'i')));
  EXPECT_EQ(Journal::create({}, std::string(4097, 'i')).error().code(), Errc::bad_request);
}

// --- The inbox

TEST(Inbox, HoldsWhatWasReceivedUntilItIsConsumed) {
  Journal journal = make();
  test::receive(journal, "one two");
  EXPECT_EQ(journal.inbox(), "one two");
  journal.append(journal.inbox().substr(0, 4));
  journal.consume(4);
  journal.commit();
  EXPECT_EQ(journal.inbox(), "two");
  test::receive(journal, "!");
  EXPECT_EQ(journal.inbox(), "two!");
  journal.consume(4);
  EXPECT_EQ(journal.inbox(), "");
}

TEST(Inbox, ItsFreePartIsAlwaysFF) {
  Journal journal = make();
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::span<char> space = journal.inbox_space();
    ASSERT_FALSE(space.empty());
    for (const char c : space) ASSERT_EQ(static_cast<unsigned char>(c), 0xFFU);
    test::receive(journal, std::string(random() % std::min<std::size_t>(space.size(), 5000), 'r'));
    const std::size_t keep = random() % 3 == 0 ? random() % (32 << 10) : 0;
    if (journal.inbox().size() > keep) journal.consume(journal.inbox().size() - keep);
    if (random() % 2 == 0) journal.commit();
  }
}

TEST(Inbox, TakesUndecidedBytesOfHalfItsSizeAndStillHasRoom) {
  Journal journal = make();
  std::string expected;
  for (std::size_t round = 0; round < 200; ++round) {
    const std::string more(1 + round * 37 % 4096, static_cast<char>('a' + round % 26));
    test::receive(journal, more);
    expected += more;
    ASSERT_EQ(journal.inbox(), expected);
    if (expected.size() > (32 << 10)) {
      const std::size_t decided = expected.size() - (32 << 10);
      journal.consume(decided);
      expected.erase(0, decided);
    }
    journal.commit();
    ASSERT_FALSE(journal.inbox_space().empty());
  }
}

TEST(Inbox, HasRoomAfterConsumingEverythingEvenWithoutCommit) {
  Journal journal = make();
  for (int round = 0; round < 100; ++round) {
    const std::size_t size = journal.inbox_space().size();
    ASSERT_GT(size, 0U);
    test::receive(journal, std::string(size, 'x'));
    journal.consume(journal.inbox().size());
  }
}

// --- Against a simple model

struct Model {
  std::deque<std::string> cells;  // one per position: a byte, or a mark as told() writes it
  Position tail = 0;
  std::string from(Position position) const {
    std::string text;
    for (std::size_t i = static_cast<std::size_t>(position - tail); i < cells.size(); ++i) text += cells[i];
    return text;
  }
  void forget_before(Position position) {
    for (; tail < position; ++tail) cells.pop_front();
  }
};

TEST(Journal, AgreesWithASimpleModelOverRandomWork) {
  std::mt19937 random(5);
  Journal journal = make(kSmall);
  Model model;
  for (int round = 0; round < 20000; ++round) {
    const auto choice = random() % 100;
    if (choice < 60) {
      std::string bytes(random() % (choice == 0 ? 6000 : 60), static_cast<char>('a' + round % 26));
      if (choice > 50) bytes += choice % 2 == 0 ? "\xE4\xBD" : "\xF0\x9F\x98\x80";
      journal.append(bytes);
      for (const char c : bytes) model.cells.push_back(std::string(1, c));
    } else if (choice < 96) {
      const std::string payload(random() % (choice == 95 ? 4096 : 100), static_cast<char>('A' + round % 26));
      const Position at = journal.mark(MarkKind::warning, round, payload);
      model.cells.insert(model.cells.begin() + static_cast<std::ptrdiff_t>(at - model.tail), "<10:" + payload + ">");
    } else if (choice < 98) {
      journal.commit();
    } else if (choice == 98) {
      journal.move_tail(journal.tail() + random() % (journal.head() - journal.tail() + 1));
      if (random() % 2 == 0) journal.wipe();
    } else {
      journal.release_pages();
    }
    ASSERT_EQ(journal.head(), model.tail + model.cells.size());
    ASSERT_LE(journal.head() - journal.tail(), journal.capacity());
    model.forget_before(journal.tail());
    if (round % 10 == 0) {
      ASSERT_EQ(told(journal, journal.tail(), 1 + random() % 500), model.from(journal.tail())) << round;
    }
    const Position anywhere = journal.tail() + random() % (journal.head() - journal.tail() + 1);
    if (round % 10 == 5) {
      ASSERT_EQ(told(journal, anywhere), model.from(anywhere)) << round;
    }
  }
}

}  // namespace
}  // namespace ptyd
