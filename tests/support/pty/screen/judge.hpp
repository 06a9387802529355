// Judge: what becomes of the questions in a program's output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/report/queries.hpp"
#include "pty/screen/screen.hpp"

namespace ptyd::test {

inline const ViewerTraits kTraits{0x102030, 0xFFFFFF, 0x0A0B0C, Size{8, 16}, "xterm.js(6.0.0)"};

/// Treats output as a session would: keep what is no question, collect answers and what goes to a clipboard.
class Judge final : public TokenSink {
 public:
  explicit Judge(const ViewerTraits& traits, const QueryOptions& options = {}) : traits_(traits), options_(options) {}

  void on_token(const Token& token) override {
    screen_.feed(token);
    const Query query = classify(token, screen_, traits_, options_);
    kinds.push_back(query.kind);
    answers += query.answer;
    if (query.kind == Query::Kind::none) kept.append(token.bytes);
    if (query.kind == Query::Kind::clipboard) copied += query.selections + ":" + query.base64 + ".";
  }
  std::vector<Query::Kind> kinds;
  std::string answers, kept, copied;

 private:
  ViewerTraits traits_;
  QueryOptions options_;
  Screen screen_{Screen::Options{.size = {80, 24}}};
};

inline Judge judge(std::string_view bytes, const ViewerTraits& traits = kTraits, const QueryOptions& options = {}) {
  Judge result(traits, options);
  Scanner().scan(bytes, result);
  return result;
}

}  // namespace ptyd::test
