#include "server/execute/text_window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace ptyd {
namespace {

constexpr TextWindow::Room kRoom{10, 20};
constexpr std::size_t kWhole = 1 << 30;

std::string lines(int from, int to) {
  std::string text;
  for (int i = from; i <= to; ++i) text += std::to_string(i) + "\n";
  return text;
}

TextWindow window(std::string_view text, const TextWindow::Room& room = kRoom) {
  TextWindow made(room);
  made.append(text);
  return made;
}

TEST(TextWindow, HoldsAShortTextWhole) {
  for (const auto* text : {"", "a", "a\nb", "\n\n"}) {
    const auto cut = window(text).cut(kWhole);
    EXPECT_EQ(cut.text, text);
    EXPECT_EQ(cut.omitted_bytes + cut.omitted_lines, 0u);
  }
}

struct CutRow {
  std::string_view name;
  std::string text;
  std::size_t chars;
  std::string shown;
};

TEST(TextWindow, IsCutAtLinesAndCharacters) {
  const CutRow rows[] = {
      {"as long as it may be", "a\nb\nc", 5, "a\nb\nc"},
      {"one more", "a\nb\nc\n", 5, "a\n[... 1 lines / 2 bytes omitted ...]\nc\n"},
      {"whole lines", lines(1, 9), 8, "1\n2\n[... 5 lines / 10 bytes omitted ...]\n8\n9\n"},
      {"half a line is none", lines(1, 9), 9, "1\n2\n[... 5 lines / 10 bytes omitted ...]\n8\n9\n"},
      {"one line", "0123456789", 4, "01\n[... 1 lines / 6 bytes omitted ...]\n89"},
      {"a line at the end", "a\n0123456789", 6, "a\n[... 1 lines / 7 bytes omitted ...]\n789"},
      {"a long line behind a short one", "a\n0123456789", 10, "a\n012\n[... 1 lines / 2 bytes omitted ...]\n56789"},
      {"a long line before a short one", "0123456789\na", 10, "01234\n[... 1 lines / 2 bytes omitted ...]\n789\na"},
      {"characters", "ääääääää", 4, "ää\n[... 1 lines / 8 bytes omitted ...]\nää"},
      {"characters of four bytes", "😀😀😀😀😀", 2, "😀\n[... 1 lines / 12 bytes omitted ...]\n😀"},
  };
  for (const auto& row : rows) EXPECT_EQ(window(row.text, {100, 100}).cut(row.chars).text, row.shown) << row.name;
}

TEST(TextWindow, CountsWhatIsNotKept) {
  const auto text = lines(10, 99'999);
  for (std::size_t step : {1, 7, 4096, 1 << 20}) {
    TextWindow made(kRoom);
    for (std::size_t at = 0; at < text.size(); at += step) made.append(std::string_view(text).substr(at, step));
    const auto cut = made.cut(40);
    EXPECT_EQ(made.bytes(), text.size());
    EXPECT_EQ(cut.text.substr(0, 10), "10\n11\n12\n[") << step;
    EXPECT_EQ(cut.text.substr(cut.text.size() - 19), "\n99997\n99998\n99999\n") << step;
    EXPECT_EQ(cut.omitted_lines, 99'990u - 6) << step;
    EXPECT_EQ(cut.omitted_bytes, text.size() - 9 - 18) << step;
  }
}

TEST(TextWindow, TakesBackFromItsEnd) {
  auto made = window("0123456789abc\n\n\n");
  made.take_back(3, 3);
  EXPECT_EQ(made.cut(kWhole).text, "0123456789abc");
  made.take_back(5, 0);
  EXPECT_EQ(made.cut(kWhole).text, "01234567");
  made.append("xyz");
  EXPECT_EQ(made.cut(kWhole).text, "01234567xyz");
}

TEST(TextWindow, TakesBackMoreThanItKeepsOfTheEnd) {
  TextWindow made(kRoom);
  made.append("a\n" + std::string(50, 'b'));
  made.append(std::string(200'000, '\n'));
  made.append(std::string(200'000, ' '));
  made.take_back(400'000, 200'000);
  const auto cut = made.cut(kWhole);
  EXPECT_EQ(made.bytes(), 52u);
  EXPECT_EQ(cut.text, "a\nbbbbbbbb\n[... 1 lines / 42 bytes omitted ...]\n");
  made.append("\nend");
  EXPECT_EQ(made.cut(kWhole).text, "a\nbbbbbbbb\n[... 1 lines / 43 bytes omitted ...]\nend");
}

/// The part that is shown and the part that is counted are the text, in any cut.
TEST(TextWindow, LosesNothingInItsCounts) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += random() % 4 == 0 ? "\n" : random() % 3 == 0 ? "ü" : "x";
    const auto made = window(text, {8 + random() % 8, 12});
    const auto cut = made.cut(2 + random() % 50);
    if (cut.omitted_bytes == 0) continue;
    const auto mark = cut.text.find("[... ");
    const auto back = cut.text.substr(cut.text.find("...]\n", mark) + 5);
    const auto front = text.substr(0, text.size() - cut.omitted_bytes - back.size());
    EXPECT_EQ(cut.text.substr(0, mark), front + (front.ends_with('\n') || front.empty() ? "" : "\n")) << text;
    EXPECT_TRUE(text.ends_with(back)) << text;
    const auto omitted = text.substr(front.size(), cut.omitted_bytes);
    const auto ends = static_cast<std::uint64_t>(std::count(omitted.begin(), omitted.end(), '\n'));
    EXPECT_EQ(cut.omitted_lines, ends + (omitted.ends_with('\n') ? 0 : 1)) << text << "\n---\n" << cut.text;
  }
}

}  // namespace
}  // namespace ptyd
