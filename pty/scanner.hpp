// Scanner: one pass over raw output that finds where control sequences begin and end, across reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ptyd {

/// The kinds of token that output consists of.
enum class TokenKind : std::uint8_t {
  text,     ///< printable bytes and UTF-8, as many as stood together
  control,  ///< one C0 control (or DEL)
  escape,   ///< ESC with intermediates and a final byte
  csi,      ///< ESC [ ... final, whole
  osc,      ///< ESC ] ... BEL or ST, whole unless `overlong`
  dcs,      ///< ESC P ... ST
  string,   ///< ESC X, ESC ^ or ESC _ (SOS, PM, APC) ... ST
};

/// A stretch of output. `bytes` are the raw ones and contiguous, also when they came in several reads.
struct Token {
  TokenKind kind = TokenKind::text;
  std::string_view bytes;  ///< valid during the call only
  bool overlong = false;   ///< a string longer than Scanner::kMaxString: this is one piece of it, cut arbitrarily
  bool cancelled = false;  ///< ended by CAN, SUB or a new ESC: viewers see the bytes, nobody acts on them
};

/// Takes tokens in order. What to do with one is decided by whoever owns the Scanner.
class TokenSink {
 public:
  virtual void on_token(const Token& token) = 0;

 protected:
  ~TokenSink() = default;
};

/// Splits a byte stream into tokens; the concatenation of all tokens is the stream.
///
/// Thread  one. Bounded: a sequence that never ends is handed on in pieces after a fixed number of bytes.
/// Units   bytes. 8-bit C1 controls are not recognised raw: in UTF-8 they are invalid bytes (and C2 80..C2 9F are text).
class Scanner {
 public:
  /// Longest OSC, DCS or other string that is handed on whole; half of Journal::kInboxBytes, so a read always has room.
  static constexpr std::size_t kMaxString = 32 << 10;
  /// Longest CSI or ESC sequence that is handed on whole; real ones are below 200 bytes.
  static constexpr std::size_t kMaxSequence = 1024;

  /// Scans `bytes`; calls the sink for every token that is complete. Returns how many of the bytes are decided: the rest
  /// (an unfinished sequence, or a character cut in two) must be given again, followed by what comes next. The
  /// undecided rest never exceeds kMaxString.
  std::size_t scan(std::string_view bytes, TokenSink& sink);
  /// True when everything given so far was decided: a clean boundary, neither inside a sequence nor in a character.
  bool in_ground() const;
  /// Forgets an unfinished sequence.
  void reset();

 private:
  std::size_t resume_ = 0;   // bytes at the front known to belong to the unfinished sequence
  bool overlong_ = false;    // inside a string of which pieces have been handed on already
  TokenKind open_ = TokenKind::text;
};

}  // namespace ptyd
