#include "server/net/log_text.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(LogText, Security38CannotForgeALine) {
  EXPECT_EQ(log_text("/plain path?"), "/plain path?");
  EXPECT_EQ(log_text("a\nb\r\x1b[2J\t\x7f"), "a\\x0ab\\x0d\\x1b[2J\\x09\\x7f");
  EXPECT_EQ(log_text("back\\x0aslash"), "back\\x5cx0aslash") << "what is escaped and what was written so differ";
  EXPECT_EQ(log_text("\xc2\x9b"), "\\xc2\\x9b") << "a C1 control in UTF-8";
  EXPECT_EQ(log_text("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "right to left";
}

TEST(LogText, IsCut) {
  EXPECT_EQ(log_text("abc", 3), "abc");
  EXPECT_EQ(log_text("abcd", 3), "abc...");
}

TEST(LogText, FramesAreNamedWithoutTheirContent) {
  EXPECT_EQ(frame_kind(R"({"id":"1","body":{"_tag":"terminal.write","threadId":"t1","data":"secret"}})"),
            "terminal.write t1");
  EXPECT_EQ(
      frame_kind(R"({"type":"push","sequence":1,"channel":"terminal.event","data":{"type":"output","threadId":"t"}})"),
      "terminal.event push t");
  EXPECT_EQ(frame_kind(R"({"jsonrpc":"2.0","id":1,"method":"terminal/create","params":{"command":"secret"}})"),
            "terminal/create");
  EXPECT_EQ(frame_kind(R"({"_tag":"has \"quotes\""})"), "-");
  EXPECT_EQ(frame_kind("\x1b[31m"), "-");
  EXPECT_EQ(frame_kind(""), "-");
}

}  // namespace
}  // namespace ptyd
