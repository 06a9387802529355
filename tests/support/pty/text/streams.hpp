// Streams: terminal output made up at random or by recipe, and what the Scanner makes of it.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "pty/text/scanner.hpp"

namespace ptyd::test {

/// A token with its own copy of the bytes.
struct Piece {
  TokenKind kind = TokenKind::text;
  std::string bytes;
  bool overlong = false;
  bool cancelled = false;
  bool operator==(const Piece&) const = default;
};
void PrintTo(const Piece& piece, std::ostream* out);

/// Scans a stream that arrives in the given pieces, keeping the undecided rest as a session does. Text and overlong
/// pieces that belong together are joined, so that equal streams give equal lists.
class Reader final : private TokenSink {
 public:
  void feed(std::string_view bytes);
  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::string& rest() const { return rest_; }
  const Scanner& scanner() const { return scanner_; }
  std::size_t largest_rest() const { return largest_rest_; }

 private:
  void on_token(const Token& token) override;

  Scanner scanner_;
  std::string rest_;
  std::vector<Piece> pieces_;
  std::size_t largest_rest_ = 0;
};

/// Everything that stands in `bytes`, in one feed.
std::vector<Piece> scan_all(std::string_view bytes);

/// Random output that favours what is difficult: cut characters, broken sequences, C1, long strings.
std::string random_output(std::mt19937& random, std::size_t items);

/// Coloured lines as a build tool prints them, about `bytes` of them.
std::string coloured_log(std::size_t bytes);

}  // namespace ptyd::test
