// Output of programs: the tokens put together are the stream, and do not depend on how it was cut into reads.
#include "pty/text/scanner.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/report/queries.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"
#include "tests/fuzz/check.hpp"

namespace {

/// Remembers what it was given, and shows it to whoever looks at tokens in the server.
class Remember final : public ptyd::TokenSink {
 public:
  void on_token(const ptyd::Token& token) override {
    stream += token.bytes;
    if (token.kind != ptyd::TokenKind::text && !token.overlong) sequences.emplace_back(token.bytes);
    screen.feed(token);
    const ptyd::Query query = ptyd::classify(token, screen, {}, {.answer_checksums = true});
    PTYD_CLAIM(query.answer.size() <= ptyd::Query::kMaxAnswer);
    PTYD_CLAIM(query.base64.size() / 4 * 3 <= ptyd::Query::kMaxClipboard);
  }

  std::string stream;
  std::vector<std::string> sequences;
  ptyd::Screen screen{ptyd::Screen::Options{.size = {20, 6}}};
};

/// As a session does it: what is undecided is given again before what comes next.
void feed(std::string_view bytes, std::size_t piece, Remember& sink) {
  ptyd::Scanner scanner;
  std::string waiting;
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, piece);
    bytes.remove_prefix(part.size());
    waiting += part;
    waiting.erase(0, scanner.scan(waiting, sink));
    PTYD_CLAIM(waiting.size() <= ptyd::Scanner::kMaxString + 4);
  }
  sink.stream += waiting;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] + 1U;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Remember whole, cut;
  feed(bytes, std::max<std::size_t>(bytes.size(), 1), whole);
  feed(bytes, piece, cut);
  PTYD_CLAIM(whole.stream == bytes);
  PTYD_CLAIM(cut.stream == bytes);
  PTYD_CLAIM(whole.sequences == cut.sequences);
  PTYD_CLAIM(ptyd::mode_preamble(whole.screen) == ptyd::mode_preamble(cut.screen));
  PTYD_CLAIM(whole.screen.modes().title() == cut.screen.modes().title());
  PTYD_CLAIM(ptyd::utf8::valid(whole.screen.modes().title()));
  return 0;
}
