// The escaper against two judges: the JSON library reads back what it wrote, utf8::repair says what that must be.
#include <gtest/gtest.h>

#include <random>

#include "protocol/json/escaper.hpp"
#include "protocol/json/json_text.hpp"
#include "pty/text/utf8.hpp"
#include "tests/support/protocol/speaking.hpp"

namespace ptyd {
namespace {

/// The text that a reader of the escaped one gets; checks what is promised on the way.
std::string read_back(std::string_view text) {
  std::string frame = "\"";
  const std::size_t length = json_text::append_escaped(frame, text);
  frame += '"';
  json::error_code error;
  const json::value value = json::parse(frame, error);
  EXPECT_FALSE(error) << error.message() << " in " << testing::PrintToString(frame);
  if (error) return {};
  EXPECT_EQ(length, value.as_string().size()) << testing::PrintToString(text);
  return std::string(value.as_string());
}

std::string escaped(std::string_view text) {
  std::string out;
  json_text::append_escaped(out, text);
  return out;
}

TEST(Escaper, WritesControlCharactersAsShortAsTheyCanBe) {
  EXPECT_EQ(escaped("\b\t\n\f\r\"\\"), R"(\b\t\n\f\r\"\\)");
  EXPECT_EQ(escaped(std::string_view("\0\x01\x0b\x1b\x1f", 5)), R"(\u0000\u0001\u000b\u001b\u001f)");
}

TEST(Escaper, LeavesEverythingElseAsItIs) {
  const std::string_view text = "plain / </script> \x7f \u0080\u009b \u2028 \u4e00 \U0001F600 \uFFFD \U0010FFFF";
  EXPECT_EQ(escaped(text), text);
  EXPECT_EQ(escaped(""), "");
}

TEST(Escaper, EveryByteAtEveryPlaceOfAVector) {
  for (int byte = 0; byte < 256; ++byte)
    for (std::size_t at = 0; at < 34; ++at) {
      std::string text(40, 'x');
      text[at] = static_cast<char>(byte);
      ASSERT_EQ(read_back(text), utf8::repair(text)) << "byte " << byte << " at " << at;
    }
}

TEST(Escaper, EveryCharacterLengthAcrossEveryCut) {
  for (const std::string_view character : {"\u00e9", "\u4e00", "\ud7ff", "\ue000", "\U0001F600", "\U0010FFFF"})
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string text = std::string(before, 'x') + repeated(character, 12);
      for (std::size_t length = before; length <= text.size(); ++length)
        ASSERT_EQ(read_back(text.substr(0, length)), utf8::repair(text.substr(0, length))) << before << " " << length;
    }
}

TEST(Escaper, WhatIsNoUtf8BecomesReplacementCharacters) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a\xffz", "a\uFFFDz"},
      {"\xc0\x80", "\uFFFD\uFFFD"},
      {"\xe0\x80\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
      {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xf0\x9f\x98", "\uFFFD"},
      {"\xf0\x9f\x98z", "\uFFFDz"},
      {"\xe4\xb8\xc3\xa9", "\uFFFD\u00e9"},
      {"\x80", "\uFFFD"},
  };
  for (const auto& [text, repaired] : cases) {
    for (const std::size_t before : {std::size_t{0}, std::size_t{14}, std::size_t{40}}) {
      const std::string whole = std::string(before, 'x') + std::string(text) + std::string(before, 'x');
      EXPECT_EQ(read_back(whole), std::string(before, 'x') + std::string(repaired) + std::string(before, 'x'))
          << testing::PrintToString(text);
    }
  }
}

/// Text as terminals produce it, with a share of noise.
std::string random_text(std::mt19937& random, std::size_t length, unsigned noise_percent) {
  static const std::string_view kPieces[] = {
      "word",       " ",  "\r\n", "\x1b[1;32m", "\u00e9",       "\u4e2d\u6587",
      "\U0001F600", "\"", "\\",   "\t",         "\u2500\u2502", "0123456789abcdef"};
  std::string text;
  while (text.size() < length) {
    if (random() % 100 < noise_percent)
      text += static_cast<char>(random() & 0xFF);
    else
      text += kPieces[random() % std::size(kPieces)];
  }
  return text;
}

TEST(Escaper, AgreesWithTheJsonLibraryOnRandomText) {
  std::mt19937 random(20260614);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random_text(random, random() % 300, round % 3 == 0 ? 0 : round % 3 == 1 ? 5 : 60);
    ASSERT_EQ(read_back(text), utf8::repair(text)) << testing::PrintToString(text);
  }
}

TEST(Escaper, WritesValidTextExactlyAsTheJsonLibraryDoes) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string text = random_text(random, random() % 3000, 0);
    ASSERT_EQ("\"" + escaped(text) + "\"", json::serialize(json::string(text)));
  }
}

TEST(Escaper, LongTextIsTakenInPiecesThatCutNoCharacter) {
  for (std::size_t before = 0; before < 4; ++before)
    for (const std::string_view unit : {"\U0001F600", "\u4e00", "\u00e9", "\x1b", "\xf0\x9f\x98", "\x80"}) {
      const std::string text = std::string(before, 'x') + repeated(unit, 9000 / unit.size());
      ASSERT_EQ(read_back(text), utf8::repair(text)) << before;
    }
}

TEST(Escaper, StaysWithinTheRoomItAsksFor) {
  for (const std::size_t length : {1u, 15u, 16u, 17u, 100u, 4096u}) {
    const std::string worst(length, '\x1b');
    std::vector<char> room(escaper::room_for(length));
    EXPECT_EQ(escaper::escape(room.data(), worst).written, 6 * length);
  }
}

// --- the rest of json_text

std::string time_of(UnixMillis time) {
  std::string out;
  json_text::append_time(out, time);
  return out;
}

TEST(Times, AreIso8601WithMilliseconds) {
  EXPECT_EQ(time_of(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(time_of(1781424000123), "2026-06-14T08:00:00.123Z");
  EXPECT_EQ(time_of(951782400000 - 1), "2000-02-28T23:59:59.999Z");
  EXPECT_EQ(time_of(951782400000), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(time_of(1709251199999), "2024-02-29T23:59:59.999Z");
  EXPECT_EQ(time_of(1709251200000), "2024-03-01T00:00:00.000Z");
  EXPECT_EQ(time_of(4107542400000), "2100-03-01T00:00:00.000Z");
  EXPECT_EQ(time_of(253402300799999), "9999-12-31T23:59:59.999Z");
}

TEST(Times, OutsideWhatCanBeWrittenAreTheNearestThatCan) {
  EXPECT_EQ(time_of(-1), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(time_of(253402300800000), "9999-12-31T23:59:59.999Z");
}

TEST(Times, FollowTheCalendarOfTheSystem) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto seconds = static_cast<std::time_t>(random() % 253402300800);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    ASSERT_EQ(time_of(seconds * 1000), text);
  }
}

TEST(Integers, AreWrittenWhole) {
  std::string out;
  json_text::append_integer(out, std::numeric_limits<std::int64_t>::min());
  json_text::append_integer(out, 0);
  EXPECT_EQ(out, "-92233720368547758080");
}

}  // namespace
}  // namespace ptyd
