#include "pty/screen/palette.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ptyd {
namespace {

Palette after(std::initializer_list<const char*> texts) {
  Palette palette;
  for (const char* text : texts) palette.feed(text);
  return palette;
}

TEST(Palette, AColourIsReadAsX11ReadsIt) {
  EXPECT_EQ(parse_colour("#123"), 0x102030U);
  EXPECT_EQ(parse_colour("#123456"), 0x123456U);
  EXPECT_EQ(parse_colour("#111222333"), 0x112233U);
  EXPECT_EQ(parse_colour("#111122223333"), 0x112233U);
  EXPECT_EQ(parse_colour("rgb:f/0/8"), 0xff0088U);
  EXPECT_EQ(parse_colour("rgb:12/34/56"), 0x123456U);
  EXPECT_EQ(parse_colour("rgb:1212/3434/ffff"), 0x1234ffU);
  for (const char* text : {"", "#", "#12", "#1234", "#12345g", "#1234567890123", "rgb:", "rgb:1/2", "rgb:1/2/", "red",
                           "rgb:1/2/3/4", "rgb:11111/2/3", "rgb:-1/2/3", "?", "rgba:1/2/3/4"}) {
    EXPECT_EQ(parse_colour(text), std::nullopt) << text;
  }
}

TEST(Palette, WhatWasSetIsRememberedUntilItIsPutBack) {
  Palette palette = after({"4;1;#010203;255;#040506", "11;#0a0b0c", "10;#111111;#bad!;#333333"});
  EXPECT_EQ(palette.indexed(1), 0x010203U);
  EXPECT_EQ(palette.indexed(255), 0x040506U);
  EXPECT_EQ(palette.indexed(2), std::nullopt);
  EXPECT_EQ(palette.dynamic(10), 0x111111U);
  EXPECT_EQ(palette.dynamic(11), 0x0a0b0cU);
  EXPECT_EQ(palette.dynamic(12), 0x333333U);
  palette.feed("104;1");
  palette.feed("110");
  EXPECT_EQ(palette.indexed(1), std::nullopt);
  EXPECT_EQ(palette.indexed(255), 0x040506U);
  EXPECT_EQ(palette.dynamic(10), std::nullopt);
  palette.feed("104");
  EXPECT_EQ(palette.indexed(255), std::nullopt);
}

TEST(Palette, OtherTextsAndImpossibleIndexesChangeNothing) {
  EXPECT_EQ(after({"", ";", "4", "4;", "4;1", "4;261;#fff", "5;5;#fff", "4;-1;#fff", "4;x;#fff", "9;#fff", "20;#fff",
                   "19;?", "8;;http://x/4;1;#fff", "19;#x;#fff;#fff", "4;1;?", "4;1;rgb:1/2", "11;a name!"})
                .text(),
            "");
}

TEST(Palette, ItsTextSetsTheSameElsewhere) {
  const Palette palette = after({"4;200;#010203;0;#fff", "12;#0a0b0c"});
  EXPECT_EQ(palette.text(),
            "\x1b]4;0;rgb:f0f0/f0f0/f0f0\x1b\\\x1b]4;200;rgb:0101/0202/0303\x1b\\\x1b]12;rgb:0a0a/0b0b/0c0c\x1b\\");
  Palette other;
  other.feed("4;200;rgb:0101/0202/0303");
  EXPECT_EQ(other.indexed(200), 0x010203U);
}

TEST(Palette, SpecialColoursAreBehindTheIndexedOnes) {
  Palette palette = after({"5;0;#010203;4;#040506", "4;257;#070809"});
  EXPECT_EQ(palette.indexed(256), 0x010203U);
  EXPECT_EQ(palette.indexed(257), 0x070809U);
  EXPECT_EQ(palette.indexed(260), 0x040506U);
  EXPECT_EQ(palette.text(),
            "\x1b]5;0;rgb:0101/0202/0303\x1b\\\x1b]5;1;rgb:0707/0808/0909\x1b\\\x1b]5;4;rgb:0404/0505/0606\x1b\\");
  palette.feed("104");
  palette.feed("105;0");
  palette.feed("104;257");
  EXPECT_EQ(palette.indexed(256), std::nullopt);
  EXPECT_EQ(palette.indexed(257), std::nullopt);
  EXPECT_EQ(palette.indexed(260), 0x040506U);
  palette.feed("105");
  EXPECT_EQ(palette.indexed(260), std::nullopt);
}

TEST(Palette, ANameIsKeptAsOneUntilTheColourIsSetAgain) {
  Palette palette = after({"11;#010203", "11;light sea green", "4;1;red;2;rgbi:1.0/0/0", "5;0;blue"});
  EXPECT_TRUE(palette.is_dynamic_named(11));
  EXPECT_EQ(palette.dynamic(11), std::nullopt);
  EXPECT_TRUE(palette.is_named(1) && palette.is_named(2) && palette.is_named(256));
  EXPECT_EQ(palette.text(),
            "\x1b]4;1;red\x1b\\\x1b]4;2;rgbi:1.0/0/0\x1b\\\x1b]5;0;blue\x1b\\\x1b]11;light sea green\x1b\\");
  palette.feed("11;#040506");
  palette.feed("104;1");
  palette.feed("105");
  EXPECT_FALSE(palette.is_dynamic_named(11) || palette.is_named(1) || palette.is_named(256));
  EXPECT_EQ(palette.dynamic(11), 0x040506U);
  palette.reset();
  EXPECT_EQ(palette.text(), "");
}

TEST(Palette, ANameIsBounded) {
  EXPECT_TRUE(after({("11;" + std::string(Palette::kMaxName, 'a')).c_str()}).is_dynamic_named(11));
  EXPECT_FALSE(after({("11;" + std::string(Palette::kMaxName + 1, 'a')).c_str()}).is_dynamic_named(11));
}

TEST(Palette, TheFirstColoursAreXterms) {
  EXPECT_EQ(Palette::initial(1), 0xcd0000U);
  EXPECT_EQ(Palette::initial(16), 0x000000U);
  EXPECT_EQ(Palette::initial(21), 0x0000ffU);
  EXPECT_EQ(Palette::initial(67), 0x5f87afU);
  EXPECT_EQ(Palette::initial(231), 0xffffffU);
  EXPECT_EQ(Palette::initial(232), 0x080808U);
  EXPECT_EQ(Palette::initial(255), 0xeeeeeeU);
}

}  // namespace
}  // namespace ptyd
