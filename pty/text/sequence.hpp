// The parts of a control sequence, taken from a whole Token.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/text/scanner.hpp"

namespace ptyd {

/// CSI leader params intermediates final.
struct Csi {
  /// xterm takes this many parameters; what is beyond is not looked at.
  static constexpr std::size_t kMaxParams = 32;
  /// Larger numbers mean this one, so that no arithmetic overflows.
  static constexpr int kMaxParam = 65535;

  char leader = 0;  ///< one of `< = > ?`, or 0
  char final = 0;
  std::string intermediates;
  /// As many as `count` says; -1 where the parameter is empty; of sub-parameters the first.
  std::array<int, kMaxParams> params;
  std::size_t count = 0;
  std::string_view
      text;  ///< the parameters as they stand, sub-parameters and controls among them; as long as the token

  int param(std::size_t index, int otherwise) const {
    return index < count && params[index] >= 0 ? params[index] : otherwise;
  }
  /// True for this leader, intermediates and final byte.
  bool is(char wanted_leader, std::string_view wanted_intermediates, char wanted_final) const {
    return leader == wanted_leader && intermediates == wanted_intermediates && final == wanted_final;
  }
};

/// ESC intermediate final.
struct Escape {
  char intermediate = 0;  ///< 0: none
  char final = 0;
  bool operator==(const Escape&) const = default;
};

/// Nothing when `token` is no whole escape sequence, or has more than one intermediate. C0 controls inside it are
/// passed over.
std::optional<Escape> parse_escape(const Token& token);

/// Nothing when `token` is no whole and valid CSI sequence. C0 controls inside it are passed over.
std::optional<Csi> parse_csi(const Token& token);

/// Text between introducer and terminator of a whole OSC, DCS or other string; nothing for a piece of one, or
/// one that was cancelled.
std::optional<std::string_view> string_payload(const Token& token);

/// Begin of a string, whole or not, without controls, as a lenient emulator may read it.
std::string string_beginning(const Token& token);

/// The parts of a payload between `separator`s; one empty part of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The number that an emulator reads, which does not mind leading zeros, at most Csi::kMaxParam; -1 when it is none.
int number_of(std::string_view digits);

/// The terminator that `token`, a whole string, was ended with; answers end the same way. "" for an OSC that the next
/// sequence ended.
std::string_view string_terminator(const Token& token);

}  // namespace ptyd
