// Markers of ours, and text that only looks like one.
#include "pty/shell/shell_marker.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ptyd {
namespace {

using Kind = ShellMarker::Kind;

const std::string kNonce(kNonceDigits, 'a');
const std::string kToken(kTokenDigits, '7');

Token osc(std::string_view bytes) {
  return {TokenKind::osc, bytes, false, false, false, {}};
}
std::string marker(const std::string& fields, const std::string& end = "\a") {
  return "\x1b]6973;" + kNonce + ";" + fields + end;
}
std::optional<ShellMarker> parsed(const std::string& fields, const std::string& end = "\a") {
  const auto bytes = marker(fields, end);
  return parse_shell_marker(osc(bytes));
}

TEST(ShellMarker, IsReadAsItIsWritten) {
  const auto prompt = parsed("P;130;/home/a%20b");
  ASSERT_TRUE(prompt);
  EXPECT_EQ(prompt->kind, Kind::prompt);
  EXPECT_EQ(prompt->nonce, kNonce);
  EXPECT_EQ(prompt->status, 130);
  EXPECT_EQ(prompt->cwd, "/home/a b");
  const auto begun = parsed("B;" + kToken + ";3");
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->kind, Kind::begun);
  EXPECT_EQ(begun->token, kToken);
  EXPECT_EQ(begun->status, 3);
  const auto ended = parsed("E;" + kToken + ";255;/%0A%1B%3B%25%FF");
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->kind, Kind::ended);
  EXPECT_EQ(ended->status, 255);
  EXPECT_EQ(ended->cwd, "/\n\x1b;%\xff");
}

TEST(ShellMarker, MayEndWithBelOrSt) {
  for (const auto* end : {"\a", "\x1b\\", "\xc2\x9c"}) EXPECT_TRUE(parsed("P;0;/", end)) << end;
}

TEST(ShellMarker, WhatIsNotExactlyAsOurShellsWriteItIsNone) {
  for (const auto& fields : std::vector<std::string>{"",
                                                     "X;0;/",
                                                     "p;0;/",
                                                     "P",
                                                     "P;0",
                                                     "P;0;/;",
                                                     "P;;/",
                                                     "P;-1;/",
                                                     "P;00;/",
                                                     "P;256;/",
                                                     "P;1000;/",
                                                     "P;x;/",
                                                     "P;0;%",
                                                     "P;0;%4",
                                                     "P;0;%4G",
                                                     "P;0;%4a",
                                                     "P;0;%00",
                                                     "P;0;a b",
                                                     "P;0;a\tb",
                                                     "P;0;\xc3\xa9",
                                                     "B",
                                                     "B;" + kToken,
                                                     "B;" + kToken + ";0;",
                                                     "B;;0",
                                                     "B;" + kToken.substr(1) + ";0",
                                                     "B;" + kToken + "0;0",
                                                     "B;" + std::string(kTokenDigits, 'A') + ";0",
                                                     "E;" + kToken + ";0",
                                                     "E;" + kToken + ";0;/;"})
    EXPECT_FALSE(parsed(fields)) << fields;
}

TEST(ShellMarker, ItsNonceHasItsDigits) {
  for (const auto& nonce : {std::string(), kNonce.substr(1), kNonce + "a", std::string(kNonceDigits, 'A')}) {
    const auto bytes = "\x1b]6973;" + nonce + ";P;0;/\a";
    EXPECT_FALSE(parse_shell_marker(osc(bytes))) << nonce;
    EXPECT_TRUE(is_shell_marker(osc(bytes))) << nonce;
  }
}

TEST(ShellMarker, WhatIsCutOrHasNoEndIsOursButIsNone) {
  const auto bytes = marker("P;0;/", "");
  Token open = osc(bytes), cancelled = osc(bytes);
  open.open = true;
  cancelled.cancelled = true;
  for (const Token& token : {open, cancelled}) {
    EXPECT_TRUE(is_shell_marker(token));
    EXPECT_FALSE(parse_shell_marker(token));
  }
}

TEST(ShellMarker, HasItsNumberHoweverThatIsWritten) {
  for (const auto& bytes : std::vector<std::string>{"\x1b]6973\a", "\x1b]6973;\a", "\x1b]06973;x\a",
                                                    "\xc2\x9d"
                                                    "6973;x\a",
                                                    "\x1b]6\x01"
                                                    "973;x\a"})
    EXPECT_TRUE(is_shell_marker(osc(bytes))) << bytes;
  for (const auto& bytes :
       std::vector<std::string>{"\x1b]697\a", "\x1b]69731;\a", "\x1b]133;6973\a", "\x1b]\a", "\x1b]x6973;\a"})
    EXPECT_FALSE(is_shell_marker(osc(bytes))) << bytes;
  EXPECT_FALSE(is_shell_marker({TokenKind::dcs, "\x1bP6973;x\x1b\\", false, false, false, {}}));
  EXPECT_FALSE(is_shell_marker({TokenKind::text, "6973;", false, false, false, {}}));
}

/// A stream as the Scanner reads it: the rest of it, and markers.
class Sorted final : public TokenSink {
 public:
  void feed(std::string_view bytes) {
    waiting_ += bytes;
    waiting_.erase(0, scanner_.scan(waiting_, *this));
  }
  std::string rest;
  std::vector<ShellMarker> markers;
  std::size_t cut = 0;

 private:
  void on_token(const Token& token) override {
    if (!is_shell_marker(token)) {
      rest += token.bytes;
      return;
    }
    cut += token.bytes.size();
    if (auto found = parse_shell_marker(token)) markers.push_back(*found);
  }
  Scanner scanner_;
  std::string waiting_;
};

TEST(ShellMarker, IsFoundHoweverItIsSplit) {
  const auto stream = "before" + marker("B;" + kToken + ";0") + "a\x1b[1mb" + marker("E;" + kToken + ";7;/x") + "after";
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    Sorted sorted;
    sorted.feed(stream.substr(0, at));
    sorted.feed(stream.substr(at));
    EXPECT_EQ(sorted.rest, "beforea\x1b[1mbafter") << at;
    ASSERT_EQ(sorted.markers.size(), 2u) << at;
    EXPECT_EQ(sorted.markers[1].status, 7) << at;
  }
  Sorted byte_by_byte;
  for (const char byte : stream) byte_by_byte.feed(std::string_view(&byte, 1));
  EXPECT_EQ(byte_by_byte.markers.size(), 2u);
}

TEST(ShellMarker, EachPieceOfOneThatIsTooLongForTheScannerIsOurs) {
  const auto bytes = marker("P;0;/" + std::string(3 * Scanner::kMaxString, 'x'));
  Sorted sorted;
  for (std::size_t at = 0; at < bytes.size(); at += 1000) sorted.feed(std::string_view(bytes).substr(at, 1000));
  EXPECT_EQ(sorted.cut, bytes.size());
  EXPECT_TRUE(sorted.markers.empty());
}

TEST(ShellMarker, HasRoomForTheLongestDirectory) {
  std::string path;
  for (int i = 0; i < 4096; ++i) path += "%FF";
  Sorted sorted;
  sorted.feed(marker("P;0;" + path));
  ASSERT_EQ(sorted.markers.size(), 1u);
  EXPECT_EQ(sorted.markers[0].cwd, std::string(4096, '\xff'));
}

}  // namespace
}  // namespace ptyd
