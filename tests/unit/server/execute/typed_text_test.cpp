#include "server/execute/typed_text.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

Execute asked(std::string command, bool is_input = false, bool no_enter = false) {
  Execute execute;
  execute.command = std::move(command);
  execute.is_input = is_input;
  execute.no_enter = no_enter;
  return execute;
}

TEST(TypedText, AKeyIsNamedByTheWholeText) {
  for (const auto* key : {"C-c", "c-C", " Enter\n", "F12", "M-C-Up", "dc"}) {
    EXPECT_TRUE(is_key(asked(key))) << key;
    auto literal = asked(key);
    literal.literal = true;
    EXPECT_FALSE(is_key(literal)) << key;
  }
  for (const auto* none : {"", "ls", "C-hello", "S-foo", "^old^new", "Enter Enter"})
    EXPECT_FALSE(is_key(asked(none))) << none;
  EXPECT_EQ(key_bytes(asked("Up"), {}), "\x1b[A");
  EXPECT_EQ(key_bytes(asked("Up"), {.application_cursor = true}), "\x1bOA");
}

TEST(TypedText, WordsOfDebuggersAreInputInLowerCase) {
  EXPECT_FALSE(is_key(asked("up", true)));
  EXPECT_TRUE(is_key(asked("Up", true)));
  EXPECT_TRUE(is_key(asked("up")));
}

TEST(TypedText, SomeKeysAreSignals) {
  EXPECT_TRUE(is_signal("\x03"));
  EXPECT_TRUE(is_signal("\x1a"));
  EXPECT_TRUE(is_signal("\x1c"));
  for (const auto* none : {"", "\x04", "\r", "a", "\x03\x03"}) EXPECT_FALSE(is_signal(none)) << none;
}

TEST(TypedText, ABlankCommandOnlyWaits) {
  for (const auto* blank : {"", " ", "\n", " \t\r\n"}) EXPECT_TRUE(is_poll(asked(blank))) << blank;
  EXPECT_FALSE(is_poll(asked("a")));
  EXPECT_TRUE(is_poll(asked("", true)));
  EXPECT_FALSE(is_poll(asked(" ", true)));
}

TEST(TypedText, InputEndsWithEnterUnlessItShallNot) {
  EXPECT_EQ(input_bytes(asked("a", true), false), "a\r");
  EXPECT_EQ(input_bytes(asked("a\nb", true), false), "a\rb\r");
  EXPECT_EQ(input_bytes(asked("a", true, true), false), "a");
}

TEST(TypedText, ALineEndOfTwoCharactersIsOneEnter) {
  EXPECT_EQ(input_bytes(asked("a\r\nb\r\n\r\n", true, true), false), "a\rb\r\r");
  EXPECT_EQ(input_bytes(asked("a\rb", true, true), false), "a\rb");
}

TEST(TypedText, TheEndOfAPasteInsideTheTextIsNone) {
  EXPECT_EQ(input_bytes(asked("a\x1b[201~\n\x1b[200~b", true, true), true), "\x1b[200~a\rb\x1b[201~");
  EXPECT_EQ(input_bytes(asked("a\x1b[20\x1b[201~1~\nb", true, true), true), "\x1b[200~a\rb\x1b[201~");
  EXPECT_EQ(input_bytes(asked("a\x1b[20\x1b[201~0~\nb", true, true), true), "\x1b[200~a\rb\x1b[201~");
  EXPECT_EQ(input_bytes(asked("a\x1b[201~\nb", true, true), false), "a\x1b[201~\rb") << "it takes no pastes";
}

TEST(TypedText, LinesArePastedInBracketsWhereTheProgramTakesThem) {
  EXPECT_EQ(input_bytes(asked("a", true), true), "a\r");
  EXPECT_EQ(input_bytes(asked("a\nb", true), true), "\x1b[200~a\rb\x1b[201~\r");
  EXPECT_EQ(input_bytes(asked("a\nb", true, true), true), "\x1b[200~a\rb\x1b[201~");
}

}  // namespace
}  // namespace ptyd
