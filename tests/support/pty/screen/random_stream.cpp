#include "tests/support/pty/screen/random_stream.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace ptyd::test {
namespace {

/// Chance, and the size that numbers are chosen about.
struct Dice {
  std::mt19937& random;
  Size size;

  int below(int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  std::string pick(std::initializer_list<const char*> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }

  /// A parameter: mostly a place on the screen, at times an edge, beside it, huge or empty.
  std::string number(int edge) {
    switch (below(12)) {
      case 0:
        return "";
      case 1:
        return "0";
      case 2:
        return std::to_string(edge);
      case 3:
        return std::to_string(edge + 1);
      case 4:
        return pick({"99", "65535", "65536", "4294967297", "99999999999999999999"});
      case 5:
      case 6:
        return "1";
      default:
        return std::to_string(1 + below(edge));
    }
  }
  std::string row() { return number(size.rows); }
  std::string column() { return number(size.cols); }
  std::string count() { return one_in(2) ? pick({"", "1", "2", "3"}) : number(one_in(2) ? size.rows : size.cols); }
};

std::string csi(const std::string& rest) {
  return "\033[" + rest;
}

std::string words(Dice& dice) {
  std::string text;
  for (int left = 1 + dice.below(dice.one_in(4) ? 30 : 6); left > 0; --left)
    text += static_cast<char>(dice.one_in(6) ? ' ' : 'a' + dice.below(26));
  return text;
}

std::string wide(Dice& dice) {
  return dice.pick({"\u4E00", "\u8A9E", "\uAC00", "\U0001F600", "\uFF21", "a\u4E00", "\u4E00\u4E00\u4E00"});
}

std::string narrow(Dice& dice) {
  return dice.pick({"\u00E9", "\u03B1\u03B2", "\u2500\u2502\u253C", "\u00DF", "\u2014", "\u20AC", "\u0416"});
}

std::string joined(Dice& dice) {
  return dice.pick({"e\u0301", "\u0301", "\u200D", "\uFE0F", "\u2764\uFE0F", "\U0001F468\u200D\U0001F469",
                    "\U0001F44D\U0001F3FD", "\U0001F1E9\U0001F1EA", "\U0001F1E9", "\u4E00\u0301",
                    "a\u0300\u0301\u0302\u0303", "\u0E01\u0E33", "\u1100\u1161", "\u200B", "\u00AD", "\uFEFF"});
}

std::string invalid(Dice& dice) {
  return dice.pick({"\x80", "\xFF", "\xE4\xB8", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE4\xB8\033[K",
                    "\xF0\x9F\x98\n", "\xC3\r", "a\xC3z"});
}

std::string controls(Dice& dice) {
  return dice.pick({"\r", "\n", "\r\n", "\b", "\t", "\v", "\f", "\a", "\b\b", "\t\t", "\n\n\n", "\x7F"});
}

std::string moves(Dice& dice) {
  switch (dice.below(4)) {
    case 0:
      return csi(dice.row() + ";" + dice.column() + dice.pick({"H", "f"}));
    case 1:
      return csi(dice.count() + dice.pick({"A", "B", "C", "D"}));
    case 2:
      return csi(dice.count() + dice.pick({"E", "F", "a", "e"}));
    default:
      return dice.one_in(2) ? csi(dice.column() + dice.pick({"G", "`"})) : csi(dice.row() + "d");
  }
}

std::string tabs(Dice& dice) {
  if (dice.one_in(2)) return dice.pick({"\033H", "\033[g", "\033[0g", "\033[3g", "\t", "\xC2\x88"});
  return csi(dice.count() + dice.pick({"I", "Z"}));
}

std::string erasing(Dice& dice) {
  if (dice.one_in(3)) return csi(dice.count() + "X");
  return csi(dice.pick({"", "0", "1", "2", "3", "4", "0;1"}) + dice.pick({"J", "K"}));
}

std::string inserting(Dice& dice) {
  return csi(dice.count() + dice.pick({"@", "P", "L", "M"}));
}

std::string scrolling(Dice& dice) {
  if (dice.one_in(2)) return csi(dice.count() + dice.pick({"S", "T"}));
  return dice.pick({"\033D", "\033M", "\033E", "\xC2\x84", "\xC2\x85", "\xC2\x8D", "\033M\033M"});
}

std::string margins(Dice& dice) {
  if (dice.one_in(4)) return csi("r");
  return csi(dice.row() + ";" + dice.row() + "r");
}

std::string horizontal_margins(Dice& dice) {
  if (dice.one_in(4)) return dice.pick({"\033[?69h", "\033[?69h", "\033[?69l"});
  if (dice.one_in(3)) return csi(dice.count() + dice.pick({"'}", "'~"}));
  if (dice.one_in(8)) return dice.pick({"\033[s", "\0336", "\0339"});
  return "\033[?69h" + csi(dice.column() + ";" + dice.column() + "s");
}

std::string origin(Dice& dice) {
  return dice.pick({"\033[?6h", "\033[?6l", "\033[?6h\033[2;3H"});
}

std::string wrapping(Dice& dice) {
  return dice.pick({"\033[?7l", "\033[?7h", "\033[?7h", "\033[?45h", "\033[?45l", "\033[?45h\b\b\b", "\033[?1045h\b\b",
                    "\033[?1045l"});
}

std::string insert_mode(Dice& dice) {
  return dice.pick({"\033[4h", "\033[4l", "\033[4hxy"});
}

std::string newline_mode(Dice& dice) {
  return dice.pick({"\033[20h", "\033[20l", "\033[20hx\ny"});
}

std::string pens(Dice& dice) {
  return csi(dice.pick({"",
                        "0",
                        "1",
                        "2",
                        "3",
                        "4",
                        "5",
                        "7",
                        "8",
                        "9",
                        "21",
                        "22",
                        "23",
                        "24",
                        "25",
                        "27",
                        "28",
                        "29",
                        "53",
                        "55",
                        "31",
                        "42",
                        "97",
                        "105",
                        "39",
                        "49",
                        "59",
                        "38;5;200",
                        "48;5;9",
                        "58;5;3",
                        "38;2;1;2;3",
                        "48;2;255;0;9",
                        "38:2::10:20:30",
                        "48:2:7:8:9",
                        "58:2::1:2:3",
                        "58:5:77",
                        "4:0",
                        "4:3",
                        "4:5",
                        "38:5:17",
                        "1;31;48;5;4",
                        "38;5",
                        "48;2;1",
                        "38;2;300;1;1",
                        "4:9",
                        "38",
                        ";;7",
                        "6",
                        "10",
                        "73",
                        "1;2;3;4;5;7;8;9;53;31;41;1;1;1;1;1;4:3;32"}) +
             "m");
}

std::string links(Dice& dice) {
  return dice.pick({"\033]8;;http://a/\033\\", "\033]8;id=x;http://b/\a", "\033]8;;\033\\", "\033]8;;\a",
                    "\033]8;id=y:k=v;http://b/\033\\"});
}

std::string saving(Dice& dice) {
  return dice.pick({"\0337", "\0338", "\033[s", "\033[u", "\033[?1048h", "\033[?1048l", "\0337\033[1;1H", "\0338x"});
}

std::string alternate(Dice& dice) {
  return csi("?" + dice.pick({"47", "1047", "1049", "1049", "1047;1049", "1048;47"}) + dice.pick({"h", "l"}));
}

std::string charsets(Dice& dice) {
  if (dice.one_in(2)) return "\033" + dice.pick({"(", ")", "*", "+"}) + dice.pick({"0", "0", "B", "A", "1", "K", "<"});
  return dice.pick({"\x0E", "\x0F", "\033n", "\033o", "\033N", "\033O", "\033~", "\033}", "\033|", "\xC2\x8E",
                    "\xC2\x8F", "\033(0lqqk\033(B", "\033)0\x0Ex\x0F"});
}

std::string guarding(Dice& dice) {
  return csi(dice.pick(
      {"1\"q", "0\"q", "2\"q", "\"q", "1\"qguard", "?J", "?K", "?0J", "?1J", "?2J", "?1K", "?2K", "1\"q\u4E00"}));
}

std::string line_sizes(Dice& dice) {
  return "\033#" + dice.pick({"3", "4", "5", "6", "6", "5"});
}

std::string alignment(Dice&) {
  return "\033#8";
}

std::string resets(Dice& dice) {
  return dice.pick({"\033c", "\033[!p", "\033[!p"});
}

std::string repeating(Dice& dice) {
  return csi(dice.count() + "b");
}

std::string rectangles(Dice& dice) {
  const std::string area = dice.row() + ";" + dice.column() + ";" + dice.row() + ";" + dice.column();
  switch (dice.below(5)) {
    case 0:
      return csi(dice.pick({"65", "42", "32", "7", "200"}) + ";" + area + "$x");
    case 1:
      return csi(area + "$z");
    case 2:
      return csi(area + "${");
    case 3:
      return csi(area + ";1;" + dice.row() + ";" + dice.column() + ";1$v");
    default:
      return csi(area + dice.pick({";1$r", ";7$r", ";0$r", ";1;4$t", "$t"}));
  }
}

std::string other_modes(Dice& dice) {
  if (dice.one_in(4))
    return dice.pick({"\033=", "\033>", "\033[2 q", "\033[>1u", "\033[<u", "\033[>4;2m", "\033[=5;1u"});
  return csi(
      "?" + dice.pick({"1", "25", "1000", "1002", "1006", "1004", "2004", "2026", "12", "5", "66", "7777", "25;2004"}) +
      dice.pick({"h", "l"}));
}

std::string strings(Dice& dice) {
  return dice.pick({"\033]0;a title\a", "\033]2;\033\\", "\033]7;file:///tmp\a", "\033]9;4;1;50\a", "\033Pq#0\033\\",
                    "\033_Ga=1\033\\", "\033^pm\033\\", "\033Xsos\033\\",
                    "\xC2\x9D"
                    "2;t\xC2\x9C",
                    "\033]133;A\a"});
}

std::string queries(Dice& dice) {
  return dice.pick(
      {"\033[c", "\033[6n", "\033[?6n", "\033[?25$p", "\033P$qm\033\\", "\x05", "\033[18t", "\033]11;?\a"});
}

std::string broken(Dice& dice) {
  return dice.pick({"\033[1;2",
                    "\033[3\x18",
                    "\033[3\x1A",
                    "\033[2\nC",
                    "\033[1\rX",
                    "\033[5\b;2H",
                    "\033]0;cut\x18",
                    "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1H",
                    "\033[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3m",
                    "\033[b",
                    "\xC2\x85\033[K",
                    "\xC2\x9B"
                    "2C",
                    "\033[?1;2;3z",
                    "\033[>0;1~",
                    "\033[2;!H",
                    "\033[1:2H",
                    "\033",
                    "\033\033[C",
                    "\033[\x7F"
                    "C",
                    "\xC2\x9B\xC2\x9B"
                    "A",
                    "\033$B",
                    "\033%G",
                    "\033[?h",
                    "\033[;H"});
}

std::string resizing(Dice& dice) {
  const int rows = std::max(1, dice.size.rows + dice.below(5) - 2),
            columns = std::max(2, dice.size.cols + dice.below(9) - 4);
  return csi("8;" + std::to_string(rows) + ";" + std::to_string(columns) + "t");
}

struct StreamClass {
  const char* name;
  std::string (*make)(Dice&);
};

constexpr std::array kClasses{
    StreamClass{"text", words},
    StreamClass{"wide", wide},
    StreamClass{"narrow", narrow},
    StreamClass{"joined", joined},
    StreamClass{"invalid", invalid},
    StreamClass{"controls", controls},
    StreamClass{"moves", moves},
    StreamClass{"tabs", tabs},
    StreamClass{"erasing", erasing},
    StreamClass{"inserting", inserting},
    StreamClass{"scrolling", scrolling},
    StreamClass{"margins", margins},
    StreamClass{"horizontal_margins", horizontal_margins},
    StreamClass{"origin", origin},
    StreamClass{"wrapping", wrapping},
    StreamClass{"insert_mode", insert_mode},
    StreamClass{"newline_mode", newline_mode},
    StreamClass{"pens", pens},
    StreamClass{"links", links},
    StreamClass{"saving", saving},
    StreamClass{"alternate", alternate},
    StreamClass{"charsets", charsets},
    StreamClass{"guarding", guarding},
    StreamClass{"line_sizes", line_sizes},
    StreamClass{"alignment", alignment},
    StreamClass{"resets", resets},
    StreamClass{"repeating", repeating},
    StreamClass{"rectangles", rectangles},
    StreamClass{"other_modes", other_modes},
    StreamClass{"strings", strings},
    StreamClass{"queries", queries},
    StreamClass{"broken", broken},
    StreamClass{"resize", resizing},
};

/// Few classes beside text, moves and controls: what one class breaks is not hidden by thirty others.
std::vector<const StreamClass*> chosen(Dice& dice, const std::set<std::string>& without) {
  std::vector<const StreamClass*> all, some;
  for (const StreamClass& one : kClasses)
    if (!without.contains(one.name)) all.push_back(&one);
  if (all.empty()) return some;
  for (int left = 2 + dice.below(6); left > 0; --left)
    some.push_back(all[static_cast<std::size_t>(dice.below(static_cast<int>(all.size())))]);
  for (const StreamClass* one : all) {
    const std::string name = one->name;
    if (name == "text" || (name == "moves" && dice.one_in(2)) || (name == "controls" && dice.one_in(2)) ||
        (name == "wide" && dice.one_in(3)))
      some.push_back(one);
  }
  return some;
}

}  // namespace

std::vector<std::string> stream_classes() {
  std::vector<std::string> names;
  for (const StreamClass& one : kClasses) names.emplace_back(one.name);
  return names;
}

Items random_stream(std::mt19937& random, const StreamOptions& options) {
  Dice dice{random, options.size};
  const auto classes = chosen(dice, options.without);
  Items items;
  while (!classes.empty() && items.size() < options.items)
    items.push_back(classes[static_cast<std::size_t>(dice.below(static_cast<int>(classes.size())))]->make(dice));
  return items;
}

}  // namespace ptyd::test
