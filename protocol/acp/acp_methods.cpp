#include "protocol/acp/acp_methods.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "protocol/acp/acp_live.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/methods.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

/// The member `name` of `object`; null unless both are objects.
const json::object* object_in(const json::object* object, std::string_view name) {
  const json::value* value = object ? object->if_contains(name) : nullptr;
  return value ? value->if_object() : nullptr;
}

/// `_meta` and `_meta.ptyd` are ignored where they are no objects; what stands in the latter is meant for us.
const json::object* extension_in(const json::object* params) {
  return object_in(object_in(params, "_meta"), "ptyd");
}

template <class Extension, class Asked>
Problem decode_extension(const json::object& params, Asked& asked) {
  const json::object* extension = extension_in(&params);
  if (!extension) return {};
  Problem problem = schema::decode<Extension>(*extension, asked, schema::Nulls::absent);
  if (problem) problem->inside("ptyd").inside("_meta");
  return problem;
}

Problem decode_run(const json::object& params, Command& command) {
  Run& run = command.emplace<Run>();
  run.size = kAgentSize;
  Problem problem = schema::decode<Run>(params, run, schema::Nulls::absent);
  if (!problem && run.cwd.empty()) problem = schema::decode<schema::RunAsGuided>(params, run, schema::Nulls::absent);
  return problem ? problem : decode_extension<schema::RunExtension>(params, run);
}

template <class Asked>
Problem decode_key(const json::object& params, Command& command) {
  Asked& asked = command.emplace<Asked>();
  return schema::decode<schema::AgentKey>(params, asked.key, schema::Nulls::absent);
}

template <class Asked, class Fields>
Problem decode_with(const json::object& params, Command& command) {
  Problem problem = decode_key<Asked>(params, command);
  return problem ? problem : schema::decode<Fields>(params, std::get<Asked>(command), schema::Nulls::absent);
}

Problem decode_output(const json::object& params, Command& command) {
  Problem problem = decode_key<ReadOutput>(params, command);
  return problem ? problem : decode_extension<schema::OutputExtension>(params, std::get<ReadOutput>(command));
}

Problem decode_screen(const json::object& params, Command& command) {
  Problem problem = decode_with<TakeSnapshot, schema::AgentScreenParams>(params, command);
  auto& asked = std::get<TakeSnapshot>(command);
  asked.format = SnapshotFormat::plain;
  asked.scrollback = asked.scrollback.value_or(0);
  return problem;
}

/// Asks for the output so far in raw form, like the output that follows.
Problem decode_subscribe(const json::object& params, Command& command) {
  Problem problem = decode_key<Open>(params, command);
  auto& asked = std::get<Open>(command);
  asked.attach = true;
  asked.stream_output = true;
  asked.history_format = HistoryFormat::raw;
  return problem;
}

template <class Asked>
SessionKey& key_in(Command& command) {
  return std::get<Asked>(command).key;
}

template <class Asked>
constexpr AcpMethod own_row(std::string_view name, AcpKind kind) {
  return {name, kind, false, decode_key<Asked>, key_in<Asked>};
}

template <class Asked>
constexpr AcpMethod our_row(std::string_view name, AcpKind kind, Problem (*decode)(const json::object&, Command&)) {
  return {name, kind, true, decode, key_in<Asked>};
}

constexpr std::array kAcpMethods = {
    AcpMethod{"terminal/create", AcpKind::create, false, decode_run, key_in<Run>},
    AcpMethod{"terminal/output", AcpKind::output, false, decode_output, key_in<ReadOutput>},
    own_row<AwaitExit>("terminal/wait_for_exit", AcpKind::wait),
    own_row<Kill>("terminal/kill", AcpKind::done),
    own_row<Release>("terminal/release", AcpKind::release),
    our_row<Write>("_ptyd/terminal/input", AcpKind::done, decode_with<Write, schema::AgentInput>),
    our_row<Resize>("_ptyd/terminal/resize", AcpKind::done, decode_with<Resize, schema::AgentResize>),
    our_row<Signal>("_ptyd/terminal/signal", AcpKind::done, decode_with<Signal, schema::AgentSignal>),
    our_row<TakeSnapshot>("_ptyd/terminal/screen", AcpKind::screen, decode_screen),
    our_row<Open>("_ptyd/terminal/subscribe", AcpKind::subscribe, decode_subscribe),
    our_row<Detach>("_ptyd/terminal/unsubscribe", AcpKind::unsubscribe, decode_key<Detach>)};

template <class Names, class NameOf>
void append_list(std::string& out, const Names& names, NameOf name_of) {
  out += '[';
  for (const auto& each : names) {
    const std::string_view name = name_of(each);
    if (name.empty()) continue;
    if (out.back() != '[') out += ',';
    json_text::append_string(out, name);
  }
  out += ']';
}

/// Any agent is told which variables were dropped: else it would look for the fault in its own program.
std::string create_result(const SessionKey& key, const AcpMeta& meta) {
  std::string result = acp_object("terminalId", key.terminal_id);
  if (!meta.is_wanted && meta.dropped.empty()) return result;
  std::string ours = meta.is_wanted ? acp_extension() : "{}";
  if (!meta.dropped.empty()) {
    ours.pop_back();
    ours += meta.is_wanted ? R"(,"droppedEnv":)" : R"("droppedEnv":)";
    append_list(ours, meta.dropped, [](const std::string& name) { return std::string_view(name); });
    ours += '}';
  }
  result.back() = ',';
  return result.append(R"("_meta":{"ptyd":)").append(ours) += "}}";
}

/// Adds `exitCode` and `signal` beside the `exitStatus` of the protocol: the SDK's guide reads them there.
void add_exit(std::string& object, const ExitStatus& exit) {
  object.pop_back();
  schema::write_fields<ExitStatus>(object, exit);
  object += '}';
}

}  // namespace

const AcpMethod* find_acp_method(std::string_view name) {
  const auto found =
      std::find_if(kAcpMethods.begin(), kAcpMethods.end(), [&](const auto& m) { return m.name == name; });
  return found == kAcpMethods.end() ? nullptr : &*found;
}

Problem read_acp_command(const jsonrpc::Request& request, const AcpMethod& method, Command& command) {
  if (!request.params) return Issue::missing().inside("params");
  const json::object* params = request.params->if_object();
  Problem problem = params ? method.decode(*params, command) : Issue::not_a(*request.params, "an object", "object");
  if (problem) problem->inside("params");
  return problem;
}

bool has_acp_extension(const json::value* params) {
  return params && extension_in(params->if_object()) != nullptr;
}

std::string acp_extension() {
  std::string out = R"({"pty":{"cols":)";
  json_text::append_integer(out, kAgentSize.cols);
  out += R"(,"rows":)";
  json_text::append_integer(out, kAgentSize.rows);
  out += R"(,"input":false,"raw":false},"methods":)";
  append_list(out, kAcpMethods, [](const AcpMethod& each) { return each.is_ours ? each.name : std::string_view(); });
  out += R"(,"notifications":)";
  append_list(out, LiveOutput::kNotifications, [](std::string_view name) { return name; });
  return out += '}';
}

std::string acp_result(AcpKind kind, const SessionKey& key, const Reply& reply, const AcpMeta& meta) {
  std::string out;
  if (kind == AcpKind::create) return create_result(key, meta);
  if (const auto* screen = std::get_if<ScreenSnapshot>(&reply))
    schema::write<schema::AgentScreen>(out, *screen);
  else if (const auto* snapshot = std::get_if<Snapshot>(&reply))
    LiveOutput::write_snapshot(out, *snapshot);
  else if (std::holds_alternative<Done>(reply))
    out = "{}";
  else
    write_reply(out, reply);
  if (const auto* output = std::get_if<ProgramOutput>(&reply); output && output->exit) add_exit(out, *output->exit);
  return out;
}

std::string acp_object(std::string_view name, std::string_view text) {
  std::string out = "{";
  json_text::append_string(out, name);
  out += ':';
  json_text::append_string(out, text);
  return out += '}';
}

}  // namespace ptyd
