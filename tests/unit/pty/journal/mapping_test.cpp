#include "pty/journal/mapping.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <utility>

#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kPlain = 8 << 10, kRing = 4 << 10, kBeyond = 4 << 10;

Mapping plain_mapping() {
  auto made = Mapping::in_memory(kPlain, kRing, kBeyond);
  EXPECT_TRUE(made) << made.error().detail();
  return std::move(*made);
}

bool is_mapped(char* address) {
  return ::msync(address, kRing, MS_ASYNC) == 0;
}

TEST(SystemError, TellsAnExhaustedMachineFromAFault) {
  for (const int each : {EMFILE, ENFILE, ENOMEM, EAGAIN})
    EXPECT_EQ(system_error(each, "j").code(), Errc::limit) << each;
  for (const int each : {EACCES, EIO, ELOOP}) EXPECT_EQ(system_error(each, "j").code(), Errc::internal) << each;
  EXPECT_EQ(system_error(EMFILE, "journal j").detail(), "journal j: Too many open files");
}

TEST(Mapping, ShowsItsRingTwiceInARow) {
  const Mapping mapping = plain_mapping();
  mapping.ring()[1] = 'x';
  EXPECT_EQ(mapping.ring()[kRing + 1], 'x');
}

TEST(Mapping, BecomesAnotherOneWhereItIs) {
  Mapping mapping = plain_mapping(), other = plain_mapping();
  char* const address = mapping.data();
  other.data()[0] = 'p';
  other.ring()[1] = 'r';
  other.beyond()[2] = 'b';
  ASSERT_TRUE(mapping.become(std::move(other)));
  EXPECT_EQ(mapping.data(), address);
  EXPECT_EQ(mapping.data()[0], 'p');
  EXPECT_EQ(mapping.ring()[kRing + 1], 'r') << "also in the second view";
  EXPECT_EQ(mapping.beyond()[2], 'b');
}

TEST(Mapping, WhatIsBeyondTheRingFollowsItInTheFile) {
  const test::TemporaryDirectory folder;
  UniqueFd file(::open((folder / "m").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const UniqueFd same(::dup(file.get()));
  const auto mapping = Mapping::map(std::move(file), kPlain, kRing, kBeyond);
  ASSERT_TRUE(mapping) << mapping.error().detail();
  ASSERT_TRUE(mapping->reserve(0, kPlain + kRing + kBeyond));
  mapping->ring()[kRing - 1] = 'r';
  mapping->beyond()[0] = 'b';
  char found[2] = {};
  ASSERT_EQ(::pread(same.get(), found, sizeof found, kPlain + kRing - 1), 2);
  EXPECT_EQ(std::string_view(found, 2), "rb");
}

TEST(Mapping, WhatMovedAwayLeavesItsOldAddressesToOthers) {
  Mapping mapping = plain_mapping();
  char* old = nullptr;
  void* theirs = nullptr;
  {
    Mapping other = plain_mapping();
    old = other.data();
    ASSERT_TRUE(mapping.become(std::move(other)));
    EXPECT_FALSE(is_mapped(old));
    EXPECT_FALSE(is_mapped(old + kPlain + kRing)) << "the second view";
    EXPECT_FALSE(is_mapped(old + kPlain + 2 * kRing)) << "what is beyond it";
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    theirs = ::mmap(old, kPlain, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    ASSERT_EQ(theirs, old);
  }
  EXPECT_TRUE(is_mapped(old)) << "it was unmapped though it was somebody else's";
  ::munmap(theirs, kPlain);
}

}  // namespace
}  // namespace ptyd
