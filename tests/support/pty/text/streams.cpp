#include "tests/support/pty/text/streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>

namespace ptyd::test {

void PrintTo(const Piece& piece, std::ostream* out) {
  *out << "kind " << static_cast<int>(piece.kind) << (piece.overlong ? " overlong" : "")
       << (piece.cancelled ? " cancelled " : " ") << piece.bytes.size() << " bytes "
       << ::testing::PrintToString(piece.bytes.substr(0, 80));
}

void Reader::feed(std::string_view bytes) {
  rest_.append(bytes);
  rest_.erase(0, scanner_.scan(rest_, *this));
  largest_rest_ = std::max(largest_rest_, rest_.size());
}

void Reader::on_token(const Token& token) {
  const bool continues = !pieces_.empty() && pieces_.back().kind == token.kind && !pieces_.back().cancelled &&
                         (token.kind == TokenKind::text || (token.overlong && pieces_.back().overlong &&
                                                            token.bytes.substr(0, 1) != token.head.substr(0, 1)));
  if (!continues) {
    pieces_.push_back({token.kind, std::string(token.bytes), token.overlong, token.cancelled});
    return;
  }
  pieces_.back().bytes.append(token.bytes);
  pieces_.back().cancelled = token.cancelled;
}

std::vector<Piece> scan_all(std::string_view bytes) {
  Reader reader;
  reader.feed(bytes);
  return reader.pieces();
}

std::string random_output(std::mt19937& random, std::size_t items) {
  static const std::array<std::string, 36> kItems = {"plain words",
                                                     "\r\n",
                                                     "\t",
                                                     "\a",
                                                     "\b",
                                                     "é",
                                                     "你好",
                                                     "😀",
                                                     "\xC2\xB7",
                                                     "\x1b[31m",
                                                     "\x1b",
                                                     "[",
                                                     "\x1b[1;",
                                                     "\x1b]0;t",
                                                     "\x1b\\",
                                                     "\x1bP$qm",
                                                     "\x1b_Ga=",
                                                     "\x1b[?1049h",
                                                     "\xC2\x9B"
                                                     "0m",
                                                     "\xC2\x9D"
                                                     "2;x",
                                                     "\xC2\x9C",
                                                     "\xC2",
                                                     "\x18",
                                                     "\x1a",
                                                     "\x05",
                                                     "\x7f",
                                                     "\x0e",
                                                     "\xE4\xBD",
                                                     "\xF0\x9F",
                                                     "\xFF",
                                                     "\x80",
                                                     "\x1b(0",
                                                     "\x1b#8",
                                                     "\x1b[\n3m",
                                                     "\x1b\x1b[m",
                                                     "\x1b]8;;http://x\x07"};
  std::string result;
  for (std::size_t i = 0; i < items; ++i) {
    const auto choice = random() % (kItems.size() + 4);
    if (choice < kItems.size()) {
      result += kItems[choice];
    } else if (choice == kItems.size()) {
      result += static_cast<char>(random());
    } else if (choice == kItems.size() + 1 && random() % 8 == 0) {
      result += std::string("\x1b]52;c;") + std::string(random() % (2 * Scanner::kMaxString), 'A');
    } else if (choice == kItems.size() + 2 && random() % 8 == 0) {
      result += "\x1b[" + std::string(random() % (2 * Scanner::kMaxSequence), '1');
    } else {
      result += std::string(random() % 40, 'z');
    }
  }
  return result;
}

std::string coloured_log(std::size_t bytes) {
  std::string result;
  for (unsigned line = 1; result.size() < bytes; ++line) {
    result += "\x1b[1;32m[" + std::to_string(line % 1000) +
              "/1000]\x1b[0m Building CXX object \x1b[36mpty/CMakeFiles/ptyd_pty.dir/file" + std::to_string(line) +
              ".cpp.o\x1b[0m with some flags that make the line longer\r\n";
    if (line % 7 == 0) {
      result +=
          "\x1b[1mfile.cpp:" + std::to_string(line) +
          ":12: \x1b[1;35mwarning: \x1b[0munused variable \xE2\x80\x98x\xE2\x80\x99 [\x1b[1;35m-Wunused\x1b[0m]\r\n";
    }
  }
  return result;
}

}  // namespace ptyd::test
