#include "pty/screen/serialize/sgr.hpp"

#include <array>
#include <utility>

namespace ptyd {
namespace {

constexpr std::array<std::pair<std::uint8_t, const char*>, 8> kAttributes{{
    {attribute::kBold, ";1"},
    {attribute::kFaint, ";2"},
    {attribute::kItalic, ";3"},
    {attribute::kBlink, ";5"},
    {attribute::kInverse, ";7"},
    {attribute::kInvisible, ";8"},
    {attribute::kStrike, ";9"},
    {attribute::kOverline, ";53"},
}};

void append_number(std::uint32_t value, std::string& text) {
  if (value >= 100) text += static_cast<char>('0' + value / 100);
  if (value >= 10) text += static_cast<char>('0' + value / 10 % 10);
  text += static_cast<char>('0' + value % 10);
}

void append_rgb(std::uint32_t rgb, char separator, std::string& text) {
  for (const unsigned shift : {16U, 8U, 0U}) {
    text += separator;
    append_number(rgb >> shift & 0xff, text);
  }
}

/// `dark` is the code of colour 0; `bright` that of colour 8; `other` introduces everything else.
void append_colour(Colour colour, std::uint32_t dark, std::uint32_t bright, const char* other, std::string& text) {
  if (colour.is_default()) return;
  text += ';';
  if (colour.is_rgb()) {
    text += other;
    text += ";2";
    append_rgb(colour.value(), ';', text);
  } else if (colour.value() < 16) {
    append_number(colour.value() < 8 ? dark + colour.value() : bright + colour.value() - 8, text);
  } else {
    text += other;
    text += ";5;";
    append_number(colour.value(), text);
  }
}

/// With colons: a terminal that does not know it must not take its numbers for attributes.
void append_underline_colour(Colour colour, std::string& text) {
  if (colour.is_default()) return;
  text += colour.is_rgb() ? ";58:2:" : ";58:5:";
  if (colour.is_rgb()) {
    append_rgb(colour.value(), ':', text);
  } else {
    append_number(colour.value(), text);
  }
}

}  // namespace

void append_sgr(const Pen& pen, std::string& text) {
  for (const auto& [bit, code] : kAttributes) {
    if ((pen.attributes & bit) != 0) text += code;
  }
  if (pen.underline == Underline::single) {
    text += ";4";
  } else if (pen.underline != Underline::none) {
    text += ";4:";
    append_number(static_cast<std::uint32_t>(pen.underline), text);
  }
  append_colour(pen.foreground, 30, 90, "38", text);
  append_colour(pen.background, 40, 100, "48", text);
  append_underline_colour(pen.underline_colour, text);
}

void append_pen_change(const Pen& from, const Pen& to, const Link& link, std::string& text) {
  if (from.link != to.link) text += "\x1b]8;" + (link.id.empty() ? "" : "id=" + link.id) + ";" + link.uri + "\x1b\\";
  Pen before = from;
  before.link = to.link;
  if (before == to) return;
  text += "\x1b[";
  const std::size_t begin = text.size();
  const bool only_colours = from.attributes == to.attributes && from.underline == to.underline;
  if (only_colours) {
    Pen changed;
    if (!(from.foreground == to.foreground)) changed.foreground = to.foreground;
    if (!(from.background == to.background)) changed.background = to.background;
    if (!(from.underline_colour == to.underline_colour)) changed.underline_colour = to.underline_colour;
    append_sgr(changed, text);
    if (!from.foreground.is_default() && to.foreground.is_default()) text += ";39";
    if (!from.background.is_default() && to.background.is_default()) text += ";49";
    if (!from.underline_colour.is_default() && to.underline_colour.is_default()) text += ";59";
    text.erase(begin, 1);
  } else {
    text += '0';
    append_sgr(to, text);
  }
  if (text.size() - begin == 1 && text.back() == '0') text.pop_back();
  text += 'm';
}

}  // namespace ptyd
