// Feeding outputs in tests.
#pragma once

#include <string_view>

#include "pty/text/scanner.hpp"

namespace ptyd::test {

/// Calls `take` with the tokens of `bytes`, which are whole.
template <class Take>
void feed_all(std::string_view bytes, Take take) {
  struct Sink final : TokenSink {
    explicit Sink(Take& given) : to(given) {}
    void on_token(const Token& token) override { to(token); }
    Take& to;
  };
  Sink sink(take);
  Scanner scanner;
  scanner.scan(bytes, sink);
}

}  // namespace ptyd::test
