#include "protocol/json/json_text.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

std::string base64(std::string_view bytes) {
  std::string out = "<";
  json_text::append_base64(out, bytes);
  return out;
}

TEST(JsonText, WritesBytesAsBase64WithPadding) {
  EXPECT_EQ(base64(""), "<");
  EXPECT_EQ(base64("f"), "<Zg==");
  EXPECT_EQ(base64("fo"), "<Zm8=");
  EXPECT_EQ(base64("foo"), "<Zm9v");
  EXPECT_EQ(base64("foobar"), "<Zm9vYmFy");
  EXPECT_EQ(base64(std::string_view("\xfb\xff\x00\xfe", 4)), "<+/8A/g==");
}

}  // namespace
}  // namespace ptyd
