// Names of keys, as tmux has them, and the bytes that xterm sends for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptyd {

/// Modes of the program that change what some keys send.
struct KeyModes {
  bool application_cursor = false;  ///< DECCKM
  bool application_keypad = false;  ///< DECNKM
};

/// The bytes of the one key that all of `name` names, in any case, with modifiers in any order: tmux's names, and
/// Backspace, Delete, Insert, Esc and Return. White space around the name does not count. Nothing where `name` is no
/// key but text.
std::optional<std::string> encode_key(std::string_view name, const KeyModes& modes);
/// Whether `name` is a key, and in this spelling also a command of debuggers and languages: `up`, `end` ...
bool is_key_and_word(std::string_view name);

}  // namespace ptyd
