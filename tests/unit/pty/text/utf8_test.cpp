#include "pty/text/utf8.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ptyd {
namespace {

std::string encode(char32_t point) {
  const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F))};
  if (point < 0x10000) return {byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F))};
  return {byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F)), byte(0x80 | (point >> 6 & 0x3F)),
          byte(0x80 | (point & 0x3F))};
}

bool is_surrogate(char32_t point) {
  return point >= 0xD800 && point < 0xE000;
}

TEST(Utf8, EveryScalarValueIsOneCharacterAndSurrogatesAreNone) {
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    const std::string text = encode(point);
    ASSERT_EQ(utf8::character(text), is_surrogate(point) ? 0 : text.size()) << std::hex << static_cast<unsigned>(point);
    if (is_surrogate(point)) continue;
    ASSERT_EQ(utf8::decode(text), point);
    ASSERT_EQ(utf8::utf16_length(text), point > 0xFFFF ? 2U : 1U);
    ASSERT_EQ(utf8::unfinished_tail(text), 0U);
  }
  EXPECT_EQ(utf8::character("\xF4\x90\x80\x80"), 0U) << "above U+10FFFF";
}

TEST(Utf8, OverlongFormsAreRefused) {
  for (const char* text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF"}) {
    EXPECT_EQ(utf8::character(text), 0U);
    EXPECT_FALSE(utf8::valid(text));
  }
}

TEST(Utf8, EveryCutOfACharacterIsAnUnfinishedTail) {
  for (const char32_t point : {U'é', U'€', U'你', U'😀', char32_t{0x800}, char32_t{0xD7FF}, char32_t{0x10FFFF}}) {
    const std::string text = encode(point);
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      EXPECT_EQ(utf8::unfinished_tail("abc" + text.substr(0, cut)), cut);
      EXPECT_EQ(utf8::unit(text.substr(0, cut)), cut);
    }
  }
}

TEST(Utf8, WhatNothingCanFinishIsNoUnfinishedTail) {
  for (const char* text :
       {"a\x80", "\xFF", "\xC0", "\xF5", "\xE0\x80", "\xED\xA0", "\xF4\x90", "\xF0\x8F\xBF", "\x80\x80\x80"}) {
    EXPECT_EQ(utf8::unfinished_tail(text), 0U) << ::testing::PrintToString(text);
  }
}

TEST(Utf8, RepairGivesOneReplacementPerByteAndOnePerCutPrefix) {
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(utf8::repair(""), "");
  EXPECT_EQ(utf8::repair("plain é"), "plain é");
  EXPECT_EQ(utf8::repair("a\xFF\xFE"
                         "b"),
            "a" + r + r + "b");
  EXPECT_EQ(utf8::repair("\xE4\xBD"
                         "x"),
            r + "x")
      << "a cut prefix is one";
  EXPECT_EQ(utf8::repair("\xF0\x9F\x98"), r);
  EXPECT_EQ(utf8::repair("\xED\xA0\x80"), r + r + r) << "a surrogate is three bytes that belong to nothing";
  EXPECT_EQ(utf8::repair("\xC0\xAF"), r + r);
}

TEST(Utf8, RandomBytesAreRepairedToValidTextAndValidTextIsLeftAlone) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 64, ' ');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() : random() % 128);
    const std::string repaired = utf8::repair(text);
    ASSERT_TRUE(utf8::valid(repaired)) << ::testing::PrintToString(text);
    ASSERT_EQ(utf8::repair(repaired), repaired);
    if (utf8::valid(text)) {
      ASSERT_EQ(repaired, text);
    }
    ASSERT_LE(utf8::unfinished_tail(text), 3U);
  }
}

}  // namespace
}  // namespace ptyd
