#include "pty/journal/history.hpp"

#include <algorithm>
#include <optional>

#include "pty/text/scanner.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Whether `at` is certainly outside of sequences: at 0, at the head, or beside a mark, which is never inside one.
bool is_certain(const Journal& journal, Position at) {
  return at == 0 || at >= journal.head() || journal.read(at, 1).mark.has_value() ||
         (at > journal.tail() && journal.read(at - 1, 1).mark.has_value());
}

/// Reads from a place that may be inside a sequence, and remembers where an emulator could begin.
///
/// An ST with no string before it shows that the place was inside a string: places found before that ST do not count.
class FindsBoundary final : public TokenSink {
 public:
  explicit FindsBoundary(Position at) : at_(at) {}

  void on_token(const Token& token) override {
    if (is_end_of_string(token) && !string_seen_) {
      line_.reset();
      sequence_ = character_ = at_ + token.bytes.size();
    } else if (token.kind == TokenKind::text) {
      look_at_text(token.bytes);
    } else {
      if (!sequence_) sequence_ = at_;
      string_seen_ = string_seen_ || begins_string(token);
    }
    at_ += token.bytes.size();
  }
  /// Goes on at `at`, which is a clean boundary.
  void skip_to(Position at) { at_ = at; }
  /// True when nothing that follows can change the answer.
  bool certain() const { return line_ && string_seen_; }
  std::optional<Position> found() const { return line_ ? line_ : sequence_ ? sequence_ : character_; }

 private:
  static bool is_end_of_string(const Token& token) { return token.bytes == "\x1b\\" || token.bytes == "\xC2\x9C"; }

  /// ESC k is the title sequence of screen(1), which ends with ST as well.
  static bool begins_string(const Token& token) {
    return token.kind == TokenKind::osc || token.kind == TokenKind::dcs || token.kind == TokenKind::string ||
           token.bytes == "\x1bk";
  }

  void look_at_text(std::string_view text) {
    if (!line_) {
      const std::size_t end = text.find('\n');
      if (end != text.npos) line_ = at_ + end + 1;
    }
    if (!character_) {
      const auto lead = std::find_if_not(text.begin(), text.end(), is_continuation);
      if (lead != text.end()) character_ = at_ + static_cast<Position>(lead - text.begin());
    }
  }

  Position at_;
  bool string_seen_ = false;
  std::optional<Position> line_, sequence_, character_;
};

/// All bytes of [from, to), marks passed over.
std::string collect(const Journal& journal, Position from, Position to) {
  std::string text;
  text.reserve(static_cast<std::size_t>(to - from));
  while (from < to) {
    const Journal::Slice slice = journal.read(from, static_cast<std::size_t>(to - from));
    text.append(slice.bytes);
    from = slice.end();
  }
  return text;
}

/// Counts lines, and finds the begin of one, in text that begins outside of sequences. A line feed inside a sequence
/// ends no line.
class Lines final : public TokenSink {
 public:
  /// Looks for the first line that has at least `skip` lines before it and begins at `offset` or later.
  Lines(std::size_t skip, std::size_t offset) : skip_(skip), offset_(offset) {}

  void on_token(const Token& token) override {
    if (token.kind == TokenKind::text) {
      for (std::size_t end = token.bytes.find('\n'); end != token.bytes.npos; end = token.bytes.find('\n', end + 1)) {
        ++count_;
        if (!line_ && count_ >= skip_ && at_ + end + 1 >= offset_) line_ = at_ + end + 1;
      }
    }
    at_ += token.bytes.size();
    if (!boundary_ && at_ >= offset_) boundary_ = at_;
  }
  std::size_t count() const { return count_; }
  /// Where that line begins; else the first end of a token at the offset or later; else the end of the text.
  std::size_t found() const { return line_.value_or(boundary_.value_or(at_)); }

 private:
  std::size_t skip_, offset_;
  std::size_t at_ = 0, count_ = 0;
  std::optional<std::size_t> line_, boundary_;
};

std::size_t count_lines(std::string_view text) {
  Lines lines(0, 0);
  Scanner().scan(text, lines);
  return lines.count() + (text.empty() || text.ends_with('\n') ? 0 : 1);
}

/// `start`, or, where no line begins, the first character at `offset` or later.
std::size_t cut_long_line(std::string_view text, std::size_t start, std::size_t offset) {
  if (start < text.size()) return start;
  while (offset < text.size() && is_continuation(text[offset])) ++offset;
  return offset;
}

}  // namespace

Position clean_boundary(const Journal& journal, Position wanted) {
  if (is_certain(journal, wanted)) return wanted;
  const Position limit = std::min<Position>(journal.head(), wanted + kBoundarySearch);
  // A line feed right before `wanted` makes `wanted` the begin of a line.
  const bool behind_line = wanted > journal.tail() && journal.read(wanted - 1, 1).bytes == "\n";
  const Position begin = behind_line ? wanted - 1 : wanted;
  FindsBoundary finder(begin);
  Scanner scanner;
  for (Position at = begin; at < limit && !finder.certain();) {
    const Journal::Slice slice = journal.read(at, static_cast<std::size_t>(limit - at));
    scanner.reset();  // at a mark nothing is unfinished
    scanner.scan(slice.bytes, finder);
    at = slice.end();
    finder.skip_to(at);
  }
  return finder.found().value_or(limit);
}

std::string history_text(const Journal& journal, Position from, Position to, std::size_t max_lines,
                         std::size_t max_bytes) {
  if (max_lines == 0 || max_bytes == 0) return {};
  if (to - from > max_bytes) from = to - max_bytes;
  from = std::min(clean_boundary(journal, from), to);
  std::string text = collect(journal, from, to);
  if (!utf8::valid(text)) text = utf8::repair(text);
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (ends < max_lines && text.size() <= max_bytes) return text;
  const std::size_t lines = count_lines(text);
  const std::size_t skip = lines > max_lines ? lines - max_lines : 0;
  const std::size_t offset = text.size() > max_bytes ? text.size() - max_bytes : 0;
  if (skip == 0 && offset == 0) return text;
  Lines finder(skip, offset);
  Scanner().scan(text, finder);
  return text.substr(cut_long_line(text, finder.found(), offset));
}

}  // namespace ptyd
