#include "protocol/acp_handshake.hpp"

#include <utility>

#include "protocol/acp_methods.hpp"
#include "protocol/json_text.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

constexpr int kVersion = 1;
constexpr std::string_view kOtherVersion =
    "initialize was not answered with protocolVersion 1, the only one known here";

/// `terminal` stands for all five methods.
std::string introduction() {
  std::string out = R"({"protocolVersion":)";
  json_text::append_integer(out, kVersion);
  out += R"(,"clientCapabilities":{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":true,)";
  out.append(R"("_meta":{"ptyd":)").append(acp_extension());
  return out += R"(}},"clientInfo":{"name":"ptyd","version":")" PTYD_VERSION R"("}})";
}

std::string session_wish(std::string_view cwd) {
  std::string out = R"({"cwd":)";
  json_text::append_string(out, cwd);
  return out += R"(,"mcpServers":[]})";
}

}  // namespace

std::string AcpHandshake::begin() {
  return ask(Awaits::version, "initialize", introduction());
}

std::string AcpHandshake::ask(Awaits answer, std::string_view method, std::string_view params) {
  awaits_ = answer;
  id_ = std::to_string(asked_++);
  return jsonrpc::request_frame(id_, method, params);
}

AcpHandshake::Step AcpHandshake::take(const jsonrpc::Response& response) {
  if (awaits_ == Awaits::nothing || response.id != id_) return {};
  const Awaits awaited = std::exchange(awaits_, Awaits::nothing);
  const json::object* result = response.result ? response.result->if_object() : nullptr;
  const auto member = [result](std::string_view name) { return result ? result->if_contains(name) : nullptr; };
  if (awaited == Awaits::version) return take_version(member("protocolVersion"));
  take_session(member("sessionId"));
  return {};
}

AcpHandshake::Step AcpHandshake::take_version(const json::value* version) {
  int spoken = 0;
  const bool is_ours = version && !schema::Integer{kVersion, kVersion}.decode(*version, spoken, schema::Nulls::refused);
  if (!is_ours) return {{}, kOtherVersion};
  return {ask(Awaits::session, "session/new", session_wish(cwd_))};
}

void AcpHandshake::take_session(const json::value* session) {
  std::string name;
  if (session && !schema::kAgentSession.decode(*session, name, schema::Nulls::refused)) session_ = std::move(name);
}

}  // namespace ptyd
