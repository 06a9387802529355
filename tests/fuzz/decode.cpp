// Frames of clients, in all languages: whatever they hold, the answers are JSON, and every call can be answered.
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "protocol/language/languages.hpp"
#include "protocol/mcp/mcp.hpp"
#include "tests/fuzz/check.hpp"

namespace {

void claim_json(std::string_view frame) {
  boost::system::error_code error;
  boost::json::parse(frame, error);
  PTYD_CLAIM(!error);
}

const ptyd::Result<ptyd::Reply>& done() {
  static const ptyd::Result<ptyd::Reply> reply(boost::system::in_place_value, ptyd::Done{});
  return reply;
}

void claim_answers(ptyd::Dialect& dialect, std::string_view frame) {
  const auto decoded = dialect.decode(frame);
  for (const auto& answer : decoded.frames) claim_json(answer);
  for (const auto& call : decoded.calls) {
    if (const auto reply = dialect.encode_reply(call.token, done())) claim_json(*reply);
  }
}

void claim_errors(ptyd::Dialect& dialect, std::string_view frame) {
  for (const auto& call : dialect.decode(frame).calls) {
    const ptyd::Error error(ptyd::Errc::not_found, "Unknown terminal thread: \"x\"\n\x1b");
    if (const auto reply = dialect.encode_reply(call.token, error)) claim_json(*reply);
  }
}

void claim_mcp(std::string_view body) {
  const auto meaning = ptyd::mcp::read({"application/json", "", "", "session"}, body);
  if (const auto* answer = std::get_if<ptyd::mcp::Answer>(&meaning.outcome); answer && !answer->body.empty())
    claim_json(answer->body);
  if (const auto* handshake = std::get_if<ptyd::mcp::Handshake>(&meaning.outcome)) claim_json(handshake->body);
  const auto* call = std::get_if<ptyd::mcp::Call>(&meaning.outcome);
  if (call) claim_json(ptyd::mcp::result_frame(*call, ptyd::Error(ptyd::Errc::not_found, "no \"x\"\n\x1b")));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view frame(reinterpret_cast<const char*>(data), size);
  claim_mcp(frame);
  ptyd::recognise(ptyd::spoken_at(ptyd::languages(), "/ws", {}), frame);
  for (const auto& language : ptyd::languages()) {
    const auto make = [&language] {
      auto made = language.make({"/", "/", "root", [](std::string_view) { return "name"; },
                                 [](std::string_view, std::string_view name) { return name == "name"; }});
      const std::string welcome = made->welcome();  // so that an answer to it is one
      if (!welcome.empty()) claim_json(welcome);
      return made;
    };
    claim_answers(*make(), frame);
    const auto dialect = make();
    claim_errors(*dialect, frame);
    claim_answers(*dialect, frame);  // a second frame meets the state the first one left
    for (const auto& wrap : dialect->wrap_event()) claim_json(wrap.head + "{}" + wrap.tail);
  }
  return 0;
}
