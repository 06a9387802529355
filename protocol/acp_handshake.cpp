#include "protocol/acp_handshake.hpp"

#include <utility>

#include "protocol/acp_methods.hpp"
#include "protocol/json_text.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

constexpr int kVersion = 1;

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

std::string AcpHandshake::take(const jsonrpc::Response& response) {
  if (awaits_ == Awaits::nothing || response.id != id_) return {};
  const Awaits awaited = std::exchange(awaits_, Awaits::nothing);
  const json::object* result = response.result ? response.result->if_object() : nullptr;
  const json::value* value =
      result ? result->if_contains(awaited == Awaits::version ? "protocolVersion" : "sessionId") : nullptr;
  if (!value) return {};
  if (awaited == Awaits::version) return take_version(*value);
  take_session(*value);
  return {};
}

std::string AcpHandshake::take_version(const json::value& version) {
  int spoken = 0;
  const bool is_ours = !schema::Integer{kVersion, kVersion}.decode(version, spoken, schema::Nulls::refused);
  return is_ours ? ask(Awaits::session, "session/new", session_wish(cwd_)) : std::string();
}

void AcpHandshake::take_session(const json::value& session) {
  std::string name;
  if (!schema::kAgentSession.decode(session, name, schema::Nulls::refused)) session_ = std::move(name);
}

}  // namespace ptyd
