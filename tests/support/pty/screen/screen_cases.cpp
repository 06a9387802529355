#include "tests/support/pty/screen/screen_cases.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "pty/text/utf8.hpp"
#include "tests/support/pty/screen/looks.hpp"

namespace ptyd::test {
namespace {

/// `\e \n \r \t \b \a \\ \xHH \u{H}`; everything else stands for itself.
std::string unescaped(std::string_view text) {
  static constexpr std::string_view kLetters = "enrtba\\", kMeant = "\x1b\n\r\t\b\a\\";
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
      continue;
    }
    const char letter = text.at(++at);
    if (letter == 'x') {
      bytes += static_cast<char>(std::stoi(std::string(text.substr(at + 1, 2)), nullptr, 16));
      at += 2;
    } else if (letter == 'u') {
      const auto end = text.find('}', at);
      utf8::append(static_cast<char32_t>(std::stoul(std::string(text.substr(at + 2, end)), nullptr, 16)), bytes);
      at = end;
    } else {
      const auto known = kLetters.find(letter);
      if (known == kLetters.npos) throw std::invalid_argument("no such escape: " + std::string(text));
      bytes += kMeant[known];
    }
  }
  return bytes;
}

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

bool is_fact(const std::string& key) {
  static const std::array<std::string, 12> kKeys{"at",    "reply",  "pen",   "link", "mode",     "wrapped",
                                                 "lines", "buffer", "title", "cwd",  "progress", "keyboard"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

void take_line(std::vector<ScreenCase>& cases, const std::string& line) {
  if (line.starts_with("== ")) {
    cases.push_back({line.substr(3), {10, 5}, {}, {}});
    return;
  }
  auto& each = cases.at(cases.size() - 1);
  if (line.starts_with("not xterm.js: ")) return;  // the oracle's business
  const auto key = line.substr(0, line.find(' '));
  const auto value = key.size() < line.size() ? line.substr(key.size() + 1) : std::string();
  if (key == "in") {
    each.input += unescaped(value);
  } else if (key == "size") {
    each.size.rows = static_cast<std::uint16_t>(std::stoi(value));
    each.size.cols = static_cast<std::uint16_t>(std::stoi(value.substr(value.find('x') + 1)));
  } else if (line.front() == '|' || line.front() == '^' || is_fact(key)) {
    each.facts.push_back(unescaped(line));
  } else {
    throw std::invalid_argument("nothing that a case can say: " + line);
  }
}

std::string text_of(const Grid& grid, const Line& line) {
  std::string text;
  for (const auto& cell : line.cells) grid.append_text(cell, text);
  return without_trailing_spaces(text);
}

std::string caret_word(const Caret& caret) {
  return std::to_string(caret.row + 1) + "," + std::to_string(caret.column + 1) + (caret.pending_wrap ? " wrap" : "");
}

/// `row,column` or `row,first-last`, from 1.
struct Places {
  explicit Places(const std::string& text) {
    const auto comma = text.find(','), dash = text.find('-');
    row = std::stoi(text) - 1;
    first = std::stoi(text.substr(comma + 1)) - 1;
    last = dash == text.npos ? first : std::stoi(text.substr(dash + 1)) - 1;
  }
  int row, first, last;
};

PenId pen_id_at(const Grid& grid, int row, int column) {
  const auto line = grid.line(grid.active(), row);
  const auto at = static_cast<std::size_t>(column);
  return at < line.cells.size() ? line.cells[at].pen : PenId{0};
}

std::string pen_word_at(const Grid& grid, int row, int column) {
  const auto line = grid.line(grid.active(), row);
  const auto at = static_cast<std::size_t>(column);
  return at < line.cells.size() ? pen_word(pen_of(grid, line.cells[at])) : "plain";
}

using Seen = std::string (*)(const std::string& value, const Screen& screen);

std::string seen_pen(const std::string& value, const Screen& screen) {
  const auto place = value.substr(0, value.find(' '));
  const Places places(place);
  std::string words;
  for (int column = places.first; column <= places.last; ++column) {
    const auto word = pen_word_at(screen.grid(), places.row, column);
    if (words.empty()) words = word;
    if (words != word) words += " " + word;
  }
  return place + " " + words;
}

std::string seen_link(const std::string& value, const Screen& screen) {
  const auto place = value.substr(0, value.find(' '));
  const Places places(place);
  const auto id = screen.grid().pen(pen_id_at(screen.grid(), places.row, places.first)).link;
  if (id == 0) return place + " none";
  const auto& link = screen.grid().link(id);
  return place + " " + link.uri + (link.id.empty() ? "" : " " + link.id);
}

std::string seen_mode(const std::string& value, const Screen& screen) {
  const auto name = value.substr(0, value.find(' '));
  const bool ansi = name.front() != '?';
  const auto on = screen.mode(std::stoi(name.substr(ansi ? 0 : 1)), ansi);
  return name + (!on ? " unknown" : *on ? " on" : " off");
}

template <class Each>
std::string each_row(const Screen& screen, const Each& word) {
  std::string words;
  for (int row = 0; row < screen.grid().size().rows; ++row) {
    const std::string next = word(row, screen.grid().line(screen.grid().active(), row));
    if (!next.empty()) words += (words.empty() ? "" : ",") + next;
  }
  return words;
}

std::string seen_wrapped(const std::string&, const Screen& screen) {
  const auto rows = each_row(
      screen, [](int row, const Line& line) { return line.wrapped ? std::to_string(row + 1) : std::string(); });
  return rows.empty() ? "none" : rows;
}

std::string seen_lines(const std::string&, const Screen& screen) {
  static constexpr std::array kNames{"single", "double_width", "double_top", "double_bottom"};
  return each_row(screen, [](int, const Line& line) { return kNames.at(static_cast<std::size_t>(line.size)); });
}

std::string seen_buffer(const std::string&, const Screen& screen) {
  return screen.grid().active() == Buffer::alternate ? "alternate" : "primary";
}

std::string seen_progress(const std::string&, const Screen& screen) {
  return std::to_string(screen.progress().state) + " " + std::to_string(screen.progress().percent);
}

const std::map<std::string, Seen>& seers() {
  static const std::map<std::string, Seen> kSeers{
      {"at", [](const std::string&, const Screen& screen) { return caret_word(screen.state().caret); }},
      {"pen", seen_pen},
      {"link", seen_link},
      {"mode", seen_mode},
      {"wrapped", seen_wrapped},
      {"lines", seen_lines},
      {"buffer", seen_buffer},
      {"title", [](const std::string&, const Screen& screen) { return screen.modes().title(); }},
      {"cwd", [](const std::string&, const Screen& screen) { return screen.modes().cwd(); }},
      {"progress", seen_progress},
      {"keyboard",
       [](const std::string&, const Screen& screen) {
         return std::to_string(screen.modes().keyboard_flags(screen.grid().active()));
       }},
  };
  return kSeers;
}

void drop_empty_rows_at_the_end(std::vector<std::string>& rows) {
  while (!rows.empty() && rows.back() == "|") rows.pop_back();
}

}  // namespace

std::vector<ScreenCase> read_screen_cases(const std::filesystem::path& file) {
  std::vector<ScreenCase> cases;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.front() != '#') take_line(cases, line);
  }
  return cases;
}

std::vector<std::string> wanted_facts(const ScreenCase& each) {
  std::vector<std::string> screen, scrollback, others;
  for (const auto& fact : each.facts) {
    auto& list = fact.front() == '|' ? screen : fact.front() == '^' ? scrollback : others;
    list.push_back(&list == &others ? fact : without_trailing_spaces(fact));
  }
  drop_empty_rows_at_the_end(screen);
  screen.insert(screen.end(), scrollback.begin(), scrollback.end());
  screen.insert(screen.end(), others.begin(), others.end());
  return screen;
}

std::vector<std::string> facts_of(const ScreenCase& each, const Screen& screen, const std::string& reply) {
  const auto& grid = screen.grid();
  std::vector<std::string> facts;
  for (int row = 0; row < grid.size().rows; ++row) facts.push_back("|" + text_of(grid, grid.line(grid.active(), row)));
  drop_empty_rows_at_the_end(facts);
  std::vector<Cell> space;
  for (std::size_t line = 0; line < grid.scrollback() && grid.active() == Buffer::primary; ++line) {
    facts.push_back("^" + text_of(grid, grid.scrollback_line(line, space)));
  }
  for (const auto& fact : each.facts) {
    const auto key = fact.substr(0, fact.find(' '));
    const auto value = key.size() < fact.size() ? fact.substr(key.size() + 1) : std::string();
    if (key == "reply") facts.push_back("reply " + (reply.empty() ? "none" : reply));
    const auto seer = seers().find(key);
    if (seer != seers().end()) facts.push_back(key + " " + seer->second(value, screen));
  }
  return facts;
}

}  // namespace ptyd::test
