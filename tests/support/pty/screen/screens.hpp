// Screens: fed with bytes, drawn as text, compared place by place.
#pragma once

#include <string>
#include <string_view>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd::test {

/// A Screen with the Scanner before it, as a session has them.
class FedScreen final : private TokenSink {
 public:
  explicit FedScreen(const Screen::Options& options) : screen(options) {}
  /// Undecided bytes wait for what comes next.
  void feed(std::string_view bytes);

  Screen screen;

 private:
  void on_token(const Token& token) override { screen.feed(token); }

  Scanner scanner_;
  std::string rest_;
};

/// The active buffer as text with a frame, caret and margins below it.
std::string draw(const Screen& screen);

struct Comparison {
  bool scrollback = true;
  bool state = true;  ///< TerminalState
  bool modes = true;
  bool hidden_alternate = true;  ///< the rows of the alternate buffer while the primary is shown
};
/// "" when both show the same, else what differs first, by name. Cells are compared as they look: pens, links and
/// clusters by value, blanks by their background.
std::string difference(const Screen& left, const Screen& right, const Comparison& what = {});

}  // namespace ptyd::test
