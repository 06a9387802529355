#include "protocol/mcp/mcp.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "protocol/errors.hpp"
#include "protocol/json/issue.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/language/frame.hpp"
#include "protocol/language/jsonrpc.hpp"
#include "protocol/mcp/mcp_tools.hpp"

namespace ptyd::mcp {

namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> kVersions = {"2025-11-25", "2025-06-18", "2025-03-26"};  // newest first
constexpr int kInvalidParams = -32602;
// Error numbers of the SDK's servers: for a POST that is refused before its message is read, and for a session that
// does not exist.
constexpr int kBadPost = -32000, kNoSession = -32001;
constexpr std::string_view kServer = R"({"name":"ptyd","title":"ptyd","version":")" PTYD_VERSION R"("})";
constexpr std::string_view kInstructions =
    "Persistent terminals on this machine, which people can watch and type into. Run commands with terminal_execute: "
    "a terminal keeps its directory, variables and jobs from call to call, and outlives this session. A terminal is "
    "known by its name, terminal_id; terminal_list shows which there are.";

const json::object kNothing;

Answer refuse(unsigned status, std::string_view id, int code, std::string_view sentence) {
  return {status, jsonrpc::error_frame(id, code, sentence)};
}

bool is_version(std::string_view version) {
  return std::find(kVersions.begin(), kVersions.end(), version) != kVersions.end();
}

std::string versions_text() {
  std::string out;
  for (const auto version : kVersions) out.append(out.empty() ? "" : ", ").append(version);
  return out;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool takes_json(const std::string& accept) {
  const auto holds = [&accept](std::string_view type) { return accept.find(type) != accept.npos; };
  return accept.empty() || holds("application/json") || holds("application/*") || holds("*/*");
}

std::optional<Answer> refuse_post(const Headers& headers) {
  const auto type = lower(headers.content_type.substr(0, headers.content_type.find_first_of("; ")));
  if (type != "application/json")
    return refuse(415, jsonrpc::kNoId, kBadPost, "Content-Type: has to be application/json");
  if (!takes_json(lower(headers.accept)))
    return refuse(406, jsonrpc::kNoId, kBadPost, "Accept: has to name application/json");
  return std::nullopt;
}

std::string handshake_result(std::string_view version) {
  std::string out = R"({"protocolVersion":)";
  json_text::append_string(out, is_version(version) ? version : kVersions.front());
  out.append(R"(,"capabilities":{"tools":{"listChanged":false}},"serverInfo":)").append(kServer);
  out += R"(,"instructions":)";
  json_text::append_string(out, kInstructions);
  return out += '}';
}

std::string result_of(const ToolOutput& output) {
  std::string out = R"({"content":[{"type":"text","text":)";
  json_text::append_string(out, output.text);
  out += "}]";
  if (!output.value.empty()) out.append(R"(,"structuredContent":)").append(output.value);
  if (output.is_error) out += R"(,"isError":true)";
  return out += '}';
}

std::string frame_of(const Call& call, const Result<Reply>& reply) {
  return jsonrpc::result_frame(call.id, result_of(tool_output(call.command, reply)));
}

/// Gives the meaning of one message, whose Document must live as long.
class Reader {
 public:
  explicit Reader(const Headers& headers) : headers_(headers) {}

  Meaning on(const jsonrpc::Broken& broken) const {
    return at_once(refuse(400, broken.id, broken.code, broken.sentence));
  }
  /// The server sends no requests, so no response answers one.
  Meaning on(const jsonrpc::Response&) const { return in_session(jsonrpc::kNoId, Answer{202, ""}); }
  Meaning on(const jsonrpc::Notification&) const { return in_session(jsonrpc::kNoId, Answer{202, ""}); }
  Meaning on(const jsonrpc::Request& asked) const;

 private:
  static Meaning at_once(Meaning::Outcome outcome) { return {false, std::string(jsonrpc::kNoId), std::move(outcome)}; }
  Meaning in_session(std::string_view id, Meaning::Outcome outcome) const;
  Meaning begin(const jsonrpc::Request& asked, const json::object& params) const;
  Meaning::Outcome serve(const jsonrpc::Request& asked, const json::object& params) const;
  Meaning::Outcome call(const jsonrpc::Request& asked, const json::object& params) const;

  const Headers& headers_;
};

Answer bad_params(std::string_view id, Issue issue) {
  return refuse(200, id, kInvalidParams, issue.inside("params").words());
}

Meaning Reader::in_session(std::string_view id, Meaning::Outcome outcome) const {
  if (headers_.session.empty()) return at_once(no_session_named(id));
  if (!headers_.version.empty() && !is_version(headers_.version))
    return at_once(
        refuse(400, id, kBadPost,
               "MCP-Protocol-Version: \"" + cut_short(headers_.version) + "\" is none of " + versions_text()));
  return {true, std::string(id), std::move(outcome)};
}

Meaning Reader::on(const jsonrpc::Request& asked) const {
  const json::object* params = asked.params ? asked.params->if_object() : &kNothing;
  if (!params) {
    const auto issue = Issue::not_a(*asked.params, "an object", "object").inside("params");
    return at_once(refuse(200, asked.id, kInvalidParams, issue.words()));
  }
  if (asked.method == "initialize") return begin(asked, *params);
  return in_session(asked.id, serve(asked, *params));
}

Meaning Reader::begin(const jsonrpc::Request& asked, const json::object& params) const {
  const json::value* version = params.if_contains("protocolVersion");
  if (!version || !version->is_string()) {
    auto issue = version ? Issue::not_a(*version, "a string", "string") : Issue::missing();
    return at_once(bad_params(asked.id, issue.inside("protocolVersion")));
  }
  return at_once(Handshake{jsonrpc::result_frame(asked.id, handshake_result(version->get_string()))});
}

Meaning::Outcome Reader::serve(const jsonrpc::Request& asked, const json::object& params) const {
  if (asked.method == "tools/call") return call(asked, params);
  if (asked.method == "tools/list")
    return Answer{200, jsonrpc::result_frame(asked.id, R"({"tools":)" + tools_text() + "}")};
  if (asked.method == "ping") return Answer{200, jsonrpc::result_frame(asked.id, "{}")};
  return refuse(200, asked.id, json_rpc::kMethodNotFound, "Method not found: \"" + cut_short(asked.method) + "\"");
}

/// A mistake in the arguments is a result of the call and no error of JSON-RPC: the model can correct it, the client
/// cannot.
Meaning::Outcome Reader::call(const jsonrpc::Request& asked, const json::object& params) const {
  const json::value* name = params.if_contains("name");
  if (!name) return bad_params(asked.id, Issue::missing().inside("name"));
  if (!name->is_string()) return bad_params(asked.id, Issue::not_a(*name, "a string", "string").inside("name"));
  const json::value* arguments = params.if_contains("arguments");
  const bool has_some = arguments && !arguments->is_null();
  if (has_some && !arguments->is_object())
    return bad_params(asked.id, Issue::not_a(*arguments, "an object", "object").inside("arguments"));
  const Tool* tool = find_tool(name->get_string());
  if (!tool) return refuse(200, asked.id, kInvalidParams, "Unknown tool: \"" + cut_short(name->get_string()) + "\"");
  Call made{asked.id, {}};
  const Problem problem = tool->decode(has_some ? arguments->get_object() : kNothing, made.command);
  if (problem) return Answer{200, frame_of(made, Error(Errc::bad_request, problem->words()))};
  settle(made.command);
  return made;
}

}  // namespace

Meaning read(const Headers& headers, std::string_view body) {
  if (auto refusal = refuse_post(headers)) return {false, std::string(jsonrpc::kNoId), std::move(*refusal)};
  const Document document(body);
  const auto message = jsonrpc::read(body, document);
  return std::visit([reader = Reader(headers)](const auto& each) { return reader.on(each); }, message);
}

Answer no_session_named(std::string_view id) {
  return refuse(400, id, kBadPost, "Mcp-Session-Id: is missing");
}

Answer no_such_session(std::string_view id) {
  return refuse(404, id, kNoSession, "Session not found: begin a new one with initialize; the terminals are there");
}

std::string result_frame(const Call& call, const Result<Reply>& reply) {
  if (!reply) return frame_of(call, with_names_of_arguments(reply.error()));
  return frame_of(call, reply);
}

}  // namespace ptyd::mcp
