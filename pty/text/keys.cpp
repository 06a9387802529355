#include "pty/text/keys.hpp"

#include <algorithm>
#include <array>

#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kCsi = "\x1b[", kSs3 = "\x1bO";

struct Modifiers {
  bool shift = false, meta = false, control = false;
  bool any() const { return shift || meta || control; }
  /// As a parameter of a sequence; 1 stands for none.
  int parameter() const { return 1 + (shift ? 1 : 0) + (meta ? 2 : 0) + (control ? 4 : 0); }
};

/// How a key is sent.
enum class Form {
  character,  ///< as the character it is
  cursor,     ///< with this letter: CSI, or SS3 where the program wants that
  function,   ///< with this letter: SS3, and CSI where it is modified
  edit,       ///< CSI number ~
  keypad,     ///< as the character it is, or SS3 and a letter where the program wants that
};

struct NamedKey {
  std::string_view name;
  Form form;
  int code;  ///< character, letter or number
};

constexpr std::array kNamedKeys = {
    NamedKey{"Up", Form::cursor, 'A'},
    NamedKey{"Down", Form::cursor, 'B'},
    NamedKey{"Right", Form::cursor, 'C'},
    NamedKey{"Left", Form::cursor, 'D'},
    NamedKey{"Home", Form::cursor, 'H'},
    NamedKey{"End", Form::cursor, 'F'},
    NamedKey{"Insert", Form::edit, 2},
    NamedKey{"IC", Form::edit, 2},
    NamedKey{"Delete", Form::edit, 3},
    NamedKey{"DC", Form::edit, 3},
    NamedKey{"PPage", Form::edit, 5},
    NamedKey{"PageUp", Form::edit, 5},
    NamedKey{"PgUp", Form::edit, 5},
    NamedKey{"NPage", Form::edit, 6},
    NamedKey{"PageDown", Form::edit, 6},
    NamedKey{"PgDn", Form::edit, 6},
    NamedKey{"F1", Form::function, 'P'},
    NamedKey{"F2", Form::function, 'Q'},
    NamedKey{"F3", Form::function, 'R'},
    NamedKey{"F4", Form::function, 'S'},
    NamedKey{"F5", Form::edit, 15},
    NamedKey{"F6", Form::edit, 17},
    NamedKey{"F7", Form::edit, 18},
    NamedKey{"F8", Form::edit, 19},
    NamedKey{"F9", Form::edit, 20},
    NamedKey{"F10", Form::edit, 21},
    NamedKey{"F11", Form::edit, 23},
    NamedKey{"F12", Form::edit, 24},
    NamedKey{"BSpace", Form::character, 0x7f},
    NamedKey{"Backspace", Form::character, 0x7f},
    NamedKey{"Enter", Form::character, '\r'},
    NamedKey{"Return", Form::character, '\r'},
    NamedKey{"Escape", Form::character, 0x1b},
    NamedKey{"Esc", Form::character, 0x1b},
    NamedKey{"Space", Form::character, ' '},
    NamedKey{"Tab", Form::character, '\t'},
    NamedKey{"KPEnter", Form::keypad, '\r'},
    NamedKey{"KP/", Form::keypad, '/'},
    NamedKey{"KP*", Form::keypad, '*'},
    NamedKey{"KP-", Form::keypad, '-'},
    NamedKey{"KP+", Form::keypad, '+'},
    NamedKey{"KP.", Form::keypad, '.'},
    NamedKey{"KP0", Form::keypad, '0'},
    NamedKey{"KP1", Form::keypad, '1'},
    NamedKey{"KP2", Form::keypad, '2'},
    NamedKey{"KP3", Form::keypad, '3'},
    NamedKey{"KP4", Form::keypad, '4'},
    NamedKey{"KP5", Form::keypad, '5'},
    NamedKey{"KP6", Form::keypad, '6'},
    NamedKey{"KP7", Form::keypad, '7'},
    NamedKey{"KP8", Form::keypad, '8'},
    NamedKey{"KP9", Form::keypad, '9'},
};

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_in_any_case(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view without_space_around(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Takes one modifier off the front of `name`; what is left is not empty.
bool take_modifier(std::string_view& name, Modifiers& modifiers) {
  if (name.size() < 3 || name[1] != '-') return false;
  const char letter = lower(name[0]);
  if (letter != 'c' && letter != 'm' && letter != 's') return false;
  (letter == 'c' ? modifiers.control : letter == 'm' ? modifiers.meta : modifiers.shift) = true;
  name.remove_prefix(2);
  return true;
}

Modifiers take_modifiers(std::string_view& name) {
  Modifiers modifiers;
  if (name.size() > 1 && name.front() == '^') {
    modifiers.control = true;
    name.remove_prefix(1);
  }
  while (take_modifier(name, modifiers)) {
  }
  return modifiers;
}

/// The control character that has this name, if there is one.
std::optional<char> control_of(char c) {
  constexpr char kControls = 0x1f;
  if (c == ' ') return '\0';
  if (c == '/') return '\x1f';
  if (c == '?') return '\x7f';
  if (c < '@' || c > 'z' || c == '`') return std::nullopt;
  return static_cast<char>(c & kControls);
}

bool is_letter(char c) {
  return lower(c) >= 'a' && lower(c) <= 'z';
}

/// A character that is no key of its own, with modifiers. Which one Shift makes of what is no letter depends on a
/// keyboard.
std::optional<std::string> encode_character(std::string_view character, const Modifiers& modifiers) {
  std::string bytes(character);
  const bool is_ascii = character.size() == 1;
  if (modifiers.control) {
    const auto control = is_ascii ? control_of(character.front()) : std::nullopt;
    if (!control) return std::nullopt;
    bytes = *control;
  } else if (modifiers.shift && character != " ") {
    if (!is_ascii || !is_letter(character.front())) return std::nullopt;
    bytes = static_cast<char>(lower(character.front()) - 'a' + 'A');
  }
  return modifiers.meta ? kEscape + bytes : bytes;
}

/// CSI 1 ; modifiers letter
std::string modified_letter(char letter, const Modifiers& modifiers) {
  return std::string(kCsi) + "1;" + std::to_string(modifiers.parameter()) + letter;
}

std::string encode_edit(int number, const Modifiers& modifiers) {
  std::string bytes = std::string(kCsi) + std::to_string(number);
  if (modifiers.any()) bytes += ";" + std::to_string(modifiers.parameter());
  return bytes + '~';
}

std::string encode_keypad(char character, const Modifiers& modifiers, bool is_application) {
  constexpr char kToLetter = 0x40;  // '0' to 'p', '+' to 'k', Enter to 'M', and so on
  std::string bytes(1, character);
  if (is_application) bytes = std::string(kSs3) + static_cast<char>(character + kToLetter);
  return modifiers.meta ? kEscape + bytes : bytes;
}

/// Enter, Tab, Escape and Backspace: of their modifiers a terminal tells Meta, and Control of Backspace.
std::string encode_control(char character, const Modifiers& modifiers) {
  const bool is_erased = character == '\x7f' && modifiers.control;
  const std::string bytes(1, is_erased ? '\b' : character);
  return modifiers.meta ? kEscape + bytes : bytes;
}

/// Tab with Shift.
std::string encode_back_tab(Modifiers modifiers) {
  modifiers.shift = true;
  return modifiers.meta || modifiers.control ? modified_letter('Z', modifiers) : std::string(kCsi) + 'Z';
}

std::optional<std::string> encode_named(const NamedKey& key, const Modifiers& modifiers, const KeyModes& modes) {
  const char code = static_cast<char>(key.code);
  switch (key.form) {
    case Form::character:
      if (code == ' ') return encode_character(" ", modifiers);
      if (code == '\t' && modifiers.shift) return encode_back_tab(modifiers);
      return encode_control(code, modifiers);
    case Form::cursor:
      if (modifiers.any()) return modified_letter(code, modifiers);
      return std::string(modes.application_cursor ? kSs3 : kCsi) + code;
    case Form::function:
      return modifiers.any() ? modified_letter(code, modifiers) : std::string(kSs3) + code;
    case Form::edit:
      return encode_edit(key.code, modifiers);
    case Form::keypad:
      return encode_keypad(code, modifiers, modes.application_keypad);
  }
  return std::nullopt;
}

}  // namespace

bool is_key_and_word(std::string_view name) {
  constexpr std::array<std::string_view, 7> kWords = {"dc", "delete", "down", "end", "insert", "return", "up"};
  return std::find(kWords.begin(), kWords.end(), without_space_around(name)) != kWords.end();
}

std::optional<std::string> encode_key(std::string_view name, const KeyModes& modes) {
  std::string_view base = without_space_around(name);
  const Modifiers modifiers = take_modifiers(base);
  if (same_in_any_case(base, "BTab")) return encode_back_tab(modifiers);
  const auto named = std::find_if(kNamedKeys.begin(), kNamedKeys.end(),
                                  [base](const NamedKey& key) { return same_in_any_case(key.name, base); });
  if (named != kNamedKeys.end()) return encode_named(*named, modifiers, modes);
  const bool is_character = !base.empty() && utf8::character(base) == base.size() && base != "\x7f" && base >= " ";
  if (!is_character || !modifiers.any()) return std::nullopt;
  return encode_character(base, modifiers);
}

}  // namespace ptyd
