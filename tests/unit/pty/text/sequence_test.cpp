#include "pty/text/sequence.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace ptyd {
namespace {

Token token_of(TokenKind kind, std::string_view bytes) {
  Token token;
  token.kind = kind;
  token.bytes = bytes;
  return token;
}

std::optional<Escape> escape_of(std::string_view bytes) {
  return parse_escape(token_of(TokenKind::escape, bytes));
}

TEST(Sequence, AnEscapeIsItsIntermediateAndItsFinalByte) {
  EXPECT_EQ(escape_of("\x1b\x63"), (Escape{0, 'c'}));
  EXPECT_EQ(escape_of("\x1b(0"), (Escape{'(', '0'}));
  EXPECT_EQ(escape_of("\x1b\n\x7f\x63"), (Escape{0, 'c'})) << "controls are passed over";
  EXPECT_EQ(escape_of("\x1b(\n0"), (Escape{'(', '0'}));
  EXPECT_EQ(escape_of("\x1b(%0"), std::nullopt) << "nobody has a meaning for two intermediates";
}

TEST(Sequence, WhatIsNoWholeEscapeIsNone) {
  Token token = token_of(TokenKind::escape, "\x1b(\x18");
  token.cancelled = true;
  EXPECT_EQ(parse_escape(token), std::nullopt);
  token.cancelled = false;
  token.overlong = true;
  EXPECT_EQ(parse_escape(token), std::nullopt);
  EXPECT_EQ(parse_escape(token_of(TokenKind::csi, "\x1b[m")), std::nullopt);
}

TEST(Sequence, ControlsBetweenEscAndItsLetterBelongToTheIntroducer) {
  for (const char* bytes : {"\x1b[31m", "\x1b\n[31m", "\x1b\x7f[31m"}) {
    const auto csi = parse_csi(token_of(TokenKind::csi, bytes));
    ASSERT_TRUE(csi);
    EXPECT_EQ(csi->param(0, 0), 31);
  }
  EXPECT_EQ(string_payload(token_of(TokenKind::osc, "\x1b\x7f]0;t\a")), "0;t");
}

TEST(Sequence, AnOscThatTheNextSequenceEndedHasNoTerminator) {
  const Token token = token_of(TokenKind::osc, "\x1b]0;t");
  EXPECT_EQ(string_payload(token), "0;t");
  EXPECT_EQ(string_terminator(token), "");
  EXPECT_EQ(string_payload(token_of(TokenKind::osc, "\x1b]")), "");
}

}  // namespace
}  // namespace ptyd
