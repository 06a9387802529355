#include "protocol/acp/acp_live.hpp"

#include <variant>

#include "protocol/event_rows.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/language/jsonrpc.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

void append_data(std::string& out, std::string_view bytes) {
  out += R"("data":")";
  json_text::append_base64(out, bytes);
  out += '"';
}

/// `{"sessionId":"...","terminalId":"..."`, of a key whose thread is of an agent.
std::string begin_params(const SessionKey& key) {
  std::string out = R"({"sessionId":)";
  json_text::append_string(out, std::string_view(key.thread_id).substr(kAgentThreads.size()));
  out += R"(,"terminalId":)";
  json_text::append_string(out, key.terminal_id);
  return out;
}

void append_exit(std::string& out, const ExitStatus& exit) {
  out += R"(,"exitStatus":)";
  schema::write<ExitStatus>(out, exit);
}

bool has_ended(const Snapshot& snapshot) {
  return snapshot.status == Status::exited || snapshot.status == Status::error;
}

// Notifications of the events that agents are told of.

std::string notification_of(const SessionKey& key, const Output& output) {
  std::string params = begin_params(key) + ',';
  append_data(params, output.data);
  return jsonrpc::notification_frame(LiveOutput::kChunk, params += '}');
}

std::string notification_of(const SessionKey& key, const Exited& exited) {
  std::string params = begin_params(key);
  append_exit(params, exited.exit);
  return jsonrpc::notification_frame(LiveOutput::kUpdate, params += '}');
}

}  // namespace

void LiveOutput::write_snapshot(std::string& out, const Snapshot& snapshot) {
  out += R"({"terminalId":)";
  json_text::append_string(out, snapshot.key.terminal_id);
  out += R"(,"cwd":)";
  json_text::append_string(out, snapshot.cwd);
  out += R"(,"size":{"cols":)";
  json_text::append_integer(out, snapshot.size.cols);
  out += R"(,"rows":)";
  json_text::append_integer(out, snapshot.size.rows);
  out += R"(},"output":{)";
  append_data(out, snapshot.history);
  out += '}';
  if (has_ended(snapshot)) append_exit(out, snapshot.exit);
  out += '}';
}

void LiveOutput::begin(const Snapshot& shown) {
  if (!has_ended(shown)) heard_.insert(shown.key);
}

/// An event without a cursor is a broadcast, for clients that are not subscribed to the terminal.
std::optional<std::string> LiveOutput::tell(const Event& event) {
  if (event.cursor == Cursor{} || !heard_.contains(event.key)) return std::nullopt;
  if (std::holds_alternative<Exited>(event.body)) end(event.key);
  return std::visit(
      [&event]<class Body>(const Body& body) -> std::optional<std::string> {
        if constexpr (schema::Rows<Body>::to_agents == schema::ToAgents::told) return notification_of(event.key, body);
        return std::nullopt;
      },
      event.body);
}

}  // namespace ptyd
