// The size at which the oldest text was printed is known though its mark has left the journal.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "pty/journal/journal.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

constexpr Size kWide{200, 50}, kNarrow{40, 20};

Journal sized(const std::filesystem::path& file = {}) {
  auto made = Journal::create(file, "identity", {4096, 16 << 10});
  EXPECT_TRUE(made) << made.error().detail();
  return std::move(*made);
}

void tell(Journal& journal, Size size) {
  journal.mark(MarkKind::resized, 0, "payload", size);
}

void fill(Journal& journal) {
  journal.append(std::string(journal.capacity(), 'x'));
}

TEST(JournalSize, IsThatOfTheNewestMarkThatHasLeft) {
  Journal journal = sized();
  EXPECT_EQ(journal.size_at_tail(), std::nullopt);
  tell(journal, kWide);
  journal.append(std::string(journal.capacity() - 1, 'x'));
  EXPECT_EQ(journal.size_at_tail(), std::nullopt) << "the mark is there";
  EXPECT_EQ(journal.read(0, 1).mark->size, kWide);
  journal.append("x");
  EXPECT_EQ(journal.size_at_tail(), kWide);
  tell(journal, kNarrow);
  journal.mark(MarkKind::title, 0, "a title");
  EXPECT_EQ(journal.size_at_tail(), kWide) << "what is behind the tail was printed before";
  fill(journal);
  EXPECT_EQ(journal.size_at_tail(), kNarrow);
  fill(journal);
  EXPECT_EQ(journal.size_at_tail(), kNarrow);
}

TEST(JournalSize, IsInTheFileWhateverBecomesOfTheServer) {
  const test::TemporaryDirectory folder;
  for (const bool in_order : {true, false}) {
    const auto file = folder / (in_order ? "in-order" : "killed");
    {
      Journal journal = sized(file);
      tell(journal, kWide);
      journal.append("x");
      tell(journal, kNarrow);
      journal.commit();
      journal.append(std::string(journal.capacity() - 1, 'x'));
      if (in_order) journal.close_in_order();
    }
    auto again = Journal::open(file);
    ASSERT_TRUE(again) << again.error().detail();
    EXPECT_EQ(again->size_at_tail(), kWide) << "in order: " << in_order;
    EXPECT_EQ(again->read(again->tail(), 1).mark->size, kNarrow);
    fill(*again);
    EXPECT_EQ(again->size_at_tail(), kNarrow);
  }
}

TEST(JournalSize, OutlivesAClear) {
  Journal journal = sized();
  tell(journal, kWide);
  journal.move_tail(journal.head());
  journal.wipe();
  EXPECT_EQ(journal.size_at_tail(), kWide);
}

TEST(JournalSize, StaysWithItsMarkWhereOthersAreForgotten) {
  Journal journal = sized();
  tell(journal, kWide);
  journal.append("text");
  for (int i = 0; i < 2000; ++i) {
    tell(journal, kNarrow);
    journal.commit();
  }
  EXPECT_EQ(journal.read(0, 1).mark->size, kWide);
  fill(journal);
  EXPECT_EQ(journal.size_at_tail(), kNarrow);
}

TEST(JournalSize, MayBeAsLargeAsThis) {
  Journal journal = sized();
  for (const Size size : {Size{Journal::kMaxSide, Journal::kMaxSide}, Size{1, Journal::kMaxSide}, Size{1, 1}}) {
    tell(journal, size);
    fill(journal);
    EXPECT_EQ(journal.size_at_tail(), size);
  }
}

}  // namespace
}  // namespace ptyd
