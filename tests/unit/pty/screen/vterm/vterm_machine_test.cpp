#include "pty/screen/vterm/vterm_machine.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ptyd {
namespace {

/// A sheet of code points, drawn on as libvterm says; notes whatever does not fit on it.
class Sheet final : public VtermCanvas {
 public:
  explicit Sheet(Size size) : rows_(size.rows, std::u32string(size.cols, U' ')) {}

  void put(char32_t glyph, int width, int row, int column) override {
    ++puts_;
    if (!fits({row, column, row + 1, column + width})) return;
    cell(row, column) = glyph;
    if (width == 2) cell(row, column + 1) = U'>';
  }
  void scroll(const Area& area, int upward, int leftward) override {
    if (!fits(area)) return;
    const auto before = rows_;
    for (int row = area.top; row < area.bottom; ++row) {
      for (int column = area.left; column < area.right; ++column) {
        const int from_row = row + upward, from_column = column + leftward;
        const bool inside =
            from_row >= area.top && from_row < area.bottom && from_column >= area.left && from_column < area.right;
        cell(row, column) =
            inside ? before[static_cast<std::size_t>(from_row)][static_cast<std::size_t>(from_column)] : U' ';
      }
    }
  }
  void erase(const Area& area, bool) override {
    if (!fits(area)) return;
    for (int row = area.top; row < area.bottom; ++row)
      for (int column = area.left; column < area.right; ++column) cell(row, column) = U' ';
  }

  const std::vector<std::u32string>& rows() const { return rows_; }
  std::size_t puts() const { return puts_; }
  bool all_fitted() const { return fitted_; }

 private:
  char32_t& cell(int row, int column) { return rows_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]; }
  bool fits(const Area& area) {
    const bool is = area.top >= 0 && area.left >= 0 && area.top < area.bottom && area.left < area.right &&
                    area.bottom <= static_cast<int>(rows_.size()) && area.right <= static_cast<int>(rows_[0].size());
    fitted_ = fitted_ && is;
    return is;
  }

  std::vector<std::u32string> rows_;
  std::size_t puts_ = 0;
  bool fitted_ = true;
};

struct VtermMachineTest : testing::Test {
  Sheet sheet{{6, 3}};
  VtermMachine machine{{6, 3}, sheet};
};

TEST_F(VtermMachineTest, draws_what_it_is_told) {
  machine.print("ab");
  machine.print_stand_in(2);
  machine.csi('H', {3, 2});
  machine.print("c");
  EXPECT_EQ(sheet.rows(), (std::vector<std::u32string>{U"ab\u4E00>  ", U"      ", U" c    "}));
  EXPECT_EQ(machine.row(), 2);
  EXPECT_EQ(machine.column(), 2);
}

TEST_F(VtermMachineTest, leaves_out_what_could_hurt_libvterm) {
  machine.csi('b', {});  // with nothing printed yet: libvterm would never come back
  machine.print("\x1B[b\x85\xC2\x9B\x7F");
  machine.escape(0, 'c');
  machine.escape(0, ']');
  machine.escape(0, 'P');
  machine.escape('[', 'b');
  machine.control('\x1B');
  machine.csi('c', {});
  machine.csi('m', {1});
  EXPECT_EQ(sheet.rows()[0], U"[b    ");
}

TEST_F(VtermMachineTest, takes_fifteen_parameters_and_no_more) {
  machine.csi('H', {2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(machine.row(), 1);
  machine.csi('H', {3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(machine.row(), 1);
}

TEST_F(VtermMachineTest, prints_more_at_once_than_a_stack_can_hold) {
  machine.print(std::string(3 << 20, 'x'));  // libvterm 0.1 puts four bytes a character on it
  EXPECT_EQ(sheet.puts(), 3U << 20);
  EXPECT_TRUE(sheet.all_fitted());
}

TEST(VtermMachine, takes_one_column_as_two) {
  Sheet sheet({2, 1});
  VtermMachine machine({1, 1}, sheet);
  for (int i = 0; i < 5; ++i) machine.print_stand_in(2);
  EXPECT_EQ(sheet.rows()[0], U"\u4E00>");
  EXPECT_TRUE(sheet.all_fitted());
}

TEST(VtermMachine, never_draws_beside_the_screen) {
  std::mt19937 random(7);
  const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  const std::string finals = "@ABCDEFGHIJKLMPSTXZ`adefghjklrs";
  const int numbers[] = {-1, 0, 1, 2, 3, 5, 6, 7, 69, 100'000, 2'000'000'000};
  for (int round = 0; round < 300; ++round) {
    const Size size{static_cast<std::uint16_t>(2 + pick(7)), static_cast<std::uint16_t>(1 + pick(4))};
    Sheet sheet(size);
    VtermMachine machine(size, sheet);
    for (int step = 0; step < 100; ++step) {
      const char final = finals[static_cast<std::size_t>(pick(static_cast<int>(finals.size())))];
      switch (pick(5)) {
        case 0:
          machine.print("text");
          break;
        case 1:
          machine.print_stand_in(1 + pick(2));
          break;
        case 2:
          machine.control(static_cast<char>(8 + pick(8)));
          break;
        case 3:
          machine.csi(final, {numbers[pick(11)], numbers[pick(11)]}, pick(3) == 0 ? '?' : '\0');
          break;
        default:
          machine.escape(pick(2) == 0 ? '#' : '\0', "DEHM34568"[pick(9)]);
      }
      ASSERT_TRUE(sheet.all_fitted()) << "round " << round << ", step " << step;
      ASSERT_LT(machine.row(), size.rows);
      ASSERT_LT(machine.column(), size.cols);
    }
  }
}

}  // namespace
}  // namespace ptyd
