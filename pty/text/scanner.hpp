// Scanner: one pass over raw output that finds where control sequences begin and end, across reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ptyd {

/// The kinds of token that output consists of.
enum class TokenKind : std::uint8_t {
  text,     ///< printable bytes, UTF-8, and the controls that only move or ring: BEL BS TAB LF VT FF CR (07 to 0D)
  control,  ///< one other C0 control, DEL, or one C1 control (C2 80 .. C2 9F)
  escape,   ///< ESC with intermediates and a final byte
  csi,      ///< ESC [ ... final, whole
  osc,      ///< ESC ] ... BEL or ST, or up to the ESC of what follows; whole unless `overlong`
  dcs,      ///< ESC P ... ST
  string,   ///< ESC X, ESC ^ or ESC _ (SOS, PM, APC) ... ST
};

/// A stretch of output. `bytes` are the raw ones and contiguous, also when they came in several reads.
///
/// An introducer is two bytes, ESC and its letter or the C1 control in UTF-8 (C2 9B is CSI, C2 9D OSC ...), which
/// xterm.js and xterm obey alike; ST is ESC \ or C2 9C.
struct Token {
  TokenKind kind = TokenKind::text;
  std::string_view bytes;  ///< valid during the call only
  bool overlong = false;   ///< a sequence longer than the Scanner's bounds: this is one piece of it, cut arbitrarily
  bool cancelled = false;  ///< ended by CAN, SUB, C1, a byte that cannot stand there, or, but for an OSC, a new ESC:
                           ///< no reader acts on it
  bool open = false;       ///< no byte of it ends it: the ESC or C1 that follows does, or more pieces of it follow
  std::string_view head;   ///< of an overlong one, in each piece: how it began, Scanner::kHeadBytes of it; empty where
                           ///< that was dropped
};

/// Takes tokens in order. The owner of the Scanner decides what each does.
class TokenSink {
 public:
  virtual void on_token(const Token& token) = 0;

 protected:
  ~TokenSink() = default;
};

/// Splits a byte stream into tokens; the concatenation of all tokens is the stream. However the stream is cut into
/// calls, the tokens are the same, save that text and overlong sequences may come in other pieces.
///
/// Text runs through line ends and tabs on purpose: code that draws text looks at every byte anyway, and for all other
/// code a screenful of log is one token.
///
/// Thread  one. Bounded: a sequence that never ends is handed on in pieces after a fixed number of bytes.
/// Units   bytes. 8-bit C1 controls are not recognised raw: in UTF-8 they are invalid bytes, which are text.
class Scanner {
 public:
  /// Longest OSC, DCS or other string that is handed on whole; half of Journal::kInboxBytes, so a read always has room.
  static constexpr std::size_t kMaxString = 32 << 10;
  /// Longest CSI or ESC sequence that is handed on whole; real ones are below 200 bytes.
  static constexpr std::size_t kMaxSequence = 1024;
  /// Bytes of the beginning of an overlong sequence, by which its meaning can be told.
  static constexpr std::size_t kHeadBytes = 32;

  /// Scans `bytes`; calls the sink for every token that is complete. Returns how many of the bytes are decided: the
  /// rest (an unfinished sequence, or a character cut in two) must be given again, followed by what comes next. The
  /// undecided rest never exceeds kMaxString.
  std::size_t scan(std::string_view bytes, TokenSink& sink);
  /// True when everything given so far was decided: a clean boundary, neither inside a sequence nor in a character.
  bool in_ground() const { return !undecided_ && !overlong_; }
  /// Forgets an unfinished sequence.
  void reset();
  /// Drops the text of an unfinished string; `undecided` is what the last scan() left of it. The rest of the string is
  /// then handed on in pieces without a head. Returns how many of the bytes are decided: all but what may be half of
  /// the end; 0 where `undecided` is no string.
  std::size_t drop_string(std::string_view undecided);

 private:
  struct Introduced {
    TokenKind kind;
    std::size_t size;  // of the introducer
  };
  static Introduced introduced_by_esc(std::string_view bytes);
  static Introduced introduced_by_c1(std::string_view bytes);
  std::size_t take_text(std::string_view bytes, TokenSink& sink);
  std::size_t take_special(std::string_view bytes, TokenSink& sink);
  std::size_t take_sequence(TokenKind kind, std::size_t start, std::string_view bytes, TokenSink& sink);
  std::size_t take_piece(std::string_view bytes, std::size_t searched, TokenSink& sink);
  void begin_overlong(TokenKind kind, std::string_view bytes);

  std::size_t searched_ = 0;  // bytes at the front of the undecided rest known to hold no end of their sequence
  bool undecided_ = false;
  bool overlong_ = false;  // inside a sequence of which pieces have been handed on already
  TokenKind open_ = TokenKind::text;
  std::uint8_t head_size_ = 0;
  char head_[kHeadBytes] = {};
};

}  // namespace ptyd
