// Modes: what a program has switched on in its terminal, as far as somebody who comes later must know it.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pty/palette.hpp"
#include "pty/scanner.hpp"

namespace ptyd {

struct Csi;

/// A mode that can be set and reset.
struct ModeRow {
  /// Of a group at most one is on, and switching off any switches off the one that is on.
  enum Group : std::uint8_t { kAlone, kMouse, kMouseEncoding, kScreen };

  int number;
  bool ansi = false;       ///< SM 4 and SM ?4 are two modes
  bool initially = false;  ///< in a fresh terminal
  bool soft = false;       ///< DECSTR puts it back
  bool silent = false;     ///< known and reported, but nobody who comes later is told
  Group group = kAlone;
};
/// All modes that a program may switch, in the order in which somebody who comes later is told of them.
std::span<const ModeRow> mode_rows();
/// The sequence that switches it.
std::string switch_text(const ModeRow& row, bool on);

/// The modes of one terminal, fed by its output.
///
/// Thread  one. Bounded: a bit a mode, two stacks of kMaxKeyboardStack, titles, a folder, a palette.
class Modes {
 public:
  /// A window's title and its icon's.
  struct Titles {
    std::string window, icon;
    bool operator==(const Titles&) const = default;
  };
  /// What CSI 22 t has kept, and which of both.
  struct KeptTitles {
    Titles titles;
    bool window = true, icon = true;
    bool operator==(const KeptTitles&) const = default;
  };
  /// Pushed keyboard flags (kitty's protocol), the last one is in force.
  using KeyboardStack = std::vector<std::uint8_t>;

  /// Titles that CSI 22 t keeps; xterm keeps as many. One more, and the oldest is forgotten.
  static constexpr std::size_t kMaxKeptTitles = 10;
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
  const std::string& title() const { return titles_.window; }
  const Titles& titles() const { return titles_; }
  const std::vector<KeptTitles>& kept_titles() const { return kept_titles_; }
  /// From OSC 7, an absolute path without control characters; "" while the program has not told.
  const std::string& cwd() const { return cwd_; }
  /// Whether the DEC private (or ANSI) mode is set; nothing for modes that are not known.
  std::optional<bool> is_set(int number, bool ansi) const;
  bool on_alternate_screen() const;
  int keyboard_flags() const { return flags_of(keyboard()); }
  const KeyboardStack& keyboard_stack(bool alternate) const { return keyboard_[alternate ? 1 : 0]; }
  /// DECSCUSR, 0 to 6.
  int caret_style() const { return caret_style_; }
  /// XTMODKEYS 4: modifyOtherKeys, 0 to 3.
  int other_keys() const { return other_keys_; }
  const Palette& palette() const { return palette_; }

 private:
  static constexpr std::size_t kMaxRows = 32;
  using Stack = KeyboardStack;

  void feed_escape(std::string_view body);
  void feed_csi(const Token& token);
  void feed_osc(const Token& token);
  void set_all(const Csi& csi);
  void set(int number, bool ansi, bool on);
  void feed_titles(const Csi& csi);
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
  Titles titles_;
  std::vector<KeptTitles> kept_titles_;
  std::string cwd_;
  Palette palette_;
};

/// Text that brings any terminal, whatever a dead program left it in, to where a new shell can start: below what is
/// shown, with every mode as at the start. The caret stays where it is.
std::string mode_reset_sequence();

}  // namespace ptyd
