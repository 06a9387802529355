#include "pty/screen/grid/style_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace ptyd {
namespace {

constexpr std::size_t kSlots = 1024;

/// Values out of many that one seed puts into the same slot, as somebody chooses them who knows the seed.
template <class Hash, class Make>
auto colliding(std::uint64_t seed, const Make& make) {
  std::vector<decltype(make(0))> values;
  for (unsigned i = 0; values.size() < 64; ++i)
    if (Hash{}(make(i), seed) % kSlots == 0) values.push_back(make(i));
  return values;
}

/// How many slots another seed puts them into.
template <class Hash, class Make>
std::size_t slots_of_colliding(const Make& make) {
  std::set<std::size_t> slots;
  for (const auto& value : colliding<Hash>(1, make)) slots.insert(Hash{}(value, 2) % kSlots);
  return slots.size();
}

TEST(StyleTable, WhatFallsTogetherUnderOneSeedDoesNotUnderAnother) {
  const auto foreground = [](unsigned i) {
    Pen pen;
    pen.foreground = Colour::rgb(i);
    return pen;
  };
  const auto background = [](unsigned i) {
    Pen pen;
    pen.background = Colour::rgb(i);
    return pen;
  };
  const auto text = [](unsigned i) { return "a text of several words " + std::to_string(i); };
  const auto link = [&](unsigned i) { return Link{"", text(i)}; };
  const auto id = [&](unsigned i) { return Link{text(i), "http://x/"}; };
  EXPECT_GT(slots_of_colliding<PenHash>(foreground), 48U);
  EXPECT_GT(slots_of_colliding<PenHash>(background), 48U);
  EXPECT_GT(slots_of_colliding<LinkHash>(link), 48U);
  EXPECT_GT(slots_of_colliding<LinkHash>(id), 48U);
  EXPECT_GT(slots_of_colliding<ClusterHash>(text), 48U);
}

TEST(StyleTable, TheSeedIsOneForTheWholeProcess) {
  EXPECT_EQ(hash_seed(), hash_seed());
}

TEST(StyleTable, TextsThatDifferInLengthOrByteOrInWhereALinkIsCutHashDifferently) {
  EXPECT_NE(ClusterHash{}("a", 1), ClusterHash{}(std::string("a\0", 2), 1));
  EXPECT_NE(ClusterHash{}("12345678", 1), ClusterHash{}("12345679", 1));
  EXPECT_NE(ClusterHash{}("123456789", 1), ClusterHash{}("12345678", 1));
  EXPECT_NE((LinkHash{}(Link{"a", "b"}, 1)), (LinkHash{}(Link{"", "ab"}, 1)));
}

}  // namespace
}  // namespace ptyd
