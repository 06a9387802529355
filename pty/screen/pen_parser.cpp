#include "pty/screen/pen_parser.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "pty/text/sequence.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr int kLargest = 65535;

/// A parameter with its sub-parameters; -1 where one is empty.
struct Item {
  static constexpr std::size_t kMaxParts = 8;
  std::array<int, kMaxParts> parts;  // as many as `count` says
  std::size_t count = 0;

  void begin_part() {
    if (count < kMaxParts) parts[count] = -1;
    ++count;
  }
  void add(char digit) {
    if (count > kMaxParts) return;
    int& part = parts[count - 1];
    part = std::min(std::max(part, 0) * 10 + (digit - '0'), kLargest);
  }
  int part(std::size_t index, int otherwise) const {
    return index < std::min(count, kMaxParts) && parts[index] >= 0 ? parts[index] : otherwise;
  }
  int code() const { return part(0, 0); }
};

/// Parameters, one after the other. Controls among them are passed over.
class Items {
 public:
  explicit Items(std::string_view text) : text_(text) {}
  bool more() const { return more_; }
  Item next() {
    Item item;
    item.begin_part();
    for (more_ = false; at_ < text_.size();) {
      const char c = text_[at_++];
      if (c == ';') {
        more_ = true;
        break;
      }
      if (c == ':') item.begin_part();
      if (c >= '0' && c <= '9') item.add(c);
    }
    return item;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool more_ = true;
};

std::optional<Colour> indexed(int index) {
  if (index < 0 || index > 255) return std::nullopt;
  return Colour::indexed(static_cast<std::uint8_t>(index));
}

std::optional<Colour> rgb(int red, int green, int blue) {
  if (std::min({red, green, blue}) < 0 || std::max({red, green, blue}) > 255) return std::nullopt;
  return Colour::rgb(static_cast<std::uint32_t>(red << 16 | green << 8 | blue));
}

/// The colour in the sub-parameters of 38, 48 or 58. A sixth part means that the third names a colour space.
std::optional<Colour> sub_colour(const Item& item) {
  if (item.part(1, 0) == 5) return indexed(item.part(2, item.count > 2 ? 0 : -1));
  if (item.part(1, 0) != 2 || item.count < 5) return std::nullopt;
  const std::size_t red = item.count > 5 ? 3 : 2;
  return rgb(item.part(red, 0), item.part(red + 1, 0), item.part(red + 2, 0));
}

/// The colour in the parameters that follow 38, 48 or 58, which are taken.
std::optional<Colour> following_colour(Items& items) {
  const auto next = [&items] { return items.more() ? items.next().code() : -1; };
  const Item kind = items.more() ? items.next() : Item{};
  if (kind.code() == 5) return indexed(kind.count > 1 ? kind.part(1, 0) : next());
  if (kind.code() != 2) return std::nullopt;
  if (kind.count > 3) return rgb(kind.part(1, 0), kind.part(2, 0), kind.part(3, 0));
  const int red = next(), green = next(), blue = next();
  return rgb(red, green, blue);
}

void set_colour(Colour& colour, const Item& item, Items& items) {
  if (const auto found = item.count > 1 ? sub_colour(item) : following_colour(items)) colour = *found;
}

Underline underline_of(const Item& item) {
  const int style = item.part(1, 1);
  return style <= 5 ? static_cast<Underline>(style) : Underline::single;
}

/// The attributes that a code sets or, from 22 on, takes away.
std::uint8_t attributes_of(int code) {
  using namespace attribute;
  constexpr std::array<std::uint8_t, 10> kSet{0,      kBold,  kFaint,   kItalic,    0,
                                              kBlink, kBlink, kInverse, kInvisible, kStrike};
  constexpr std::array<std::uint8_t, 8> kUnset{kBold | kFaint, kItalic, 0, kBlink, 0, kInverse, kInvisible, kStrike};
  if (code < 10) return kSet[static_cast<std::size_t>(code)];
  if (code >= 22 && code < 30) return kUnset[static_cast<std::size_t>(code - 22)];
  return code == 53 || code == 55 ? kOverline : 0;
}

/// One of the sixteen colours; false when `code` is none of them.
bool set_basic_colour(int code, Pen& pen) {
  const int digit = code % 10;
  if (digit > 7) return false;
  const auto colour = [digit](int first) { return Colour::indexed(static_cast<std::uint8_t>(first + digit)); };
  switch (code / 10) {
    case 3:
      pen.foreground = colour(0);
      return true;
    case 4:
      pen.background = colour(0);
      return true;
    case 9:
      pen.foreground = colour(8);
      return true;
    case 10:
      pen.background = colour(8);
      return true;
    default:
      return false;
  }
}

void apply(const Item& item, Items& items, Pen& pen) {
  const int code = item.code();
  if (set_basic_colour(code, pen)) return;
  switch (code) {
    case 0:
      pen = Pen{{}, {}, {}, 0, Underline::none, pen.link};
      return;
    case 4:
      pen.underline = underline_of(item);
      return;
    case 21:
      pen.underline = Underline::twofold;
      return;
    case 24:
      pen.underline = Underline::none;
      return;
    case 38:
      return set_colour(pen.foreground, item, items);
    case 39:
      pen.foreground = {};
      return;
    case 48:
      return set_colour(pen.background, item, items);
    case 49:
      pen.background = {};
      return;
    case 58:
      return set_colour(pen.underline_colour, item, items);
    case 59:
      pen.underline_colour = {};
      return;
    default:
      const bool set = code < 10 || code == 53;
      pen.attributes =
          static_cast<std::uint8_t>(set ? pen.attributes | attributes_of(code) : pen.attributes & ~attributes_of(code));
  }
}

/// The value of `id` among the parameters of a link, which stand as key=value between colons.
std::string_view id_among(std::string_view parameters) {
  for (const std::string_view one : split(parameters, ':'))
    if (one.starts_with("id=")) return one.substr(3);
  return {};
}

bool is_plain_text(std::string_view text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
  return utf8::valid(text) && std::none_of(text.begin(), text.end(), control);
}

}  // namespace

void apply_sgr(std::string_view parameters, Pen& pen) {
  if (parameters.empty() || parameters == "0") {
    pen = Pen{{}, {}, {}, 0, Underline::none, pen.link};
    return;
  }
  for (Items items(parameters); items.more();) apply(items.next(), items, pen);
}

/// OSC 8 ; key=value:... ; address.
std::optional<Link> parse_link(const Token& token) {
  auto payload = string_payload(token);
  if (!payload || !payload->starts_with("8;")) return std::nullopt;
  payload->remove_prefix(2);
  const std::size_t end = payload->find(';');
  if (end == payload->npos) return std::nullopt;
  const std::string_view id = id_among(payload->substr(0, end)), uri = payload->substr(end + 1);
  if (uri.empty() || !is_plain_text(uri) || !is_plain_text(id)) return Link{};
  return Link{std::string(id), std::string(uri)};
}

}  // namespace ptyd
