#include "pty/text/scanner.hpp"

#include <algorithm>

#include "pty/text/byte_search.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr std::uint8_t kBel = 0x07, kCan = 0x18, kSub = 0x1A, kEsc = 0x1B, kDel = 0x7F, kC1Lead = 0xC2;

std::uint8_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

bool is_c1(std::uint8_t second) {
  return second >= 0x80 && second <= 0x9F;
}

bool is_string(TokenKind kind) {
  return kind == TokenKind::osc || kind == TokenKind::dcs || kind == TokenKind::string;
}

std::size_t longest(TokenKind kind) {
  return is_string(kind) ? Scanner::kMaxString : Scanner::kMaxSequence;
}

/// Kind of sequence that ESC and `letter` begin. C1 controls are the same letters moved up by 0x40.
TokenKind introduced_by(std::uint8_t letter) {
  switch (letter) {
    case '[':
      return TokenKind::csi;
    case ']':
      return TokenKind::osc;
    case 'P':
      return TokenKind::dcs;
    case 'X':
    case '^':
    case '_':
      return TokenKind::string;
    default:
      return TokenKind::escape;
  }
}

/// The end of a sequence. Where the end was not `found`, `searched` bytes need not be looked at again. `open`: the byte
/// that ends the sequence is not part of it.
struct End {
  std::size_t size = 0;
  bool cancelled = false;
  bool open = false;
  bool found = true;
  std::size_t searched = 0;
};

End unfinished(std::size_t searched) {
  return {0, false, true, false, searched};
}

/// The two bytes at `at` that end a string: ST, or the beginning of something new, which is not the string's. xterm.js
/// takes an OSC before ESC for a whole one, but not one before C1.
End end_of_string_at(TokenKind kind, std::string_view bytes, std::size_t at) {
  if (at + 1 == bytes.size()) return unfinished(at);
  const bool by_esc = byte_at(bytes, at) == kEsc;
  const std::uint8_t second = byte_at(bytes, at + 1);
  const bool st = by_esc ? second == '\\' : second == 0x9C;
  return st ? End{at + 2} : End{at, !by_esc || kind != TokenKind::osc, true};
}

End end_of_string(TokenKind kind, std::string_view bytes, std::size_t from) {
  for (std::size_t at = from;; ++at) {
    at = find_byte<MayEndString>(bytes, at);
    if (at == bytes.size()) return unfinished(at);
    const std::uint8_t byte = byte_at(bytes, at);
    if (byte == kBel && kind == TokenKind::osc) return {at + 1};
    if (byte == kCan || byte == kSub) return {at + 1, true};
    const bool lead = byte == kC1Lead && (at + 1 == bytes.size() || is_c1(byte_at(bytes, at + 1)));
    if (byte == kEsc || lead) return end_of_string_at(kind, bytes, at);
  }
}

/// A byte above ASCII inside an escape or control sequence spoils it: C1 begins anew, any other character is swallowed
/// with the sequence, as xterm.js does it.
End spoiled_at(std::string_view bytes, std::size_t at) {
  const std::string_view rest = bytes.substr(at);
  if (utf8::unfinished_tail(rest) == rest.size()) return unfinished(at);
  if (byte_at(rest, 0) == kC1Lead && rest.size() > 1 && is_c1(byte_at(rest, 1))) return {at, true, true};
  return {at + utf8::unit(rest), true};
}

/// CSI ends with 40..7E, escape sequences with 30..7E. C0 controls inside are executed at once and it goes on.
End end_of_sequence(TokenKind kind, std::string_view bytes, std::size_t from) {
  const std::uint8_t first_final = kind == TokenKind::csi ? 0x40 : 0x30;
  for (std::size_t at = from; at < bytes.size(); ++at) {
    const std::uint8_t byte = byte_at(bytes, at);
    if (byte >= first_final && byte < kDel) return {at + 1};
    if (byte == kEsc) return {at, true, true};
    if (byte == kCan || byte == kSub) return {at + 1, true};
    if (byte > kDel) return spoiled_at(bytes, at);
  }
  return unfinished(bytes.size());
}

End end_of(TokenKind kind, std::string_view bytes, std::size_t from) {
  return is_string(kind) ? end_of_string(kind, bytes, from) : end_of_sequence(kind, bytes, from);
}

/// Index of the letter of an escape, before which controls may stand; the size of `bytes` when it is not there yet.
std::size_t letter_of_escape(std::string_view bytes) {
  std::size_t at = 1;
  while (at < bytes.size() && (byte_at(bytes, at) < 0x20 || byte_at(bytes, at) == kDel) && byte_at(bytes, at) != kEsc &&
         byte_at(bytes, at) != kCan && byte_at(bytes, at) != kSub) {
    ++at;
  }
  return at;
}

}  // namespace

std::size_t Scanner::scan(std::string_view bytes, TokenSink& sink) {
  std::size_t done = 0;
  undecided_ = false;
  while (done < bytes.size() && !undecided_) {
    const std::string_view rest = bytes.substr(done);
    if (overlong_) {
      done += take_piece(rest, 0, sink);
    } else if (EndsText::one(byte_at(rest, 0))) {
      done += take_special(rest, sink);
    } else {
      done += take_text(rest, sink);
    }
  }
  return done;
}

void Scanner::reset() {
  searched_ = 0;
  undecided_ = false;
  overlong_ = false;
}

namespace {

struct Nowhere final : TokenSink {
  void on_token(const Token&) override {}
};

}  // namespace

std::size_t Scanner::drop_string(std::string_view undecided) {
  std::size_t begin = 0;
  if (!overlong_) {
    if (undecided.size() < 2) return 0;
    const auto first = byte_at(undecided, 0);
    const bool by_c1 = first == kC1Lead && is_c1(byte_at(undecided, 1));
    if (first != kEsc && !by_c1) return 0;
    const auto [kind, size] = by_c1 ? introduced_by_c1(undecided) : introduced_by_esc(undecided);
    if (!is_string(kind)) return 0;
    open_ = kind;
    begin = size;
  }
  head_size_ = 0;
  searched_ = 0;
  Nowhere nowhere;
  return take_piece(undecided, begin, nowhere);
}

/// Text up to a control or a C1; a character cut by the end of input waits.
std::size_t Scanner::take_text(std::string_view bytes, TokenSink& sink) {
  std::size_t size = find_byte<EndsText>(bytes, 0);
  while (size + 1 < bytes.size() && byte_at(bytes, size) == kC1Lead && !is_c1(byte_at(bytes, size + 1))) {
    size = find_byte<EndsText>(bytes, size + 1);
  }
  if (size == bytes.size()) {
    const std::size_t cut = utf8::unfinished_tail(bytes);
    undecided_ = cut != 0;
    size -= cut;
  }
  if (size != 0) sink.on_token({TokenKind::text, bytes.substr(0, size), false, false, false, {}});
  return size;
}

/// Looks behind controls for the letter: ESC NUL [ is CSI.
Scanner::Introduced Scanner::introduced_by_esc(std::string_view bytes) {
  const std::string_view window = bytes.substr(0, kMaxSequence);
  const std::size_t letter = letter_of_escape(window);
  const TokenKind kind = letter < window.size() ? introduced_by(byte_at(window, letter)) : TokenKind::escape;
  return {kind, kind == TokenKind::escape ? 1 : letter + 1};
}

Scanner::Introduced Scanner::introduced_by_c1(std::string_view bytes) {
  return {introduced_by(static_cast<std::uint8_t>(byte_at(bytes, 1) - 0x40)), 2};
}

std::size_t Scanner::take_special(std::string_view bytes, TokenSink& sink) {
  const std::uint8_t first = byte_at(bytes, 0);
  if (first == kEsc) {
    const auto [kind, size] = introduced_by_esc(bytes);
    return take_sequence(kind, size, bytes, sink);
  }
  if (first != kC1Lead) {
    sink.on_token({TokenKind::control, bytes.substr(0, 1), false, false, false, {}});
    return 1;
  }
  if (bytes.size() == 1) {
    undecided_ = true;
    return 0;
  }
  const std::uint8_t second = byte_at(bytes, 1);
  if (!is_c1(second)) return take_text(bytes, sink);
  const auto [kind, size] = introduced_by_c1(bytes);
  if (kind != TokenKind::escape) return take_sequence(kind, size, bytes, sink);
  sink.on_token({TokenKind::control, bytes.substr(0, 2), false, false, false, {}});
  return 2;
}

std::size_t Scanner::take_sequence(TokenKind kind, std::size_t start, std::string_view bytes, TokenSink& sink) {
  const std::string_view window = bytes.substr(0, longest(kind));
  const End end = end_of(kind, window, std::max(start, searched_));
  searched_ = 0;
  if (end.found) {
    sink.on_token({kind, bytes.substr(0, end.size), false, end.cancelled, end.open, {}});
    return end.size;
  }
  if (window.size() == longest(kind)) {
    begin_overlong(kind, bytes);
    return take_piece(window, end.searched, sink);
  }
  searched_ = end.searched;
  undecided_ = true;
  return 0;
}

void Scanner::begin_overlong(TokenKind kind, std::string_view bytes) {
  overlong_ = true;
  open_ = kind;
  head_size_ = kHeadBytes;
  bytes.copy(head_, kHeadBytes);
}

/// One piece of an overlong sequence: up to its end, or all there is but what may be half of an end or of a character.
std::size_t Scanner::take_piece(std::string_view bytes, std::size_t searched, TokenSink& sink) {
  const End end = end_of(open_, bytes, searched);
  std::size_t size = end.found ? end.size : end.searched;
  overlong_ = !end.found;
  if (overlong_) size -= utf8::unfinished_tail(bytes.substr(0, size));
  undecided_ = overlong_ && size < bytes.size();
  if (size != 0) sink.on_token({open_, bytes.substr(0, size), true, end.cancelled, end.open, {head_, head_size_}});
  return size;
}

}  // namespace ptyd
