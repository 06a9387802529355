// Modes: what a program has switched on in its terminal, as far as somebody who comes later must know it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/scanner.hpp"

namespace ptyd {

/// The modes of one terminal, fed by its output.
///
/// Thread  one. Bounded: a row a mode, and a stack of kMaxKeyboardStack.
class Modes {
 public:
  /// Characters of a title; longer ones are cut.
  static constexpr std::size_t kMaxTitle = 256;
  /// Pushed keyboard flags that are remembered; xterm.js keeps as many.
  static constexpr std::size_t kMaxKeyboardStack = 16;

  Modes();

  void feed(const Token& token);

  /// Text that switches on in a fresh terminal what differs from its start: the reference's order, then ours.
  std::string preamble() const;
  /// From OSC 0 and 2; valid UTF-8 without control characters.
  const std::string& title() const { return title_; }
  /// Whether the DEC private (or ANSI) mode is set; nothing for modes that are not known.
  std::optional<bool> is_set(int number, bool ansi) const;
  int keyboard_flags() const { return keyboard_.empty() ? 0 : keyboard_.back(); }

 private:
  void feed_csi(const Token& token);
  void feed_osc(const Token& token);
  void set(int number, bool ansi, bool on);
  void feed_keyboard(char leader, int first, int second);
  void reset();
  void soft_reset();

  std::vector<bool> on_;  // in the order of the table in modes.cpp
  std::vector<int> keyboard_;
  bool line_drawing_ = false;
  std::string title_;
};

/// Text that brings any terminal, whatever a dead program left it in, to where a new shell can start: below what is
/// shown, with every mode as at the start.
std::string mode_reset_sequence();

}  // namespace ptyd
