#include "pty/screen/report/query_strings.hpp"

#include <algorithm>
#include <array>

#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/sgr.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

using Kind = Query::Kind;
using Arguments = std::vector<std::string_view>;

Query answered(std::string answer) {
  return {Kind::answered, std::move(answer)};
}
Query plainly(Kind kind) {
  return {kind};
}
Query refused_if(bool asked) {
  return plainly(asked ? Kind::refused : Kind::none);
}

/// OSC numbers whose text may hold a question mark that asks nothing: titles, links, notifications, prompts.
constexpr std::array kInnocent{0, 1, 2, 8, 9, 133, 633, 777};

std::string colour_report(const std::string& number, std::uint32_t colour, std::string_view terminator) {
  return "\x1b]" + number + ";" + colour_text(colour) + std::string(terminator);
}

bool asks(std::string_view argument) {
  return argument == "?" || argument.ends_with("=?");
}

/// OSC 10 to 19: each further argument is for the next colour.
Query dynamic_colours(int number, const Arguments& arguments, const Palette& palette, const ViewerTraits& traits,
                      std::string_view terminator) {
  const int last = number + static_cast<int>(arguments.size()) - 1;
  if (last > Palette::kLastDynamic || !std::all_of(arguments.begin(), arguments.end(), asks)) {
    return plainly(Kind::refused);
  }
  std::string answer;
  for (; number <= last; ++number) {
    const auto colour = dynamic_colour(number, palette, traits);
    if (!colour) return plainly(Kind::refused);
    answer += colour_report(std::to_string(number), *colour, terminator);
  }
  return answered(answer);
}

/// The colour with this index in OSC 4; OSC 5 counts from Palette::kFirstSpecial. Bold, underlined and such text has
/// the text colour where the program has set no other. Nothing where it has set one by a name.
std::optional<std::uint32_t> indexed_colour(int index, const Palette& palette, const ViewerTraits& traits) {
  if (palette.is_named(index)) return std::nullopt;
  if (const auto set = palette.indexed(index)) return set;
  if (index >= Palette::kFirstSpecial) return dynamic_colour(Palette::kFirstDynamic, palette, traits);
  return Palette::initial(static_cast<std::uint8_t>(index));
}

/// OSC 4 and 5: pairs of an index, which the answer repeats, and a question mark.
Query indexed_colours(int number, const Arguments& arguments, const Palette& palette, const ViewerTraits& traits,
                      std::string_view terminator) {
  constexpr std::size_t kMaxArguments = 2 * 256;  // each colour once
  std::string answer;
  if (arguments.size() % 2 != 0 || arguments.size() > kMaxArguments) return plainly(Kind::refused);
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const int index = number_of(arguments[i]), first = number == 4 ? 0 : Palette::kFirstSpecial;
    if (index < 0 || first + index > Palette::kLastSpecial || !asks(arguments[i + 1])) return plainly(Kind::refused);
    const auto colour = indexed_colour(first + index, palette, traits);
    if (!colour) return plainly(Kind::refused);
    answer += colour_report(std::to_string(number) + ";" + std::to_string(index), *colour, terminator);
  }
  return answered(answer);
}

bool is_base64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const auto is_digit = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  };
  const std::string_view digits = text.substr(0, text.size() - padding);
  return text.size() % 4 == 0 && std::all_of(digits.begin(), digits.end(), is_digit);
}

/// OSC 52: reading the clipboard is refused in whatever form (CVE-2022-45063's kin); `!` as the text empties it.
Query clipboard(const Arguments& arguments) {
  constexpr std::string_view kSelections = "cpqs01234567";
  if (arguments.size() != 2) return plainly(Kind::refused);
  std::string selections(arguments[0]);
  std::string base64(arguments[1]);
  if (base64 == "!") base64.clear();
  if (base64.size() % 4 != 0 && !base64.empty() && base64.back() != '=') base64.append(4 - base64.size() % 4, '=');
  if (selections.empty()) selections = "c";
  const bool known = selections.find_first_not_of(kSelections) == selections.npos && selections.size() <= 12;
  if (!known || !is_base64(base64) || base64.size() / 4 * 3 > Query::kMaxClipboard) return plainly(Kind::refused);
  return {Kind::clipboard, {}, std::move(selections), std::move(base64)};
}

/// iTerm2's: the size of a cell is harmless, the rest of what can be asked is not.
Query iterm(std::string_view argument, const ViewerTraits& traits, std::string_view terminator) {
  if (argument == "ReportCellSize") {
    const Size cell = traits.cell_size.value_or(kDefaultCellSize);
    return answered("\x1b]1337;ReportCellSize=" + std::to_string(cell.rows) + ".0;" + std::to_string(cell.cols) + ".0" +
                    std::string(terminator));
  }
  return refused_if(argument.starts_with("Report") || argument.starts_with("Request") || argument.starts_with("Capab"));
}

Query classify_osc(std::string_view text, const Palette& palette, const ViewerTraits& traits,
                   std::string_view terminator) {
  Arguments arguments = split(text, ';');
  const int number = number_of(arguments.front());
  arguments.erase(arguments.begin());
  if (number == 1337) return arguments.empty() ? Query{} : iterm(arguments.front(), traits, terminator);
  if (number == 52) return clipboard(arguments);
  // Names that programs are allowed to ask for; properties of the window, the font (CVE-2022-45063), kitty's clipboard
  // and notifications: never, in whatever form.
  if (number == 60 || number == 61) return plainly(Kind::refused);
  if (number == 3 || number == 50) return refused_if(text.find('?') != text.npos);
  if (number == 5522) return refused_if(text.find("type=read") != text.npos);
  if (number == 99) return refused_if(text.find("p=?") != text.npos);
  if (std::find(kInnocent.begin(), kInnocent.end(), number) != kInnocent.end()) return {};
  if (std::none_of(arguments.begin(), arguments.end(), asks)) return {};
  if (number >= Palette::kFirstDynamic && number <= Palette::kLastDynamic) {
    return dynamic_colours(number, arguments, palette, traits, terminator);
  }
  if (number == 4 || number == 5) return indexed_colours(number, arguments, palette, traits, terminator);
  return plainly(Kind::refused);
}

/// `text` without the parameters of a DCS, which do not matter to a question.
std::string_view without_params(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("0123456789:;<=>?");
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

std::string pair(int first, int second) {
  return std::to_string(first) + ";" + std::to_string(second);
}

/// DECRQSS: the setting as the sequence that would make it, without CSI; nothing for what is not a setting here.
std::optional<std::string> setting(std::string_view name, const Screen& screen) {
  const TerminalState& state = screen.state();
  const Size size = screen.grid().size();
  std::string text;
  if (name == "m") {
    text = "0";
    append_sgr(state.pen, text);
  } else if (name == "r") {
    text = pair(state.top + 1, state.bottom + 1);
  } else if (name == "s") {
    text = pair(state.left + 1, state.right + 1);
  } else if (name == " q") {
    text = std::to_string(screen.modes().caret_style());
  } else if (name == "\"q") {
    text = state.guarded ? "1" : "0";
  } else if (name == "\"p") {
    text = "62;1";
  } else if (name == "t" || name == "*|") {
    text = std::to_string(size.rows);
  } else if (name == "|" || name == "$|") {
    text = std::to_string(size.cols);
  } else if (name == "$}" || name == "$~" || name == "*x") {
    text = "0";
  } else {
    return std::nullopt;
  }
  return text + std::string(name);
}

/// 1 and the setting, or 0 and nothing (CVE-2008-2383, 2022-45872: others repeat what was asked).
Query setting_report(std::string_view name, const Screen& screen) {
  const auto text = setting(name, screen);
  return answered(dcs(text ? "1$r" + *text : "0$r"));
}

struct Capability {
  std::string_view name, value;
};
/// Names that XTGETTCAP may ask for. Names without a value are flags.
constexpr std::array kCapabilities{
    Capability{"TN", "xterm-256color"},
    Capability{"name", "xterm-256color"},
    Capability{"Co", "256"},
    Capability{"colors", "256"},
    Capability{"RGB", "8/8/8"},
    Capability{"Tc", ""},
    Capability{"Su", ""},
    Capability{"Smulx", "\x1b[4:%p1%dm"},
    Capability{"Setulc", "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm"},
    Capability{"Ms", "\x1b]52;%p1%s;%p2%s\x1b\\"},
    Capability{"Ss", "\x1b[%p1%d q"},
    Capability{"Se", "\x1b[2 q"},
    Capability{"ku", "\x1bOA"},
    Capability{"kd", "\x1bOB"},
    Capability{"kr", "\x1bOC"},
    Capability{"kl", "\x1bOD"},
};

std::string hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += kDigits[byte >> 4];
    result += kDigits[byte & 15];
  }
  return result;
}

/// Hex digits in either case.
bool same_hex(std::string_view asked, std::string_view upper) {
  return std::equal(asked.begin(), asked.end(), upper.begin(), upper.end(),
                    [](char one, char other) { return (one >= 'a' && one <= 'f' ? one - 32 : one) == other; });
}

/// XTGETTCAP: one answer for each name, up to as many as the longest real list.
Query capability_report(std::string_view names) {
  constexpr std::size_t kMaxNames = 64;
  Arguments asked = split(names, ';');
  asked.resize(std::min(asked.size(), kMaxNames));
  std::string answer;
  for (const std::string_view name : asked) {
    const auto known = std::find_if(kCapabilities.begin(), kCapabilities.end(),
                                    [&](const Capability& each) { return same_hex(name, hex(each.name)); });
    if (known == kCapabilities.end()) {
      answer += dcs("0+r");
    } else {
      answer += dcs("1+r" + hex(known->name) + (known->value.empty() ? "" : "=" + hex(known->value)));
    }
  }
  return answered(answer);
}

Query classify_dcs(std::string_view text, const Screen& screen) {
  // Text that tmux would pass on to the terminal around it is hidden from us.
  if (text.starts_with("tmux;")) return plainly(Kind::refused);
  const std::string_view body = without_params(text);
  if (body.starts_with("$q")) return setting_report(body.substr(2), screen);
  if (body.starts_with("+q")) return capability_report(body.substr(2));
  return refused_if(body.starts_with("+Q"));
}

/// Kitty's graphics: `a=q` asks whether they would work. Silence says no.
Query classify_graphics(std::string_view text) {
  const std::string keys = "," + std::string(text.substr(1, text.find(';') - 1)) + ",";
  return refused_if(keys.find(",a=q,") != keys.npos);
}

Query classify_text(const Token& token, std::string_view text, const Screen& screen, const ViewerTraits& traits) {
  if (token.kind == TokenKind::osc) {
    return classify_osc(text, screen.modes().palette(), traits, string_terminator(token));
  }
  if (token.kind == TokenKind::dcs) return classify_dcs(text, screen);
  return text.starts_with('G') ? classify_graphics(text) : Query{};
}

/// Whether a string may be too long to be looked at whole: only pictures have a reason to be.
bool may_be_overlong(const Token& token, std::string_view beginning) {
  return token.kind != TokenKind::osc || number_of(beginning.substr(0, beginning.find(';'))) == 1337;
}

}  // namespace

std::optional<std::uint32_t> dynamic_colour(int number, const Palette& palette, const ViewerTraits& traits) {
  if (palette.is_dynamic_named(number)) return std::nullopt;
  if (const auto set = palette.dynamic(number)) return set;
  switch (number) {
    case 12:
    case 18:
      return traits.cursor_colour.value_or(kDefaultCaretColour);
    case 11:
    case 14:
    case 16:
    case 19:  // highlighted text has the colours swapped
      if (number != 11) return dynamic_colour(11, palette, traits);
      return traits.background.value_or(kDefaultBackground);
    default:
      if (number != 10) return dynamic_colour(10, palette, traits);
      return traits.foreground.value_or(kDefaultForeground);
  }
}

std::string dcs(const std::string& body) {
  return "\x1bP" + body + "\x1b\\";
}

Query classify_string(const Token& token, const Screen& screen, const ViewerTraits& traits) {
  const std::string text = string_beginning(token);
  if (token.overlong && !may_be_overlong(token, text)) return plainly(Kind::refused);
  Query query = classify_text(token, text, screen, traits);
  // A string without a terminator is a question to xterm.js too, but no program asks like that.
  const bool is_whole = !token.overlong && !token.cancelled && !string_terminator(token).empty();
  if (!is_whole && query.kind != Kind::none) return plainly(Kind::refused);
  return query;
}

}  // namespace ptyd
