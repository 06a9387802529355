#include "pty/text/keys.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <optional>
#include <string>
#include <vector>

namespace ptyd {
namespace {

using std::string_literals::operator""s;

constexpr KeyModes kApplication{.application_cursor = true, .application_keypad = true};

std::optional<std::string> key(std::string_view name, const KeyModes& modes = {}) {
  return encode_key(name, modes);
}

std::string in_upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

struct NamedBytes {
  std::string name;
  std::string bytes;
  std::string application;         ///< where the program wants application keys
  std::string with_shift_control;  ///< S-C-name
  std::string with_meta;           ///< M-name
};

NamedBytes cursor_key(const std::string& name, const std::string& letter) {
  return {name, "\x1b[" + letter, "\x1bO" + letter, "\x1b[1;6" + letter, "\x1b[1;3" + letter};
}
NamedBytes function_key(const std::string& name, const std::string& letter) {
  return {name, "\x1bO" + letter, "\x1bO" + letter, "\x1b[1;6" + letter, "\x1b[1;3" + letter};
}
NamedBytes edit_key(const std::string& name, const std::string& number) {
  const std::string plain = "\x1b[" + number + "~";
  return {name, plain, plain, "\x1b[" + number + ";6~", "\x1b[" + number + ";3~"};
}
NamedBytes keypad_key(const std::string& name, const std::string& character, const std::string& letter) {
  return {name, character, "\x1bO" + letter, character, "\x1b" + character};
}
NamedBytes character_key(const std::string& name, const std::string& bytes, const std::string& with_shift_control) {
  return {name, bytes, bytes, with_shift_control, "\x1b" + bytes};
}

std::vector<NamedBytes> all_named_keys() {
  std::vector<NamedBytes> keys = {
      cursor_key("Up", "A"),
      cursor_key("Down", "B"),
      cursor_key("Right", "C"),
      cursor_key("Left", "D"),
      cursor_key("Home", "H"),
      cursor_key("End", "F"),
      edit_key("IC", "2"),
      edit_key("Insert", "2"),
      edit_key("DC", "3"),
      edit_key("Delete", "3"),
      edit_key("PPage", "5"),
      edit_key("PageUp", "5"),
      edit_key("PgUp", "5"),
      edit_key("NPage", "6"),
      edit_key("PageDown", "6"),
      edit_key("PgDn", "6"),
      function_key("F1", "P"),
      function_key("F2", "Q"),
      function_key("F3", "R"),
      function_key("F4", "S"),
      edit_key("F5", "15"),
      edit_key("F6", "17"),
      edit_key("F7", "18"),
      edit_key("F8", "19"),
      edit_key("F9", "20"),
      edit_key("F10", "21"),
      edit_key("F11", "23"),
      edit_key("F12", "24"),
      character_key("BSpace", "\x7f", "\b"),
      character_key("Backspace", "\x7f", "\b"),
      character_key("Enter", "\r", "\r"),
      character_key("Return", "\r", "\r"),
      character_key("Escape", "\x1b", "\x1b"),
      character_key("Esc", "\x1b", "\x1b"),
      character_key("Space", " ", "\0"s),
      character_key("Tab", "\t", "\x1b[1;6Z"),
      {"BTab", "\x1b[Z", "\x1b[Z", "\x1b[1;6Z", "\x1b[1;4Z"},
      keypad_key("KP/", "/", "o"),
      keypad_key("KP*", "*", "j"),
      keypad_key("KP-", "-", "m"),
      keypad_key("KP+", "+", "k"),
      keypad_key("KP.", ".", "n"),
      keypad_key("KPEnter", "\r", "M"),
  };
  for (char digit = '0'; digit <= '9'; ++digit)
    keys.push_back(keypad_key("KP"s + digit, {digit}, {static_cast<char>('p' + digit - '0')}));
  return keys;
}

TEST(Keys, EveryNameSendsWhatATerminalSendsForIt) {
  for (const NamedBytes& each : all_named_keys()) {
    EXPECT_EQ(key(each.name), each.bytes) << each.name;
    EXPECT_EQ(key(each.name, kApplication), each.application) << each.name << " with application keys";
    EXPECT_EQ(key("S-C-" + each.name), each.with_shift_control) << "S-C-" << each.name;
    EXPECT_EQ(key("M-" + each.name), each.with_meta) << "M-" << each.name;
  }
}

TEST(Keys, NamesAreTakenInAnyCase) {
  for (const NamedBytes& each : all_named_keys()) EXPECT_EQ(key(in_upper_case(each.name)), each.bytes) << each.name;
  EXPECT_EQ(key("enter"), "\r");
  EXPECT_EQ(key("pgUP"), "\x1b[5~");
  EXPECT_EQ(key("btab"), "\x1b[Z");
  EXPECT_EQ(key("f12"), "\x1b[24~");
  EXPECT_EQ(key("kp7", kApplication), "\x1bOw");
}

TEST(Keys, EveryControlCharacterHasAName) {
  for (int number = 1; number <= 26; ++number) {
    const std::string bytes(1, static_cast<char>(number));
    const char lower = static_cast<char>('a' + number - 1), upper = static_cast<char>('A' + number - 1);
    EXPECT_EQ(key("C-"s + lower), bytes);
    EXPECT_EQ(key("c-"s + upper), bytes);
    EXPECT_EQ(key("^"s + lower), bytes);
    EXPECT_EQ(key("^"s + upper), bytes);
    EXPECT_EQ(key("C-S-"s + lower), bytes) << "Shift makes no difference to it";
  }
  const std::vector<std::pair<std::string, std::string>> others = {{"@", "\0"s},   {"Space", "\0"s}, {"[", "\x1b"},
                                                                   {"\\", "\x1c"}, {"]", "\x1d"},    {"^", "\x1e"},
                                                                   {"_", "\x1f"},  {"/", "\x1f"},    {"?", "\x7f"}};
  for (const auto& [name, bytes] : others) {
    EXPECT_EQ(key("C-" + name), bytes) << name;
    EXPECT_EQ(key("^" + name), bytes) << name;
    EXPECT_EQ(key("C-M-" + name), "\x1b" + bytes) << name;
  }
}

TEST(Keys, MetaPutsAnEscapeBeforeAnyCharacter) {
  EXPECT_EQ(key("M-x"), "\x1bx");
  EXPECT_EQ(key("m-X"), "\x1bX");
  EXPECT_EQ(key("M-."), "\x1b.");
  EXPECT_EQ(key("M--"), "\x1b-");
  EXPECT_EQ(key("M-é"), "\x1bé");
  EXPECT_EQ(key("M-C-c"), "\x1b\x03");
}

TEST(Keys, ShiftMakesALetterItsCapital) {
  EXPECT_EQ(key("S-a"), "A");
  EXPECT_EQ(key("S-Z"), "Z");
  EXPECT_EQ(key("M-S-a"),
            "\x1b"
            "A");
  EXPECT_EQ(key("S-Tab"), "\x1b[Z");
  EXPECT_EQ(key("S-Space"), " ");
}

TEST(Keys, ModifiersComeInAnyOrderAndCase) {
  for (const char* name : {"C-M-S-Up", "S-M-C-Up", "m-s-c-up", "M-C-S-UP", "^M-S-Up"})
    EXPECT_EQ(key(name), "\x1b[1;8A") << name;
  EXPECT_EQ(key("S-Up"), "\x1b[1;2A");
  EXPECT_EQ(key("M-Up"), "\x1b[1;3A");
  EXPECT_EQ(key("C-Up"), "\x1b[1;5A");
  EXPECT_EQ(key("C-Up", kApplication), "\x1b[1;5A") << "modified, it is the same in every mode";
}

TEST(Keys, EachModeIsAboutItsOwnKeys) {
  constexpr KeyModes kCursor{.application_cursor = true}, kKeypad{.application_keypad = true};
  EXPECT_EQ(key("Up", kCursor), "\x1bOA");
  EXPECT_EQ(key("KP5", kCursor), "5");
  EXPECT_EQ(key("Up", kKeypad), "\x1b[A");
  EXPECT_EQ(key("KP5", kKeypad), "\x1bOu");
  EXPECT_EQ(key("M-KP5", kKeypad), "\x1b\x1bOu");
}

TEST(Keys, WhiteSpaceAroundANameDoesNotCount) {
  EXPECT_EQ(key(" C-c\n"), "\x03");
  EXPECT_EQ(key("\tEnter\r\n"), "\r");
}

TEST(Keys, WhatIsMoreOrLessThanOneKeyIsText) {
  for (const char* text : {"",       " ",       "\n",     "^",        "C-",   "M-",  "S-",
                           "C-M-",   "-",       "a",      "A",        "1",    "é",   "C-hello",
                           "S-foo",  "M-xy",    "^a^b",   "^old^new", "^^^",  "^ab", "C-c C-c",
                           "Up Up",  "Up,Down", "UpDown", "F0",       "F13",  "F01", "F",
                           "KP",     "KP10",    "KP=",    "C-1",      "C--",  "C-é", "C-{",
                           "C-`",    "C-!",     "S-1",    "S-é",      "S-?",  "X-a", "A-Up",
                           "Ctrl-c", "C+c",     "0x41",   "0x1b",     "None", "Any", "MouseDown1Pane",
                           "C-\x01", "M-\x7f",  "C-\xff"})
    EXPECT_EQ(key(text), std::nullopt) << ::testing::PrintToString(text);
}

TEST(Keys, NoOrdinaryCommandIsTaken) {
  for (const char* command :
       {"ls",   "cd",          "q",       "y",        "n",       "w",      "x",      "bc",       "exit", "fg",    "bg",
        "jobs", "top",         "tabs",    "tput",     "kp",      "ps",     "c-ares", "s-nail",   "m4",   "f",     "fc",
        "ed",   "escape-plan", "spaces",  "download", "upgrade", "uptime", "lefty",  "enter.sh", "./up", "up.sh", "pg",
        "del",  "ctrl",        "home.sh", "inserted", "delete;", "^C^D",   "s-",     "!!",       "!$",   "#",     ":",
        ".",    "..",          "-",       "?",        "@",       "[",      "~"})
    EXPECT_EQ(key(command), std::nullopt) << command;
}

TEST(Keys, SomeNamesAreCommandsOfDebuggersAndLanguagesInLowerCase) {
  for (const char* word : {"dc", "delete", "down", "end", "insert", "return", "up", " up\n"}) {
    EXPECT_TRUE(is_key_and_word(word)) << word;
    EXPECT_TRUE(key(word)) << word;
  }
  for (const char* other : {"Up", "END", "DC", "C-end", "enter", "tab", "c-c", "updown", ""})
    EXPECT_FALSE(is_key_and_word(other)) << other;
}

}  // namespace
}  // namespace ptyd
