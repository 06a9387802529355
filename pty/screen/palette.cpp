#include "pty/screen/palette.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

constexpr int kResetOffset = 100;  // OSC 104 undoes OSC 4, 110 undoes 10

/// Eight bits of a colour given with 1 to 4 hex digits. `#` pads with zeros on the right, `rgb:` scales.
std::optional<std::uint32_t> component(std::string_view digits, bool scales) {
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  if (digits.empty() || digits.size() > 4) return std::nullopt;
  const auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  const auto bits = static_cast<unsigned>(4 * digits.size());
  if (scales) return value * 255 / ((1U << bits) - 1);
  return bits < 8 ? value << (8 - bits) : value >> (bits - 8);
}

std::optional<std::uint32_t> from_components(const std::array<std::string_view, 3>& parts, bool scales) {
  std::uint32_t colour = 0;
  for (const std::string_view part : parts) {
    const auto value = component(part, scales);
    if (!value) return std::nullopt;
    colour = colour << 8 | *value;
  }
  return colour;
}

/// X11's names, and its other ways to write a colour, are of letters, digits and these. Text that only parse_colour()
/// could read is no name.
bool may_be_name(std::string_view text) {
  const auto is_of_names = [](char c) {
    const char lower = static_cast<char>(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view(" :/.+-").find(c) != std::string_view::npos;
  };
  return !text.empty() && !text.starts_with("rgb:") && text.size() <= Palette::kMaxName &&
         std::all_of(text.begin(), text.end(), is_of_names);
}

}  // namespace

std::optional<std::uint32_t> parse_colour(std::string_view text) {
  if (text.starts_with('#')) {
    text.remove_prefix(1);
    const std::size_t size = text.size() / 3;
    if (text.size() % 3 != 0) return std::nullopt;
    return from_components({text.substr(0, size), text.substr(size, size), text.substr(2 * size)}, false);
  }
  if (!text.starts_with("rgb:")) return std::nullopt;
  const auto parts = split(text.substr(4), '/');
  if (parts.size() != 3) return std::nullopt;
  return from_components({parts[0], parts[1], parts[2]}, true);
}

std::string colour_text(std::uint32_t colour) {
  char text[24];
  const unsigned red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;
  std::snprintf(text, sizeof text, "rgb:%02x%02x/%02x%02x/%02x%02x", red, red, green, green, blue, blue);
  return text;
}

std::uint32_t Palette::initial(std::uint8_t index) {
  constexpr std::array<std::uint32_t, 16> kNamed{0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
                                                 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
                                                 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
  constexpr unsigned kCube = 16, kGreys = 232;
  if (index < kCube) return kNamed[index];
  if (index >= kGreys) return (8 + (index - kGreys) * 10U) * 0x010101U;
  const auto level = [](unsigned step) { return step == 0 ? 0U : 55 + 40 * step; };
  const unsigned place = index - kCube;
  return level(place / 36) << 16 | level(place / 6 % 6) << 8 | level(place % 6);
}

void Palette::feed(std::string_view text) {
  const std::size_t end = std::min(text.find(';'), text.size());
  const int number = number_of(text.substr(0, end));
  const int undone = number - kResetOffset;
  const auto arguments = [&] { return end == text.size() ? Arguments() : split(text.substr(end + 1), ';'); };
  if (number == 4) set_indexed(arguments(), 0);
  if (number == 5) set_indexed(arguments(), kFirstSpecial);
  if (undone == 4) reset_indexed(arguments(), 0, kFirstSpecial - 1);
  if (undone == 5) reset_indexed(arguments(), kFirstSpecial, kLastSpecial);
  if (number >= kFirstDynamic && number <= kLastDynamic) set_dynamic(number, arguments());
  if (undone >= kFirstDynamic && undone <= kLastDynamic) forget(place_of(undone), place_of(undone));
}

void Palette::reset() {
  colours_.clear();
  names_.clear();
}

void Palette::forget(int first, int last) {
  std::erase_if(colours_, [=](const auto& entry) { return entry.first >= first && entry.first <= last; });
  std::erase_if(names_, [=](const auto& entry) { return entry.first >= first && entry.first <= last; });
}

/// Sets one colour. A question sets nothing, nor does text that can be neither a colour nor a name.
void Palette::set(int place, std::string_view text) {
  const auto colour = parse_colour(text);
  if (!colour && !may_be_name(text)) return;
  forget(place, place);
  if (!colour) {
    names_.emplace(place, text);
    return;
  }
  const std::pair entry(static_cast<std::uint16_t>(place), *colour);
  colours_.insert(std::lower_bound(colours_.begin(), colours_.end(), entry), entry);
}

void Palette::set_indexed(const Arguments& pairs, int first) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const int index = number_of(pairs[i]);
    if (index >= 0 && first + index <= kLastSpecial) set(first + index, pairs[i + 1]);
  }
}

/// Forgets the colours with these indexes, or all from `first` to `last` where there are no indexes.
void Palette::reset_indexed(const Arguments& indexes, int first, int last) {
  if (indexes.empty() || (indexes.size() == 1 && indexes[0].empty())) forget(first, last);
  for (const std::string_view text : indexes) {
    const int index = number_of(text);
    if (index >= 0 && first + index <= kLastSpecial) forget(first + index, first + index);
  }
}

void Palette::set_dynamic(int number, const Arguments& colours) {
  for (const std::string_view text : colours) {
    if (number <= kLastDynamic) set(place_of(number), text);
    ++number;
  }
}

std::optional<std::uint32_t> Palette::colour(int place) const {
  const auto entry =
      std::find_if(colours_.begin(), colours_.end(), [place](const auto& one) { return one.first == place; });
  if (entry == colours_.end()) return std::nullopt;
  return entry->second;
}

std::string Palette::text() const {
  std::map<int, std::string> all = names_;
  for (const auto& [place, colour] : colours_) all.emplace(place, colour_text(colour));
  std::string text;
  for (const auto& [place, colour] : all) {
    const int number = place < kFirstSpecial ? 4 : place <= kLastSpecial ? 5 : place - kLastSpecial - 1 + kFirstDynamic;
    text += "\x1b]" + std::to_string(number) + ";";
    if (place <= kLastSpecial) text += std::to_string(place % kFirstSpecial) + ";";
    text += colour + "\x1b\\";
  }
  return text;
}

}  // namespace ptyd
