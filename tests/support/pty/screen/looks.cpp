#include "tests/support/pty/screen/looks.hpp"

#include <array>
#include <sstream>
#include <vector>

namespace ptyd::test {
namespace {

std::string colour_word(const char* name, Colour colour) {
  if (colour.is_default()) return {};
  std::ostringstream text;
  text << name << '=';
  if (colour.is_indexed()) {
    text << colour.value();
  } else {
    text << '#' << std::hex;
    text.fill('0');
    text.width(6);
    text << colour.value();
  }
  return text.str();
}

std::vector<std::string> words_of(const Pen& pen) {
  static constexpr std::array kNames{"bold", "faint", "italic", "blink", "inverse", "invisible", "strike", "overline"};
  static constexpr std::array kUnderlines{"", "ul", "ul=double", "ul=curly", "ul=dotted", "ul=dashed"};
  std::vector<std::string> words;
  for (std::size_t bit = 0; bit < kNames.size(); ++bit) {
    if ((pen.attributes >> bit & 1) != 0) words.emplace_back(kNames[bit]);
  }
  words.emplace_back(kUnderlines.at(static_cast<std::size_t>(pen.underline)));
  words.push_back(colour_word("fg", pen.foreground));
  words.push_back(colour_word("bg", pen.background));
  words.push_back(colour_word("uc", pen.underline_colour));
  std::erase(words, "");
  return words;
}

std::string joined(const std::vector<std::string>& words, char separator) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : std::string(1, separator)) + word;
  return text;
}

std::string look_word(const Grid& grid, const Pen& pen) {
  return pen_word(pen) + (pen.link == 0 ? "" : " " + grid.link(pen.link).uri);
}

}  // namespace

Pen pen_of(const Grid& grid, const Cell& cell) {
  const Pen& pen = grid.pen(cell.pen);
  if (cell.glyph != 0 || cell.width != 1) return pen;
  Pen blank;
  blank.background = pen.background;
  return blank;
}

std::string pen_word(const Pen& pen) {
  const auto words = joined(words_of(pen), ',');
  return words.empty() ? "plain" : words;
}

std::string line_words(const Grid& grid, const Line& line) {
  std::string words, last = "plain";
  std::size_t end = 0;
  for (const auto& cell : line.cells) {
    if (cell.width == 0) continue;
    const auto look = look_word(grid, pen_of(grid, cell));
    if (look != last) words += "{" + look + "}";
    last = look;
    const auto begin = words.size();
    grid.append_text(cell, words);
    if (cell.width == 2) words += "\u00bb";
    if (look != "plain" || words.substr(begin) != " ") end = words.size();
  }
  words.resize(end);
  return words;
}

}  // namespace ptyd::test
