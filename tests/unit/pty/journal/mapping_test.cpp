#include "pty/journal/mapping.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace ptyd {
namespace {

constexpr std::size_t kPlain = 8 << 10, kRing = 4 << 10;

Mapping plain_mapping() {
  auto made = Mapping::in_memory(kPlain, kRing);
  EXPECT_TRUE(made) << made.error().detail();
  return std::move(*made);
}

bool is_mapped(char* address) {
  return ::msync(address, kRing, MS_ASYNC) == 0;
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
  ASSERT_TRUE(mapping.become(std::move(other)));
  EXPECT_EQ(mapping.data(), address);
  EXPECT_EQ(mapping.data()[0], 'p');
  EXPECT_EQ(mapping.ring()[kRing + 1], 'r') << "also in the second view";
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
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    theirs = ::mmap(old, kPlain, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    ASSERT_EQ(theirs, old);
  }
  EXPECT_TRUE(is_mapped(old)) << "it was unmapped though it was somebody else's";
  ::munmap(theirs, kPlain);
}

}  // namespace
}  // namespace ptyd
