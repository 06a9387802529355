#include <algorithm>
#include <array>

#include "protocol/dialect.hpp"
#include "protocol/frame.hpp"

namespace ptyd {

namespace {

/// Values of `_tag` in what an Effect RPC client sends, as they stand in a frame.
constexpr std::array<std::string_view, 5> kEffectTags = {R"("Request")", R"("Ack")", R"("Interrupt")", R"("Ping")",
                                                         R"("Eof")"};

/// An array of frames is told by its first.
std::string_view first_frame(std::string_view frame) {
  const std::size_t start = frame.find_first_not_of(" \t\r\n");
  if (start != frame.npos && frame[start] == '[') frame.remove_prefix(start + 1);
  return frame;
}

}  // namespace

Language recognise(std::string_view frame) {
  for (Members members(first_frame(frame)); members.next();) {
    if (members.key() == "body") return Language::envelope;
    if (members.key() != "_tag") continue;
    const bool known = std::find(kEffectTags.begin(), kEffectTags.end(), members.value()) != kEffectTags.end();
    return known ? Language::effect_rpc : Language::envelope;
  }
  return Language::envelope;
}

}  // namespace ptyd
