#include "pty/text/widths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

/// Columns of the glyphs that code points become, "" of none.
std::string widths(const std::vector<char32_t>& code_points) {
  std::vector<int> columns;
  GlyphBefore before;
  for (const auto next : code_points) {
    const auto joining = join(before, next);
    if (!joining.joins) columns.push_back(0);
    columns.back() = joining.width;
    before = {joining.joins ? before.first : next, next, joining.width, !joining.joins};
  }
  std::ostringstream text;
  for (const int column : columns) text << (text.tellp() > 0 ? " " : "") << column;
  return text.str();
}

TEST(Widths, AreThoseOfTheSamplesThatThePageIsTestedWith) {
  std::ifstream samples(test::source_dir() + "/tests/screens/widths.txt");
  int count = 0;
  for (std::string line; std::getline(samples, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto colon = line.find(" : ");
    ASSERT_NE(colon, std::string::npos) << line;
    std::vector<char32_t> code_points;
    std::istringstream hexes(line.substr(0, colon));
    for (std::uint32_t code = 0; hexes >> std::hex >> code;) code_points.push_back(code);
    EXPECT_EQ(widths(code_points), line.substr(colon + 3)) << line;
    ++count;
  }
  EXPECT_GT(count, 2000);
}

TEST(Widths, WhatMayNotJoinNeverJoins) {
  using namespace glyph_class_bits;
  const std::vector<GlyphBefore> befores = {
      {U'a', U'a', 1, true},        {0x4E00, 0x4E00, 2, true},   {0x1F600, 0x200D, 2, false},
      {0x1F1E9, 0x1F1E9, 2, true},  {0x1F44D, 0x1F44D, 2, true}, {0x270C, 0xFE0F, 2, false},
      {0x1F1E9, 0x1F1EA, 2, false},
  };
  for (char32_t next = 0x20; next <= 0x110000; ++next) {
    if (may_join(next)) continue;
    for (const auto& before : befores) ASSERT_FALSE(join(before, next).joins) << std::hex << std::uint32_t{next};
    ASSERT_EQ(join({}, next).width, width_of(next)) << std::hex << std::uint32_t{next};
  }
}

TEST(Widths, BeyondUnicodeEverythingIsALetter) {
  EXPECT_EQ(width_of(0x10FFFF), 1);
  EXPECT_EQ(width_of(0x110000), 1);
  EXPECT_EQ(width_of(0xFFFFFFFF), 1);
}

}  // namespace
}  // namespace ptyd
