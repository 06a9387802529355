#include "protocol/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/json/escaper.hpp"

namespace ptyd::json_text {

namespace {

/// Input is escaped in pieces of this many bytes, so that the worst case fits on the stack and in the first-level
/// cache.
constexpr std::size_t kPiece = 4096;

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// The length of the next piece, not ending inside a character.
std::size_t piece_length(std::string_view text) {
  if (text.size() <= kPiece) return text.size();
  std::size_t cut = kPiece;
  while (cut > kPiece - 3 && continues(text[cut])) --cut;
  return cut;
}

void put_digits(char* place, unsigned number, int digits) {
  for (int i = digits - 1; i >= 0; --i, number /= 10) place[i] = static_cast<char>('0' + number % 10);
}

struct Date {
  unsigned year, month, day;
};

/// The civil date of a day counted from 1970-01-01, by the usual arithmetic on 400-year eras that begin in March.
Date date_of(std::int64_t day) {
  const auto shifted = static_cast<std::uint64_t>(day + 719468);
  const auto era = shifted / 146097;
  const auto day_of_era = shifted % 146097;
  const auto year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const auto month_from_march = (5 * day_of_year + 2) / 153;
  const auto month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {static_cast<unsigned>(year_of_era + era * 400 + (month <= 2 ? 1 : 0)), static_cast<unsigned>(month),
          static_cast<unsigned>(day_of_year - (153 * month_from_march + 2) / 5 + 1)};
}

}  // namespace

std::size_t append_escaped(std::string& out, std::string_view text) {
  std::array<char, escaper::room_for(kPiece)> room;
  std::size_t length = 0;
  while (!text.empty()) {
    const std::size_t piece = piece_length(text);
    const auto done = escaper::escape(room.data(), text.substr(0, piece));
    out.append(room.data(), done.written);
    length += done.byte_length;
    text.remove_prefix(piece);
  }
  return length;
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  append_escaped(out, text);
  out += '"';
}

void append_base64(std::string& out, std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (; !bytes.empty(); bytes.remove_prefix(std::min<std::size_t>(bytes.size(), 3))) {
    const auto octet = [&bytes](std::size_t i) {
      return i < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[i])) : 0U;
    };
    const unsigned group = octet(0) << 16 | octet(1) << 8 | octet(2);
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += bytes.size() > 1 ? kDigits[group >> 6 & 63] : '=';
    out += bytes.size() > 2 ? kDigits[group & 63] : '=';
  }
}

void append_integer(std::string& out, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

void append_time(std::string& out, UnixMillis time) {
  constexpr UnixMillis kLast = 253402300799999;  // 9999-12-31T23:59:59.999Z
  const UnixMillis clamped = std::clamp<UnixMillis>(time, 0, kLast);
  const auto in_day = static_cast<unsigned>(clamped % 86400000);
  const Date date = date_of(clamped / 86400000);
  char text[] = "0000-00-00T00:00:00.000Z";
  put_digits(text, date.year, 4);
  put_digits(text + 5, date.month, 2);
  put_digits(text + 8, date.day, 2);
  put_digits(text + 11, in_day / 3600000, 2);
  put_digits(text + 14, in_day / 60000 % 60, 2);
  put_digits(text + 17, in_day / 1000 % 60, 2);
  put_digits(text + 20, in_day % 1000, 3);
  out.append(text, sizeof text - 1);
}

}  // namespace ptyd::json_text
