#include "protocol/language/languages.hpp"

#include <algorithm>
#include <array>

#include "protocol/language/frame.hpp"

namespace ptyd {

// Makers of languages, each defined in the file of its language.
std::unique_ptr<Dialect> make_envelope(const WelcomeFacts& facts);
std::unique_ptr<Dialect> make_effect_rpc(const WelcomeFacts& facts);
std::unique_ptr<Dialect> make_acp(const WelcomeFacts& facts);

namespace {

/// `/` since the reference never looked at the path.
constexpr std::array<std::string_view, 2> kTerminalPlaces{"/ws", "/"};

/// Values of `_tag` in what an Effect RPC client sends, as they stand in a frame.
constexpr std::array<std::string_view, 5> kEffectTags = {R"("Request")", R"("Ack")", R"("Interrupt")", R"("Ping")",
                                                         R"("Eof")"};

/// `frame`, or the first frame of an array of frames.
std::string_view first_frame(std::string_view frame) {
  const std::string_view text = without_space(frame);
  return text.starts_with('[') ? text.substr(1) : frame;
}

constexpr std::array<std::string_view, 1> kAgentPlaces{"/acp"};

/// `jsonrpc` at the top, and no `body` before it. An array of such frames counts as well, though JSON-RPC here refuses
/// arrays.
bool is_json_rpc(std::string_view frame) {
  for (Members members(first_frame(frame)); members.next() && members.key() != "body";)
    if (members.key() == "jsonrpc") return true;
  return false;
}

/// `_tag` of Effect's frames at the top, and no `body` before it.
bool is_effect_rpc(std::string_view frame) {
  for (Members members(first_frame(frame)); members.next();) {
    if (members.key() == "body") return false;
    if (members.key() == "_tag")
      return std::find(kEffectTags.begin(), kEffectTags.end(), members.value()) != kEffectTags.end();
  }
  return false;
}

std::unique_ptr<Dialect> make_acp_delegate(const WelcomeFacts& facts) {
  auto of_delegate = facts;
  of_delegate.delegate = true;
  return make_acp(of_delegate);
}

constexpr std::array kLanguages{
    Language{"envelope", kTerminalPlaces, "", nullptr, AckKind::pong, false, false, make_envelope},
    Language{"effect rpc", kTerminalPlaces, "", is_effect_rpc, AckKind::confirmation, false, false, make_effect_rpc},
    // An agent dials in at /acp, or with the subprotocol `acp`, and is greeted. At /ws its client is only answered.
    Language{"acp", kAgentPlaces, "acp", nullptr, AckKind::pong, true, true, make_acp, true},
    Language{"acp delegate", kTerminalPlaces, "", is_json_rpc, AckKind::pong, true, false, make_acp_delegate},
};

bool is_in(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::span<const Language> languages() {
  return kLanguages;
}

Spoken spoken_at(std::span<const Language> languages, std::string_view place,
                 std::span<const std::string_view> subprotocols) {
  Spoken spoken;
  const Language* wanted = nullptr;
  for (const auto& language : languages) {
    if (is_in(language.places, place)) spoken.push_back(&language);
    if (!wanted && !language.subprotocol.empty() && is_in(subprotocols, language.subprotocol)) wanted = &language;
  }
  return wanted && !spoken.empty() ? Spoken{wanted} : spoken;
}

const Language& recognise(const Spoken& spoken, std::string_view frame) {
  for (const auto* language : spoken)
    if (language->recognises && language->recognises(frame)) return *language;
  return *spoken.front();
}

}  // namespace ptyd
