#include "server/session/agent/raw_output.hpp"

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "pty/journal/history.hpp"
#include "pty/text/scanner.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

/// No bound of its own: the journal is bounded.
constexpr std::size_t kAllOfIt = std::numeric_limits<std::size_t>::max() / 2;
/// A character that is not finished is not longer.
constexpr Position kLongestBeginning = 3;

/// Where the last whole character ends. A mark is never put inside one.
Position end_of_characters(const Journal& journal) {
  const Position head = journal.head();
  Position at = head - journal.tail() > kLongestBeginning ? head - kLongestBeginning : journal.tail();
  while (at < head) {
    const auto slice = journal.read(at, static_cast<std::size_t>(head - at));
    at = slice.end();
    if (at == head) return head - utf8::unfinished_tail(slice.bytes);
  }
  return head;
}

/// The first place at or after `wanted`, of text that is scanned from its beginning, where neither a character nor a
/// sequence is cut.
class FirstCut final : public TokenSink {
 public:
  FirstCut(std::string_view text, std::size_t wanted) : text_(text), wanted_(wanted) {}

  void on_token(const Token& token) override {
    const std::size_t end = at_ + token.bytes.size();
    if (!found_ && may_begin_here()) found_ = at_;
    if (!found_ && token.kind == TokenKind::text && end > wanted_) found_ = inside_text();
    more_follows_ = token.overlong && token.open;
    at_ = end;
  }
  /// Behind everything, where what is left is a sequence that has no end yet.
  std::size_t found() const { return found_.value_or(may_begin_here() ? at_ : text_.size()); }

 private:
  bool may_begin_here() const { return at_ >= wanted_ && !more_follows_; }
  std::size_t inside_text() const {
    std::size_t at = wanted_;
    while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80) ++at;
    return at;
  }

  std::string_view text_;
  std::size_t wanted_, at_ = 0;
  bool more_follows_ = false;  // of a sequence, whose pieces are tokens
  std::optional<std::size_t> found_;
};

}  // namespace

ProgramOutput raw_output(const Journal& journal, std::uint64_t most, bool has_ended) {
  const Position end = has_ended ? journal.head() : end_of_characters(journal);
  ProgramOutput output{history_text(journal, journal.tail(), end, kAllOfIt, kAllOfIt), journal.tail() > 0, {}};
  if (output.text.size() <= most) return output;
  output.truncated = true;
  FirstCut cut(output.text, output.text.size() - static_cast<std::size_t>(most));
  Scanner().scan(output.text, cut);
  output.text.erase(0, cut.found());
  return output;
}

}  // namespace ptyd
