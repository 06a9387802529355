#include "pty/types.hpp"

#include <charconv>
#include <cstdio>

namespace ptyd {

namespace {

constexpr std::size_t kIncarnationDigits = 16;

}  // namespace

std::string format_cursor(const Cursor& cursor) {
  char text[kIncarnationDigits + 1 + 20 + 1];
  const int length =
      std::snprintf(text, sizeof text, "%016llx.%llu", static_cast<unsigned long long>(cursor.incarnation),
                    static_cast<unsigned long long>(cursor.position));
  return std::string(text, static_cast<std::size_t>(length));
}

std::optional<Cursor> parse_cursor(std::string_view text) {
  if (text.size() < kIncarnationDigits + 2 || text[kIncarnationDigits] != '.') return std::nullopt;
  Cursor cursor;
  const char* dot = text.data() + kIncarnationDigits;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), dot, cursor.incarnation, 16).ptr != dot) return std::nullopt;
  const auto position = std::from_chars(dot + 1, end, cursor.position);
  if (position.ec != std::errc() || position.ptr != end) return std::nullopt;
  if (format_cursor(cursor) != text) return std::nullopt;
  return cursor;
}

}  // namespace ptyd
