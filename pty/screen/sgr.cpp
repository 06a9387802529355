#include "pty/screen/sgr.hpp"

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

}  // namespace ptyd
