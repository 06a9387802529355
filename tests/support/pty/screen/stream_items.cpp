#include "tests/support/pty/screen/stream_items.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "tests/support/pty/text/literals.hpp"

namespace ptyd::test {

std::optional<Size> resize_of(std::string_view item) {
  if (!item.starts_with("\033[8;") || !item.ends_with('t')) return {};
  const char *at = item.data() + 4, *end = item.data() + item.size();
  Size size;
  const auto rows = std::from_chars(at, end, size.rows);
  if (rows.ec != std::errc() || rows.ptr == end || *rows.ptr != ';') return {};
  if (std::from_chars(rows.ptr + 1, end, size.cols).ec != std::errc()) return {};
  return size;
}

Items shrunk(Items items, const std::function<bool(const Items&)>& fails) {
  for (std::size_t piece = std::max<std::size_t>(items.size() / 2, 1);;) {
    bool smaller = false;
    for (std::size_t at = 0; at < items.size();) {
      Items fewer = items;
      const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(at);
      fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(piece, items.size() - at)));
      if (fails(fewer)) {
        items = std::move(fewer);
        smaller = true;
      } else {
        at += piece;
      }
    }
    if (piece == 1 && !smaller) return items;
    piece = std::max<std::size_t>(piece / 2, 1);
  }
}

std::string printed(const Items& items) {
  std::string text;
  for (const std::string& item : items) text += "  \"" + escaped(item) + "\"\n";
  return text;
}

}  // namespace ptyd::test
