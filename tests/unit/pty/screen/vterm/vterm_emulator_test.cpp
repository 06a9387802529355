#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "pty/screen/vterm/vterm.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {
namespace {

/// A Grid that libvterm draws on.
struct Drawn final : TokenSink {
  explicit Drawn(Size size) : grid(size, 100), emulator(make_vterm_emulator(grid)) {}

  void on_token(const Token& token) override { emulator->feed(token); }
  void feed(std::string_view bytes) {
    rest += bytes;
    rest.erase(0, scanner.scan(rest, *this));
  }
  std::string row(int row) const {
    std::string text;
    for (const Cell& cell : grid.line(grid.active(), row).cells) grid.append_text(cell, text);
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  const Caret& caret() const { return emulator->state().caret; }

  Grid grid;
  std::unique_ptr<Emulator> emulator;
  Scanner scanner;
  std::string rest;
};

struct VtermEmulatorTest : testing::Test {
  Drawn drawn{{8, 3}};
};

// Sequences that end or stop a process that hands its output to libvterm as it is.

TEST_F(VtermEmulatorTest, survives_more_parameters_than_libvterm_has_room_for) {
  std::string ones = "\x1B[2;3";
  for (int i = 0; i < 40; ++i) ones += ";1";
  drawn.feed(ones + "H" + ones + "m" + "x");
  EXPECT_EQ(drawn.row(1), "  x");
}

TEST_F(VtermEmulatorTest, survives_sub_parameters) {
  drawn.feed("\x1B[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3mx\x1B[1:2:3:4:5:6:7:8:9:1:2:3:4:5:6:7:8:9Hy");
  EXPECT_EQ(drawn.row(0).front(), 'y');
}

TEST_F(VtermEmulatorTest, survives_a_repetition_of_nothing) {
  drawn.feed("\x1B[b\x1B[65535bx");
  EXPECT_EQ(drawn.row(0), "x");
}

TEST_F(VtermEmulatorTest, survives_controls_of_eight_bits_in_utf8) {
  drawn.feed("\xC2\x85\x1B[Kx\xC2\x80\xC2\x99y");
  EXPECT_EQ(drawn.row(1), "xy");
}

TEST_F(VtermEmulatorTest, survives_a_wide_glyph_that_is_repeated_at_the_edge) {
  drawn.feed("\u4E00\x1B[1;7H\u4E00\x1B[b");
  EXPECT_EQ(drawn.row(0), "\u4E00    \u4E00");
  EXPECT_EQ(drawn.row(1), "\u4E00");
}

TEST_F(VtermEmulatorTest, survives_a_repetition_without_end) {
  drawn.feed("x\x1B[999999999b");
  EXPECT_EQ(drawn.row(1), "xxxxxxxx");
  EXPECT_EQ(drawn.caret(), (Caret{2, 1, false}));
}

TEST_F(VtermEmulatorTest, survives_large_writes) {
  drawn.feed(std::string(3 << 20, 'x'));
  EXPECT_EQ(drawn.row(2), "xxxxxxxx");
  EXPECT_TRUE(drawn.caret().pending_wrap);
}

TEST(VtermEmulator, survives_screens_of_one_column) {
  Drawn drawn({1, 1});
  drawn.feed("\u4E00\u4E00a\u4E00\x1B[1;9H\u4E00\x1B[?7l\u4E00\u4E00");
  drawn.emulator->resize({1, 4});
  drawn.feed("\u4E00\u4E00\x1B[2J\u4E00");
  EXPECT_EQ(drawn.grid.size(), (Size{2, 4}));
}

TEST_F(VtermEmulatorTest, survives_changes_of_size_amid_wide_glyphs) {
  for (std::uint16_t columns = 2; columns < 20; ++columns) {
    drawn.feed("\u4E00\u4E00\u4E00\u4E00\u4E00a\u4E00\x1B[99;99H\u4E00\x1B#6\u4E00");
    drawn.emulator->resize({columns, static_cast<std::uint16_t>(1 + columns % 5)});
    ASSERT_LT(drawn.caret().column, columns);
  }
}

TEST_F(VtermEmulatorTest, survives_strings_of_every_kind) {
  drawn.feed("\x1B]0;" + std::string(100'000, 't') +
             "\a\x1BP$qm\x1B\\\x1B_Ga=1;payload\x1B\\\x1B^pm\x1B\\\x1BXsos\x1B\\x");
  EXPECT_EQ(drawn.row(0), "x");
}

TEST_F(VtermEmulatorTest, prints_a_cut_character_before_what_cuts_it) {
  drawn.feed("a\xE4\xB8\r\nb\xE4");
  drawn.feed("\xB8\x80");
  EXPECT_EQ(drawn.row(0), "a\uFFFD");
  EXPECT_EQ(drawn.row(1), "b\u4E00");
}

}  // namespace
}  // namespace ptyd
