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

TEST(TypedText, KeysAreNamedAsAWhole) {
  EXPECT_EQ(key_bytes("C-a"), "\x01");
  EXPECT_EQ(key_bytes("C-c"), "\x03");
  EXPECT_EQ(key_bytes("C-z"), "\x1a");
  EXPECT_EQ(key_bytes("Enter"), "\r");
  EXPECT_EQ(key_bytes("Escape"), "\x1b");
  for (const auto* none :
       {"", "C-", "C-hello", "C-1", "C-{", "C-`", " C-c", "C-c ", "enter", "Enter Enter", "^c", "S-foo"})
    EXPECT_FALSE(key_bytes(none)) << none;
}

TEST(TypedText, SomeKeysAreSignals) {
  EXPECT_TRUE(is_signal("\x03"));
  EXPECT_TRUE(is_signal("\x1a"));
  for (const auto* none : {"", "\x04", "\r", "a", "\x03\x03"}) EXPECT_FALSE(is_signal(none)) << none;
}

TEST(TypedText, ABlankCommandOnlyWaits) {
  for (const auto* blank : {"", " ", "\n", " \t\r\n"}) EXPECT_TRUE(is_poll(asked(blank))) << blank;
  EXPECT_FALSE(is_poll(asked("a")));
  EXPECT_TRUE(is_poll(asked("", true)));
  EXPECT_FALSE(is_poll(asked(" ", true)));
}

TEST(TypedText, InputEndsWithEnterUnlessItShallNot) {
  EXPECT_EQ(input_bytes(asked("a", true)), "a\r");
  EXPECT_EQ(input_bytes(asked("a\nb", true)), "a\rb\r");
  EXPECT_EQ(input_bytes(asked("a", true, true)), "a");
}

}  // namespace
}  // namespace ptyd
