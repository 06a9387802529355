// Outputs, and what a person reads of them on a terminal of 20 columns and 5 rows.
#pragma once

#include <string_view>

#include "pty/types.hpp"

namespace ptyd::test {

inline constexpr Size kSize{20, 5};

struct Printed {
  std::string_view name, bytes, read, whole;
};

inline const Printed kPrinted[] = {
    {"nothing", "", "", ""},
    {"a line", "a\r\n", "a", "a\n"},
    {"a line without its end", "a", "a", "a"},
    {"empty lines at the end", "a\r\n\r\n\r\n", "a", "a\n\n\n"},
    {"empty lines before", "\r\n\r\na\r\n", "\n\na", "\n\na\n"},
    {"blanks at ends of lines", "a  \r\n  b \r\n", "a\n  b", "a  \n  b \n"},
    {"colours", "\x1b[31mred\x1b[m \x1b[1mbold\x1b[m\r\n", "red bold", "red bold\n"},
    {"a link and a title", "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\\x1b]0;title\a\r\n", "link", "link\n"},
    {"a progress bar", "10%\r20%\r100%\r\n", "100%", "100%\n"},
    {"a bar that is taken away", "working\r\x1b[Kdone\r\n", "done", "done\n"},
    {"backspaces", "abc\b\bX\r\n", "aXc", "aXc\n"},
    {"a line over two rows", "0123456789012345678901234\r\nb\r\n", "0123456789012345678901234\nb",
     "0123456789012345678901234\nb\n"},
    {"a line as long as a row", "01234567890123456789\r\nb\r\n", "01234567890123456789\nb",
     "01234567890123456789\nb\n"},
    {"a blank where a row ends", "0123456789012345678 b\r\n", "0123456789012345678 b", "0123456789012345678 b\n"},
    {"a wide glyph that did not fit", "0123456789012345678\u4e16\r\n", "0123456789012345678\u4e16",
     "0123456789012345678\u4e16\n"},
    {"what has left the screen", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n", "1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n7\n"},
    {"an alternate screen", "before\r\n\x1b[?1049hfull\x1b[?1049lafter\r\n", "before\nafter", "before\nafter\n"},
    {"an alternate screen that is shown", "before\r\n\x1b[?1049hfull", "before", "before"},
    {"no UTF-8",
     "a\xff"
     "b\r\n",
     "a\uFFFDb", "a\uFFFDb\n"},
    {"a tab", "a\tb\r\n", "a\tb", "a\tb\n"},
    {"a tab at the beginning", "\tcc x\r\n", "\tcc x", "\tcc x\n"},
    {"several", "\t\tx\r\n", "\t\tx", "\t\tx\n"},
    {"a tab that is one column wide", "1234567\tb\r\n", "1234567\tb", "1234567\tb\n"},
    {"tabs at ends of lines", "a\t\r\nb\r\n", "a\nb", "a\t\nb\n"},
    {"tabs of a line over two rows", "1234567890\t123456\t78\ty\r\n", "1234567890\t123456\t78\ty",
     "1234567890\t123456\t78\ty\n"},
    {"a tab where the row is full", "01234567890123456789\tb\r\n", "01234567890123456789\tb",
     "01234567890123456789\tb\n"},
    {"tabs where the row is full", "01234567890123456789\t\tb\r\n", "01234567890123456789\t\tb",
     "01234567890123456789\t\tb\n"},
    {"a tab over what stands there", "hello world\r\tX\r\n", "hello woXld", "hello woXld\n"},
    {"a tab that is written over", "a\tb\rxyz\r\n", "xyz     b", "xyz     b\n"},
    {"a tab that is written over in whole", "a\tb\rhello world\r\n", "hello world", "hello world\n"},
    {"a tab that is erased in part", "a\tb\r\x1b[3C\x1b[1K\x1b[8C|\r\n", "        b  |", "        b  |\n"},
    {"characters that mean tabs here", "a\U0010E003\U0010FFFD\U0010FFFD\U000E01EFx\r\n", "a\uFFFD\uFFFD\uFFFDx",
     "a\uFFFD\uFFFD\uFFFDx\n"},
    {"private characters of others", "\U000F0001\uE0B0\r\n", "\U000F0001\uE0B0", "\U000F0001\uE0B0\n"},
    {"a wiped screen", "a\r\nb\r\n\x1b[H\x1b[2J\x1b[3Jc\r\n", "c", "c\n"},
};

}  // namespace ptyd::test
