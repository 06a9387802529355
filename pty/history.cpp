#include "pty/history.hpp"

#include <algorithm>

#include "pty/utf8.hpp"

namespace ptyd {

namespace {

constexpr bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Journals that begin with a mark were emptied there; nothing is cut.
bool begins_clean(const Journal& journal, Position at) {
  if (at == 0 || at >= journal.head()) return true;
  return at == journal.tail() && journal.read(at, 1).mark.has_value();
}

/// All bytes of [from, to), marks passed over.
std::string collect(const Journal& journal, Position from, Position to) {
  std::string text;
  while (from < to) {
    const auto slice = journal.read(from, static_cast<std::size_t>(to - from));
    text.append(slice.bytes);
    from = slice.end();
  }
  return text;
}

/// Where the last `lines` lines begin; a line end at the very end begins no further line.
std::size_t last_lines(std::string_view text, std::size_t lines) {
  if (lines == 0) return text.size();
  auto end = text.ends_with('\n') ? text.size() - 1 : text.size();
  for (; lines > 0; lines--) {
    const auto at = end == 0 ? text.npos : text.rfind('\n', end - 1);
    if (at == text.npos) return 0;
    end = at;
  }
  return end + 1;
}

}  // namespace

Position clean_boundary(const Journal& journal, Position wanted) {
  if (begins_clean(journal, wanted)) return wanted;
  const auto limit = std::min<Position>(journal.head(), wanted + kBoundarySearch);
  Position character = journal.head();
  for (Position from = wanted; from < limit;) {
    const auto slice = journal.read(from, static_cast<std::size_t>(limit - from));
    const auto end = slice.bytes.find_first_of("\n\x1b");
    if (end != slice.bytes.npos) return from + end + (slice.bytes[end] == '\n' ? 1 : 0);
    const auto lead = std::find_if_not(slice.bytes.begin(), slice.bytes.end(), is_continuation);
    if (lead != slice.bytes.end())
      character = std::min(character, from + static_cast<Position>(lead - slice.bytes.begin()));
    from = slice.end();
  }
  return character;
}

std::string history_text(const Journal& journal, Position from, Position to, std::size_t max_lines,
                         std::size_t max_bytes) {
  if (to - from > max_bytes) from = to - max_bytes;
  from = std::min(clean_boundary(journal, from), to);
  auto text = utf8::repair(collect(journal, from, to));
  if (text.size() > max_bytes) {
    // Replacement characters are longer than what they stand for.
    auto cut = text.size() - max_bytes;
    while (cut < text.size() && is_continuation(text[cut])) cut++;
    text.erase(0, cut);
  }
  return text.substr(last_lines(text, max_lines));
}

}  // namespace ptyd
