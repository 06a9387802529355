#include "protocol/acp/acp_handshake.hpp"

#include <utility>

#include "protocol/acp/acp_methods.hpp"
#include "protocol/json/json_text.hpp"
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

/// Parameters of session/load, or without a `session` those of session/new.
std::string session_wish(std::string_view cwd, const std::string* session = nullptr) {
  std::string out = R"({"cwd":)";
  json_text::append_string(out, cwd);
  out += R"(,"mcpServers":[])";
  if (session) json_text::append_string(out += R"(,"sessionId":)", *session);
  return out += '}';
}

/// Absent, or of another type, a capability is one that the agent does not have.
bool can_load(const json::object& result) {
  const json::value* all = result.if_contains("agentCapabilities");
  const json::object* capabilities = all ? all->if_object() : nullptr;
  const json::value* loads = capabilities ? capabilities->if_contains("loadSession") : nullptr;
  return loads && loads->is_bool() && loads->get_bool();
}

}  // namespace

std::string AcpHandshake::begin() {
  return ask(Awaits::version, "initialize", introduction());
}

std::optional<std::string_view> AcpHandshake::loading() const {
  if (awaits_ != Awaits::loaded) return std::nullopt;
  return offers_.back();
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
  if (awaited == Awaits::version) return take_version(result);
  if (awaited == Awaits::session) {
    take_session(result ? result->if_contains("sessionId") : nullptr);
    return {};
  }
  const std::string offered = std::exchange(offers_.back(), {});
  offers_.pop_back();
  if (!response.result) return {ask_for_session()};
  session_ = offered;
  return {};
}

AcpHandshake::Step AcpHandshake::take_version(const json::object* result) {
  const json::value* version = result ? result->if_contains("protocolVersion") : nullptr;
  int spoken = 0;
  const bool is_ours = version && !schema::Integer{kVersion, kVersion}.decode(*version, spoken, schema::Nulls::refused);
  if (!is_ours) return {{}, kOtherVersion};
  if (can_load(*result)) return {{}, {}, true};
  return {ask_for_session()};
}

std::string AcpHandshake::offer(std::vector<std::string> sessions) {
  offers_.assign(sessions.rbegin(), sessions.rend());
  return ask_for_session();
}

std::string AcpHandshake::ask_for_session() {
  if (offers_.empty()) return ask(Awaits::session, "session/new", session_wish(cwd_));
  return ask(Awaits::loaded, "session/load", session_wish(cwd_, &offers_.back()));
}

void AcpHandshake::take_session(const json::value* session) {
  std::string name;
  if (session && !schema::kAgentSession.decode(*session, name, schema::Nulls::refused)) session_ = std::move(name);
}

}  // namespace ptyd
