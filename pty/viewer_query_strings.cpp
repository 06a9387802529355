#include "pty/query_strings.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "pty/sequence.hpp"

namespace ptyd {
namespace {

using Kind = Query::Kind;

/// Colours of a terminal whose viewers have announced none.
constexpr std::uint32_t kForeground = 0xe6e6e6, kBackground = 0x101418, kCaretColour = 0xe6e6e6;

/// Settings a viewer may be asked for by DECRQSS; anything else some would send back as it came (CVE-2008-2383).
constexpr std::array<std::string_view, 13> kSettings{"m", "r",  "s",  " q", "\"p", "\"q", "t",
                                                     "|", "$|", "*|", "*x", "$}",  "$~"};
/// Capabilities a viewer may be asked for by XTGETTCAP, which repeats their names: TN, Co, RGB, Tc, colors, name, Ms,
/// Su, Smulx, Setulc, and the caret keys ku kd kr kl.
constexpr std::array<std::string_view, 14> kCapabilities{"544e",     "436f", "524742", "5463",       "636f6c6f7273",
                                                         "6e616d65", "4d73", "5375",   "536d756c78", "536574756c63",
                                                         "6b75",     "6b64", "6b72",   "6b6c"};

/// OSC numbers whose text may hold a question mark that asks nothing: titles, folder, links, notifications, prompts.
constexpr std::array kInnocent{0, 1, 2, 7, 8, 9, 133, 633, 777};

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string colour_report(int number, std::uint32_t colour, std::string_view terminator) {
  char text[40];
  const unsigned red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;
  std::snprintf(text, sizeof text, "\x1b]%d;rgb:%02x%02x/%02x%02x/%02x%02x", number, red, red, green, green, blue,
                blue);
  return text + std::string(terminator);
}

bool asks(std::string_view argument) {
  return argument == "?" || argument.ends_with("=?");
}

using Arguments = std::vector<std::string_view>;

/// OSC 10 to 19: each further argument is for the next colour.
Query dynamic_colours(int number, const Arguments& arguments, const ViewerTraits& traits, std::string_view terminator) {
  if (!std::all_of(arguments.begin(), arguments.end(), asks)) return {Kind::refused, {}};
  const std::uint32_t known[] = {traits.foreground.value_or(kForeground), traits.background.value_or(kBackground),
                                 traits.cursor_colour.value_or(kCaretColour)};
  const int last = number + static_cast<int>(arguments.size()) - 1;
  if (last > 12) return {number == last && last <= 19 ? Kind::viewer : Kind::refused, {}};
  Query query{Kind::answered, {}};
  for (; number <= last; ++number) query.answer += colour_report(number, known[number - 10], terminator);
  return query;
}

/// OSC 4 and 5: pairs of an index, which the answer repeats, and a question mark.
Kind palette(const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i % 2 == 0 ? !is_digits(arguments[i]) || arguments[i].size() > 3 : !asks(arguments[i])) return Kind::refused;
  }
  return arguments.size() % 2 == 0 ? Kind::viewer : Kind::refused;
}

/// iTerm2's: the size of a cell is harmless, the rest of what can be asked is not.
Kind iterm(std::string_view argument) {
  if (argument == "ReportCellSize") return Kind::viewer;
  const bool asked = argument.starts_with("Report") || argument.starts_with("Request") || argument.starts_with("Capab");
  return asked ? Kind::refused : Kind::none;
}

Query classify_osc(std::string_view text, const ViewerTraits& traits, std::string_view terminator) {
  Arguments arguments = split(text, ';');
  const int number = number_of(arguments.front());
  arguments.erase(arguments.begin());
  if (number == 1337) return {arguments.empty() ? Kind::none : iterm(arguments.front()), {}};
  // What is allowed to be asked of programs; kitty's clipboard.
  if (number == 60 || number == 61) return {Kind::refused, {}};
  if (number == 5522) return {text.find("type=read") != text.npos ? Kind::refused : Kind::none, {}};
  // Properties of the window, the font (CVE-2022-45063), the clipboard: never, in whatever form.
  if (number == 3 || number == 50 || number == 52) {
    return {text.find('?') != text.npos ? Kind::refused : Kind::none, {}};
  }
  if (std::find(kInnocent.begin(), kInnocent.end(), number) != kInnocent.end()) return {};
  if (number == 99) return {text.find("p=?") != text.npos ? Kind::refused : Kind::none, {}};
  if (std::none_of(arguments.begin(), arguments.end(), asks)) return {};
  if (number >= 10 && number <= 19) return dynamic_colours(number, arguments, traits, terminator);
  return {number == 4 || number == 5 ? palette(arguments) : Kind::refused, {}};
}

/// DCS parameters say nothing about what is asked.
std::string_view without_params(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("0123456789:;<=>?");
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

bool is_known_capability(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c;
  return std::find(kCapabilities.begin(), kCapabilities.end(), lower) != kCapabilities.end();
}

Kind classify_dcs(std::string_view text) {
  // What tmux would pass on to the terminal around it is hidden from us.
  if (text.starts_with("tmux;")) return Kind::refused;
  const std::string_view body = without_params(text);
  if (body.starts_with("$q")) {
    const bool known = std::find(kSettings.begin(), kSettings.end(), body.substr(2)) != kSettings.end();
    return known ? Kind::viewer : Kind::refused;
  }
  if (body.starts_with("+q")) {
    const Arguments names = split(body.substr(2), ';');
    return std::all_of(names.begin(), names.end(), is_known_capability) ? Kind::viewer : Kind::refused;
  }
  return body.starts_with("+Q") ? Kind::refused : Kind::none;
}

/// Kitty's graphics: `a=q` asks whether it would work.
Kind classify_graphics(std::string_view text) {
  const std::string keys = "," + std::string(text.substr(1, text.find(';') - 1)) + ",";
  return keys.find(",a=q,") != keys.npos ? Kind::viewer : Kind::none;
}

Query classify_text(const Token& token, std::string_view text, const ViewerTraits& traits) {
  if (token.kind == TokenKind::osc) return classify_osc(text, traits, string_terminator(token));
  if (token.kind == TokenKind::dcs) return {classify_dcs(text), {}};
  return {text.starts_with('G') ? classify_graphics(text) : Kind::none, {}};
}

/// Too long to be looked at whole: only pictures and the clipboard have a reason to be.
bool may_be_overlong(const Token& token, std::string_view beginning) {
  if (token.kind != TokenKind::osc) return true;
  const int number = number_of(beginning.substr(0, beginning.find(';')));
  return number == 1337 || number == 52;
}

}  // namespace

Query classify_string(const Token& token, const ViewerTraits& traits) {
  const std::string text = string_beginning(token);
  if (token.overlong && !may_be_overlong(token, text)) return {Kind::refused, {}};
  Query query = classify_text(token, text, traits);
  // xterm.js takes a string that a new ESC has ended for a whole one.
  if ((token.overlong || token.cancelled) && query.kind != Kind::none) return {Kind::refused, {}};
  return query;
}

}  // namespace ptyd
