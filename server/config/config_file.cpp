#include "server/config/config_file.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace ptyd {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v", kQuotes = "\"'";

bool is_one_of(std::string_view characters, char c) {
  return characters.find(c) != std::string_view::npos;
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Calls `visit(at)` for each character outside of quotes, until it gives false. A quote counts where a value begins.
/// False when the last quote has no end.
template <class Visit>
bool walk(std::string_view text, Visit visit) {
  char open = 0;
  bool begins = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (open) {
      if (c == open) open = 0;
    } else if (begins && is_one_of(kQuotes, c)) {
      open = c;
    } else if (!visit(at)) {
      return true;
    }
    begins = c == ',' || c == '[' || (begins && is_one_of(kBlanks, c));
  }
  return !open;
}

/// Where the bracket closes with which `text` begins; npos when it does not close.
std::size_t end_of_bracket(std::string_view text) {
  std::size_t depth = 0, end = text.npos;
  walk(text, [&](std::size_t at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) end = at;
    return end == text.npos;
  });
  return end;
}

/// Lines of one file, with the number of the one that was read last.
class LineReader {
 public:
  explicit LineReader(std::istream& input) : input_(input) {}

  bool next() {
    number_++;
    return static_cast<bool>(std::getline(input_, line_));
  }
  std::string_view line() const { return without_blanks(line_); }
  [[noreturn]] void refuse(std::string_view why) const { refuse(number_, why); }
  [[noreturn]] static void refuse(std::size_t number, std::string_view why) {
    throw CLI::ConfigError("--config, line " + std::to_string(number) + ": " + std::string(why));
  }
  std::size_t number() const { return number_; }

 private:
  std::istream& input_;
  std::string line_;
  std::size_t number_ = 0;
};

bool is_comment(std::string_view line) {
  return !line.empty() && is_one_of("#;", line.front());
}

/// `text` is a value, or a part of a list.
std::string_view without_comment(std::string_view text, const LineReader& lines) {
  std::size_t end = text.size();
  const bool is_closed = walk(text, [&](std::size_t at) {
    const bool is_here = text[at] == '#' && (at == 0 || is_one_of(kBlanks, text[at - 1]));
    if (is_here) end = at;
    return !is_here;
  });
  if (!is_closed) lines.refuse("a quote has no end");
  return without_blanks(text.substr(0, end));
}

std::string unquoted(std::string_view value, const LineReader& lines) {
  const bool begins = !value.empty() && is_one_of(kQuotes, value.front());
  const bool ends = !value.empty() && is_one_of(kQuotes, value.back());
  if (!begins && ends) lines.refuse("a quote has no beginning");
  if (!begins) return std::string(value);
  if (value.find(value.front(), 1) != value.size() - 1) lines.refuse("text follows a quote");
  return std::string(value.substr(1, value.size() - 2));
}

std::vector<std::string> split(std::string_view text, const LineReader& lines) {
  std::vector<std::string> values;
  std::size_t begin = 0;
  walk(text, [&](std::size_t at) {
    if (text[at] != ',') return true;
    values.push_back(unquoted(without_blanks(text.substr(begin, at - begin)), lines));
    begin = at + 1;
    return true;
  });
  values.push_back(unquoted(without_blanks(text.substr(begin)), lines));
  return values;
}

/// The last comma of a list needs nothing behind it.
std::vector<std::string> split_list(std::string_view text, const LineReader& lines) {
  auto values = split(text, lines);
  if (values.back().empty()) values.pop_back();
  if (values.empty()) lines.refuse("a list has no values");
  return values;
}

std::vector<std::string> read_values(std::string_view begun, LineReader& lines) {
  std::string text(without_comment(begun, lines));
  if (!text.starts_with('[')) return split(text, lines);
  const auto first = lines.number();
  while (end_of_bracket(text) == text.npos) {
    if (!lines.next()) LineReader::refuse(first, "a list has no end");
    if (!is_comment(lines.line())) text.append(" ").append(without_comment(lines.line(), lines));
  }
  const bool is_list = end_of_bracket(text) == text.size() - 1;
  return is_list ? split_list(std::string_view(text).substr(1, text.size() - 2), lines) : split(text, lines);
}

CLI::ConfigItem read_item(LineReader& lines) {
  const std::string line(lines.line());
  const auto equals = line.find('=');
  const auto before = without_blanks(std::string_view(line).substr(0, equals));
  CLI::ConfigItem item;
  item.name = without_comment(before, lines);
  if (item.name.empty()) lines.refuse("a name is missing");
  const bool is_flag = equals == line.npos || item.name != before;
  item.inputs = is_flag ? std::vector<std::string>{"true"}
                        : read_values(without_blanks(std::string_view(line).substr(equals + 1)), lines);
  return item;
}

void add_item(std::vector<CLI::ConfigItem>& items, CLI::ConfigItem item) {
  const auto same = std::find_if(items.begin(), items.end(), [&](const auto& each) { return each.name == item.name; });
  if (same == items.end()) return items.push_back(std::move(item));
  same->inputs.insert(same->inputs.end(), item.inputs.begin(), item.inputs.end());
}

}  // namespace

std::vector<CLI::ConfigItem> ConfigFile::from_config(std::istream& input) const {
  std::vector<CLI::ConfigItem> found;
  for (LineReader lines(input); lines.next();)
    if (!lines.line().empty() && !is_comment(lines.line())) add_item(found, read_item(lines));
  return found;
}

}  // namespace ptyd
