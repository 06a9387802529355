// Files that were damaged: an error, or a journal that can be used; never a crash.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "pty/journal/journal.hpp"
#include "pty/journal/journal_format.hpp"
#include "tests/support/pty/journal/journals.hpp"

namespace ptyd {
namespace {

using journal_format::Header;
using journal_format::State;
using test::TemporaryDirectory;

constexpr Journal::Options kSmall{4096, 16 << 10};

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// A file that has seen everything: a ring gone round, marks, a waiting inbox.
std::string lived_in(const std::filesystem::path& file) {
  auto made = Journal::create(file, "identity", kSmall);
  EXPECT_TRUE(made) << made.error().detail();
  Journal journal = std::move(*made);
  for (int i = 0; i < 900; ++i) {
    journal.append("line " + std::to_string(i) + "\n");
    journal.mark(MarkKind::title, i, std::string(static_cast<std::size_t>(i % 90), 'p'));
    if (i % 5 == 0) journal.commit();
  }
  test::receive(journal, "waiting");
  journal.close_in_order();
  return contents(file);
}

/// Does everything one can do with a journal.
void use(Journal& journal) {
  test::told(journal);
  test::receive(journal, "more");
  journal.append(journal.inbox().substr(0, 4096));
  journal.consume(journal.inbox().size());
  for (int i = 0; i < 50; ++i) {
    journal.append("\xE4\xBD");
    journal.mark(MarkKind::title, 1, std::string(500, 'm'));
    journal.commit();
  }
  EXPECT_NE(test::told(journal).find("<6:mmm"), std::string::npos);
  journal.move_tail(journal.head());
  journal.wipe();
}

void open_and_use(const std::filesystem::path& file) {
  auto journal = Journal::open(file);
  if (journal) {
    use(*journal);
  } else {
    EXPECT_NE(journal.error().detail(), "");
  }
}

TEST(JournalDamage, TheFileUsedHereIsSoundWhenNotDamaged) {
  const TemporaryDirectory folder;
  lived_in(folder / "j");
  auto journal = Journal::open(folder / "j");
  ASSERT_TRUE(journal) << journal.error().detail();
  EXPECT_EQ(journal->inbox(), "waiting");
  use(*journal);
}

TEST(JournalDamage, CutAnywhereItIsRefusedOrUsable) {
  const TemporaryDirectory folder;
  const std::string whole = lived_in(folder / "j");
  for (std::size_t size = 0; size < whole.size(); size += size < 9000 ? 97 : 4099) {
    write(folder / "cut", whole.substr(0, size));
    EXPECT_FALSE(Journal::open(folder / "cut")) << size << " of " << whole.size();
  }
}

/// As a kill leaves it between the two halves of a move to the front: the limit hides the old copy.
TEST(JournalDamage, AnInboxThatWasBeingMovedIsTakenUp) {
  const TemporaryDirectory folder;
  std::string bytes = lived_in(folder / "j");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  State& state = header.states[header.active];
  state.closed = 0;
  state.inbox_limit = 3990;
  ASSERT_EQ(state.inbox_begin, 0u);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.replace(journal_format::kInboxOffset + state.inbox_limit, 7, "waiting");
  write(folder / "j", bytes);
  auto journal = Journal::open(folder / "j");
  ASSERT_TRUE(journal) << journal.error().detail();
  EXPECT_EQ(journal->inbox(), "waiting");
  EXPECT_GE(journal->inbox_space().size(), journal_format::kOneRead);
  test::receive(*journal, " and more");
  EXPECT_EQ(journal->inbox(), "waiting and more");
  use(*journal);
}

struct Case {
  const char* name;
  void (*damage)(Header&, State&);
};

class JournalDamageTable : public ::testing::TestWithParam<Case> {};

TEST_P(JournalDamageTable, IsRefusedWithAReason) {
  const TemporaryDirectory folder;
  std::string bytes = lived_in(folder / "j");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  GetParam().damage(header, header.states[header.active]);
  std::memcpy(bytes.data(), &header, sizeof header);
  write(folder / "bad", bytes);
  const auto journal = Journal::open(folder / "bad");
  ASSERT_FALSE(journal);
  EXPECT_EQ(journal.error().code(), Errc::internal);
  EXPECT_NE(journal.error().detail().find("bad"), std::string::npos) << journal.error().detail();
}

INSTANTIATE_TEST_SUITE_P(
    , JournalDamageTable,
    ::testing::Values(
        Case{"Magic", [](Header& header, State&) { header.magic[0] ^= 1; }},
        Case{"RingNoPowerOfTwo", [](Header& header, State&) { header.ring_bytes += 4096; }},
        Case{"RingHuge", [](Header& header, State&) { header.ring_bytes = std::uint64_t{1} << 40; }},
        Case{"RingOfNothing", [](Header& header, State&) { header.ring_bytes = 0; }},
        Case{"RingLargerThanTheFile", [](Header& header, State&) { header.ring_bytes = 1 << 20; }},
        Case{"MarksHuge", [](Header& header, State&) { header.mark_bytes = std::uint64_t{1} << 63; }},
        Case{"MarksTiny", [](Header& header, State&) { header.mark_bytes = 64; }},
        Case{"IdentityTooLong", [](Header& header, State&) { header.identity_size = 4097; }},
        Case{"ThirdState", [](Header& header, State&) { header.active = 2; }},
        Case{"TailBehindHead", [](Header&, State& state) { state.tail = state.head + 1; }},
        Case{"MoreThanTheRing", [](Header&, State& state) { state.tail = state.head - 4097; }},
        Case{"HeadAtTheEndOfNumbers", [](Header&, State& state) { state.head = state.tail = ~std::uint64_t{0}; }},
        Case{"MarksBackwards", [](Header&, State& state) { state.marks_begin = state.marks_end + 16; }},
        Case{"MarksTooMany", [](Header&, State& state) { state.marks_begin = state.marks_end - (32 << 10); }},
        Case{"MarksElsewhere", [](Header&, State& state) { state.marks_begin += 8; }},
        Case{"ForgottenMarksBeyondTheHead", [](Header&, State& state) { state.forgotten_end = state.head + 1; }},
        Case{"LastMarkElsewhere", [](Header&, State& state) { state.marks_last -= 16; }},
        Case{"InboxBackwards", [](Header&, State& state) { state.inbox_begin = state.inbox_limit + 1; }},
        Case{"InboxTooLarge", [](Header&, State& state) { state.inbox_limit = 1 << 20; }},
        Case{"CarryTooLong", [](Header&, State& state) { state.carry_size = 4; }}),
    [](const auto& row) { return row.param.name; });

TEST(JournalDamage, RandomDamageIsRefusedOrHarmless) {
  std::mt19937 random(41);
  const TemporaryDirectory folder;
  const std::string whole = lived_in(folder / "j");
  const std::size_t interesting[] = {256, sizeof(Header), journal_format::kMarksOffset + (16 << 10), whole.size()};
  for (int round = 0; round < 600; ++round) {
    std::string bytes = whole;
    const std::size_t end = interesting[random() % std::size(interesting)];
    const std::size_t begin = end == interesting[2] ? journal_format::kMarksOffset : 0;
    for (auto left = 1 + random() % 8; left > 0; --left) {
      bytes[begin + random() % (end - begin)] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
    }
    write(folder / "bad", bytes);
    open_and_use(folder / "bad");
  }
}

TEST(JournalDamage, FilesOfRandomBytesAreRefused) {
  std::mt19937 random(42);
  const TemporaryDirectory folder;
  for (int round = 0; round < 100; ++round) {
    std::string bytes(random() % 200000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    write(folder / "bad", bytes);
    EXPECT_FALSE(Journal::open(folder / "bad"));
  }
}

}  // namespace
}  // namespace ptyd
