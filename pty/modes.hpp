// Modes: what a program has switched on in its terminal, as far as somebody who comes later must know it.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/scanner.hpp"

namespace ptyd {

struct Csi;

/// The modes of one terminal, fed by its output.
///
/// Thread  one. Bounded: a bit a mode, two stacks of kMaxKeyboardStack, a title and a folder.
class Modes {
 public:
  /// Characters of a title; longer ones are cut.
  static constexpr std::size_t kMaxTitle = 256;
  /// Bytes of a working directory as told by OSC 7: PATH_MAX. Longer ones are not believed.
  static constexpr std::size_t kMaxCwd = 4096;
  /// Pushed keyboard flags that are remembered; xterm.js keeps as many.
  static constexpr std::size_t kMaxKeyboardStack = 16;

  Modes();

  void feed(const Token& token);

  /// Text that switches on in a fresh terminal what differs from its start: the reference's order, then ours. At most
  /// 4096 bytes. The alternate screen is among it unless `replayed`, which the terminal is given next, enters or leaves
  /// that by itself.
  std::string preamble(std::string_view replayed = {}) const;
  /// From OSC 0 and 2; valid UTF-8 without control characters.
  const std::string& title() const { return title_; }
  /// From OSC 7, an absolute path without control characters; "" while the program has not told.
  const std::string& cwd() const { return cwd_; }
  /// Whether the DEC private (or ANSI) mode is set; nothing for modes that are not known.
  std::optional<bool> is_set(int number, bool ansi) const;
  bool on_alternate_screen() const;
  int keyboard_flags() const { return flags_of(keyboard()); }

 private:
  static constexpr std::size_t kMaxRows = 32;
  using Stack = std::vector<std::uint8_t>;

  void feed_escape(std::string_view body);
  void feed_csi(const Token& token);
  void feed_osc(const Token& token);
  void set_all(const Csi& csi);
  void set(int number, bool ansi, bool on);
  void feed_keyboard(char leader, int first, int second);
  void reset();
  void soft_reset();
  Stack& keyboard() { return keyboard_[on_alternate_screen() ? 1 : 0]; }
  const Stack& keyboard() const { return keyboard_[on_alternate_screen() ? 1 : 0]; }
  static int flags_of(const Stack& stack) { return stack.empty() ? 0 : stack.back(); }

  std::bitset<kMaxRows> on_;  // in the order of the table in modes.cpp
  char charsets_[2] = {'B', 'B'};
  bool shifted_out_ = false;
  std::uint8_t caret_style_ = 0;
  std::uint8_t other_keys_ = 0;
  Stack keyboard_[2];  // of the primary and of the alternate screen
  std::string title_;
  std::string cwd_;
};

/// Text that brings any terminal, whatever a dead program left it in, to where a new shell can start: below what is
/// shown, with every mode as at the start. The caret stays where it is.
std::string mode_reset_sequence();

}  // namespace ptyd
