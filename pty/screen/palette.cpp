#include "pty/screen/palette.hpp"

#include <algorithm>
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
  if (number == 4) set_indexed(arguments());
  if (undone == 4) reset_indexed(arguments());
  if (number >= kFirstDynamic && number <= kLastDynamic) set_dynamic(number, arguments());
  if (undone >= kFirstDynamic && undone <= kLastDynamic) {
    dynamic_[static_cast<std::size_t>(undone - kFirstDynamic)].reset();
  }
}

void Palette::reset() {
  indexed_.clear();
  dynamic_.fill(std::nullopt);
}

void Palette::set_indexed(const Arguments& pairs) {
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    const int index = number_of(pairs[i]);
    const auto colour = parse_colour(pairs[i + 1]);
    if (index < 0 || index > 255 || !colour) continue;
    const std::pair entry(static_cast<std::uint8_t>(index), *colour);
    const auto place = std::lower_bound(indexed_.begin(), indexed_.end(), std::pair(entry.first, std::uint32_t{0}));
    if (place != indexed_.end() && place->first == entry.first) {
      place->second = entry.second;
    } else {
      indexed_.insert(place, entry);
    }
  }
}

void Palette::reset_indexed(const Arguments& indexes) {
  if (indexes.empty() || (indexes.size() == 1 && indexes[0].empty())) indexed_.clear();
  for (const std::string_view index : indexes) {
    std::erase_if(indexed_, [number = number_of(index)](const auto& entry) { return entry.first == number; });
  }
}

void Palette::set_dynamic(int number, const Arguments& colours) {
  for (const std::string_view text : colours) {
    const auto colour = parse_colour(text);
    if (number <= kLastDynamic && colour) dynamic_[static_cast<std::size_t>(number - kFirstDynamic)] = colour;
    ++number;
  }
}

std::optional<std::uint32_t> Palette::indexed(std::uint8_t index) const {
  const auto entry =
      std::find_if(indexed_.begin(), indexed_.end(), [&](const auto& one) { return one.first == index; });
  if (entry == indexed_.end()) return std::nullopt;
  return entry->second;
}

std::optional<std::uint32_t> Palette::dynamic(int number) const {
  return dynamic_[static_cast<std::size_t>(number - kFirstDynamic)];
}

std::string Palette::text() const {
  std::string text;
  for (const auto& [index, colour] : indexed_) {
    text += "\x1b]4;" + std::to_string(index) + ";" + colour_text(colour) + "\x1b\\";
  }
  for (int number = kFirstDynamic; number <= kLastDynamic; ++number) {
    if (const auto colour = dynamic(number)) {
      text += "\x1b]" + std::to_string(number) + ";" + colour_text(*colour) + "\x1b\\";
    }
  }
  return text;
}

}  // namespace ptyd
