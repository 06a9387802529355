// The table of tests/screens/cases on both emulators, however the bytes arrive.
#include <gtest/gtest.h>

#include "pty/screen/report/queries.hpp"
#include "tests/support/pty/screen/screen_cases.hpp"
#include "tests/support/pty/text/literals.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

using test::ScreenCase;

/// A Screen, the Scanner before it, and what a program is told.
class Terminal final : private TokenSink {
 public:
  Terminal(const ScreenCase& each, EmulatorKind emulator)
      : screen({.size = each.size, .scrollback = 100, .emulator = emulator}) {}

  void feed(std::string_view bytes) {
    rest_ += bytes;
    rest_.erase(0, scanner_.scan(rest_, *this));
  }

  Screen screen;
  std::string reply;

 private:
  void on_token(const Token& token) override {
    const auto query = classify(token, screen, viewer_);
    if (query.kind == Query::Kind::answered) reply += query.answer;
    screen.feed(token);
  }

  Scanner scanner_;
  std::string rest_;
  const ViewerTraits viewer_{{}, {}, {}, Size{8, 16}, "xterm.js(6.0.0)"};
};

std::string told(const std::vector<std::string>& facts) {
  std::string text;
  for (const auto& fact : facts) text += test::escaped(fact) + "\n";
  return text;
}

/// Feeds the pieces, one after the other, and compares; `how` is for the
/// message.
void expect_case(const ScreenCase& each, EmulatorKind emulator, const std::vector<std::string_view>& pieces,
                 const std::string& how) {
  Terminal terminal(each, emulator);
  for (const auto piece : pieces) terminal.feed(piece);
  EXPECT_EQ(told(test::wanted_facts(each)), told(test::facts_of(each, terminal.screen, terminal.reply)))
      << each.name << ", " << how << "\nin " << test::escaped(each.input);
}

class ScreenCases : public testing::TestWithParam<std::tuple<std::string, EmulatorKind>> {
 protected:
  std::vector<ScreenCase> cases() const {
    return test::read_screen_cases(test::source_dir() + "/tests/screens/cases/" + std::get<0>(GetParam()) + ".txt");
  }
  EmulatorKind emulator() const { return std::get<1>(GetParam()); }
};

TEST_P(ScreenCases, ComeOutWhenFedWhole) {
  ASSERT_FALSE(cases().empty());
  for (const auto& each : cases()) expect_case(each, emulator(), {each.input}, "whole");
}

TEST_P(ScreenCases, ComeOutWhenFedByteByByte) {
  for (const auto& each : cases()) {
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < each.input.size(); ++at) bytes.push_back(std::string_view(each.input).substr(at, 1));
    expect_case(each, emulator(), bytes, "byte by byte");
  }
}

TEST_P(ScreenCases, ComeOutWhereverTheyAreCut) {
  for (const auto& each : cases()) {
    const std::string_view input = each.input;
    for (std::size_t at = 1; at < input.size() && !HasFailure(); ++at) {
      expect_case(each, emulator(), {input.substr(0, at), input.substr(at)}, "cut at " + std::to_string(at));
    }
  }
}

std::string name_of(const testing::TestParamInfo<ScreenCases::ParamType>& info) {
  return std::get<0>(info.param) + (std::get<1>(info.param) == EmulatorKind::native ? "_native" : "_vterm");
}

INSTANTIATE_TEST_SUITE_P(Table, ScreenCases,
                         testing::Combine(testing::Values("text", "caret", "erase", "edit", "margins", "columns",
                                                          "state", "tabs", "charsets", "sgr", "unicode", "queries",
                                                          "broken", "line_sizes"),
                                          testing::Values(EmulatorKind::native, EmulatorKind::vterm)),
                         name_of);

}  // namespace
}  // namespace ptyd
