// Modes: the modes and reports of a program that do not change how text is drawn.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/mode_rows.hpp"
#include "pty/screen/palette.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

struct Csi;
struct Escape;

/// The modes of one terminal, its titles, folder and colours, fed by its output.
///
/// Thread  one. Bounded: a bit a mode, two stacks of kMaxKeyboardStack, titles, a folder, a palette.
class Modes {
 public:
  /// A window's title and its icon's.
  struct Titles {
    std::string window, icon;
    bool operator==(const Titles&) const = default;
  };
  /// Titles that CSI 22 t has kept, the last one at the back.
  using TitleStack = std::vector<std::string>;
  struct KeptTitles {
    TitleStack window, icon;
  };
  /// Pushed keyboard flags (kitty's protocol), the last one is in force.
  using KeyboardStack = std::vector<std::uint8_t>;

  /// Titles of each kind that CSI 22 t keeps; xterm keeps as many. One more, and the oldest is forgotten.
  static constexpr std::size_t kMaxKeptTitles = 10;
  /// Characters of a title; longer ones are cut.
  static constexpr std::size_t kMaxTitle = 256;
  /// Bytes of a working directory as told by OSC 7: PATH_MAX. Longer ones are not believed.
  static constexpr std::size_t kMaxCwd = 4096;
  /// Pushed keyboard flags that are remembered; xterm.js keeps as many.
  static constexpr std::size_t kMaxKeyboardStack = 16;

  Modes();

  /// `active` is the buffer that is shown after `token`: each has its keyboard flags.
  void feed(const Token& token, Buffer active);

  /// From OSC 0 and 2; valid UTF-8 without control characters.
  const std::string& title() const { return titles_.window; }
  const Titles& titles() const { return titles_; }
  const KeptTitles& kept_titles() const { return kept_titles_; }
  /// From OSC 7, an absolute path without control characters; "" while the program has not told, or has taken it back.
  const std::string& cwd() const { return cwd_; }
  /// Whether the DEC private (or ANSI) mode is set; nothing for modes that are not known or not kept here.
  std::optional<bool> is_set(int number, bool ansi) const;
  int keyboard_flags(Buffer buffer) const { return flags_of(keyboard_stack(buffer)); }
  const KeyboardStack& keyboard_stack(Buffer buffer) const { return keyboard_[static_cast<std::size_t>(buffer)]; }
  /// DECSCUSR, 0 to 6.
  int caret_style() const { return caret_style_; }
  /// XTMODKEYS 4: modifyOtherKeys, 0 to 3.
  int other_keys() const { return other_keys_; }
  /// XTCHECKSUM: six bits.
  std::uint8_t checksum_flags() const { return checksum_flags_; }
  const Palette& palette() const { return palette_; }

 private:
  void feed_escape(const Escape& escape);
  void feed_csi(const Token& token, Buffer active);
  void feed_osc(const Token& token);
  void set_all(const Csi& csi);
  void set(int number, bool ansi, bool on);
  void feed_titles(const Csi& csi);
  void feed_keyboard(KeyboardStack& stack, const Csi& csi);
  void reset();
  void soft_reset();
  static int flags_of(const KeyboardStack& stack) { return stack.empty() ? 0 : stack.back(); }

  std::bitset<kMaxModeRows> on_;  // in the order of mode_rows()
  std::uint8_t caret_style_ = 0;
  std::uint8_t other_keys_ = 0;
  std::uint8_t checksum_flags_ = 0;
  KeyboardStack keyboard_[2];  // of the primary and of the alternate buffer
  Titles titles_;
  KeptTitles kept_titles_;
  std::string cwd_;
  Palette palette_;
};

}  // namespace ptyd
