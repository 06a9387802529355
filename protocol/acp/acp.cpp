// The Agent Client Protocol's terminal methods (version 1), and extensions, over JSON-RPC: see agents.md.
//
// An agent asks, or its client in its place; the server runs the terminals. It answers other requests of an agent as a
// client would that has nothing but terminals.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "protocol/acp/acp_handshake.hpp"
#include "protocol/acp/acp_live.hpp"
#include "protocol/acp/acp_methods.hpp"
#include "protocol/acp/acp_tool_calls.hpp"
#include "protocol/errors.hpp"
#include "protocol/language/dialect.hpp"
#include "protocol/language/jsonrpc.hpp"
#include "protocol/program_rows.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

/// Lost sessions that an agent is offered before session/new: its own, and those of a few agents with the same
/// credential.
constexpr std::size_t kMaxOffers = 8;

constexpr std::string_view kTerminalPrefix = "term_";
constexpr std::string_view kEmptyObject = "{}";
constexpr std::string_view kCancelledOutcome = R"({"outcome":{"outcome":"cancelled"}})";
constexpr std::string_view kWeInitialize =
    R"({"hint":"This is the client of agents: it sends initialize itself, and answers terminal/* methods"})";

/// The member `name` of `value`; null where `value` is no object or has no such member.
const json::value* member(const json::value* value, std::string_view name) {
  const json::object* object = value ? value->if_object() : nullptr;
  return object ? object->if_contains(name) : nullptr;
}

class Acp final : public Dialect {
 public:
  explicit Acp(const WelcomeFacts& facts) : facts_(facts) {
    if (!facts.delegate) handshake_.emplace(facts.cwd);
  }

  Decoded decode(std::string_view frame) override {
    Decoded decoded;
    const Document document(frame);
    std::visit([&](const auto& message) { take(message, decoded); }, jsonrpc::read(frame, document));
    return decoded;
  }

  std::optional<std::string> encode_reply(CallToken token, const Result<Reply>& reply) override {
    if (token == lost_asked_) return offer(reply);
    const auto found = calls_.extract(token);
    if (found.empty()) return std::nullopt;
    const PendingCall& call = found.mapped();
    if (call.kind == AcpKind::release && settle_release(call.key, reply))
      return jsonrpc::result_frame(call.id, kEmptyObject);
    if (!reply && call.is_cancelled) return cancelled(call.id);
    if (!reply) return failure_of(call, reply.error());
    if (const auto* shown = std::get_if<Snapshot>(&*reply)) live_.begin(*shown);
    return jsonrpc::result_frame(call.id, acp_result(call.kind, call.key, *reply, call.meta));
  }

  std::vector<Wrap> wrap_event() override { return {}; }

  bool wants_events() const override { return !live_.is_empty(); }

  std::optional<std::string> tell(const Event& event) override { return live_.tell(event); }

  std::string welcome() override { return handshake_ ? handshake_->begin() : std::string(); }

  bool is_ready() const override { return !handshake_ || handshake_->session(); }

 private:
  struct PendingCall {
    std::string id;
    AcpKind kind;
    SessionKey key;
    AcpMeta meta;
    bool is_cancelled = false;
  };

  void take(const jsonrpc::Request& request, Decoded& decoded) {
    if (request.method == "session/request_permission") {
      decoded.frames.push_back(jsonrpc::result_frame(request.id, kCancelledOutcome));
      return;
    }
    const AcpMethod* method = find_acp_method(request.method);
    if (!method) return refuse_method(request, decoded);
    if (!is_ready()) return refuse(request.id, json_rpc::kInvalidRequest, "There is no session yet", {}, decoded);
    Command command;
    if (const Problem problem = read_acp_command(request, *method, command))
      return refuse(request.id, error_row(Errc::bad_request).json_rpc, problem->words(), {}, decoded);
    begin(request, *method, std::move(command), decoded);
  }

  void take(const jsonrpc::Notification& told, Decoded& decoded) {
    if (told.method == "$/cancel_request") cancel(told.params, decoded);
    if (told.method == "session/update") pin(told.params, decoded);
  }

  void take(const jsonrpc::Response& response, Decoded& decoded) {
    if (!handshake_) return;
    AcpHandshake::Step step = handshake_->take(response);
    if (!step.frame.empty()) decoded.frames.push_back(std::move(step.frame));
    decoded.refusal = step.refusal;
    if (step.wants_offers) {
      List lost;
      lost.lost = true;
      decoded.calls.push_back({lost_asked_ = ++last_token_, std::move(lost)});
    }
    if (is_ready()) keep_lost(decoded);
  }

  /// Offers the lost sessions, the most recently updated first.
  std::string offer(const Result<Reply>& lost) {
    lost_asked_ = 0;
    if (const auto* list = lost ? std::get_if<TerminalList>(&*lost) : nullptr) lost_ = list->terminals;
    const auto is_later = [](const auto& one, const auto& other) { return one.updated_at > other.updated_at; };
    std::stable_sort(lost_.begin(), lost_.end(), is_later);
    std::vector<std::string> names;
    for (const TerminalInfo& each : lost_) {
      const std::string name = each.key.thread_id.substr(kAgentThreads.size());
      const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
      if (is_new && names.size() < kMaxOffers) names.push_back(name);
    }
    return handshake_->offer(std::move(names));
  }

  /// Keeps from now on the session for which the agent has come back, before it asks for it.
  void keep_lost(Decoded& decoded) {
    const std::string thread = std::string(kAgentThreads) + *handshake_->session();
    for (const TerminalInfo& each : std::exchange(lost_, {})) {
      if (each.key.thread_id != thread) continue;
      decoded.calls.push_back({++last_token_, Keep{each.key}});
      submit(tool_calls_.recall(each.key), decoded);
    }
  }

  void take(const jsonrpc::Broken& broken, Decoded& decoded) {
    refuse(broken.id, broken.code, broken.sentence, {}, decoded);
  }

  void refuse_method(const jsonrpc::Request& request, Decoded& decoded) {
    const std::string sentence = shown(json::value(request.method)) + " is no method";
    const std::string_view hint = request.method == "initialize" ? kWeInitialize : std::string_view();
    refuse(request.id, json_rpc::kMethodNotFound, sentence, hint, decoded);
  }

  static void refuse(std::string_view id, int code, std::string_view sentence, std::string_view data,
                     Decoded& decoded) {
    decoded.frames.push_back(jsonrpc::error_frame(id, code, sentence, data));
  }

  void begin(const jsonrpc::Request& request, const AcpMethod& method, Command command, Decoded& decoded) {
    SessionKey& key = method.key(command);
    if (!knows(key.thread_id))
      return refuse(request.id, error_row(Errc::not_found).json_rpc, "There is no such session",
                    acp_object("sessionId", key.thread_id), decoded);
    key.thread_id.insert(0, kAgentThreads);
    AcpMeta meta{has_acp_extension(request.params), {}};
    if (Run* run = std::get_if<Run>(&command)) {
      settle(*run);
      meta.dropped = dropped_of(run->env);
    }
    if (method.kind == AcpKind::unsubscribe) live_.end(key);
    calls_.emplace(++last_token_, PendingCall{request.id, method.kind, key, std::move(meta)});
    decoded.calls.push_back({last_token_, std::move(command)});
  }

  /// Sets the terminal id and the default working directory.
  void settle(Run& run) {
    run.key.terminal_id = std::string(kTerminalPrefix) + facts_.make_name(scope_of(run.key.thread_id));
    run.dialled_in = handshake_.has_value();
    if (run.cwd.empty()) run.cwd = facts_.cwd;
  }

  /// Names of `env` that programs of agents do not get, each once.
  std::vector<std::string> dropped_of(const Environment& env) const {
    std::set<std::string> names;
    for (const auto& [name, value] : env)
      if (facts_.drops_variable && facts_.drops_variable(name)) names.insert(name);
    return {names.begin(), names.end()};
  }

  bool knows(std::string_view session) const { return !handshake_ || handshake_->session() == session; }

  static std::string cancelled(std::string_view id) {
    return jsonrpc::error_frame(id, json_rpc::kRequestCancelled, "The request was cancelled", {});
  }

  /// Answers a cancelled wait_for_exit at once. A cancelled create starts nothing if it still waits; else it is
  /// answered as usual, since its terminal must not be lost. All other calls are answered as usual.
  void cancel(const json::value* params, Decoded& decoded) {
    const json::value* asked = member(params, "requestId");
    std::string id;
    if (!asked || jsonrpc::read_id(*asked, id)) return;
    for (auto& [token, call] : calls_)
      if (call.kind == AcpKind::create && call.id == id && !std::exchange(call.is_cancelled, true))
        decoded.cancelled.push_back(token);
    std::erase_if(calls_, [&](const auto& pending) {
      const auto& [token, call] = pending;
      if (call.kind != AcpKind::wait || call.id != id) return false;
      decoded.frames.push_back(cancelled(id));
      decoded.given_up.push_back(token);
      return true;
    });
  }

  /// Takes a session/update. An agent that loads a session repeats its updates: keep_lost() pins by them.
  void pin(const json::value* params, Decoded& decoded) {
    const json::value* session = member(params, "sessionId");
    const json::value* update = member(params, "update");
    std::string name;
    if (!session || !update || schema::kAgentSession.decode(*session, name, schema::Nulls::refused)) return;
    const bool is_told_again = handshake_ && handshake_->loading() == name;
    if (!is_told_again && !knows(name)) return;
    name.insert(0, kAgentThreads);
    std::vector<Pin> pins = tool_calls_.take(name, *update);
    if (!is_told_again) submit(std::move(pins), decoded);
  }

  void submit(std::vector<Pin> pins, Decoded& decoded) {
    for (Pin& each : pins) decoded.calls.push_back({++last_token_, std::move(each)});
  }

  /// Whether a release succeeds: the terminal was released now, or is gone already. Programs of the SDK also send a
  /// release when a handle goes out of scope, beside calls of their own.
  bool settle_release(const SessionKey& key, const Result<Reply>& reply) {
    if (!reply && (reply.error().code() != Errc::not_found || !was_given(key))) return false;
    live_.end(key);
    return true;
  }

  /// Whether this server has made this terminal id for a create of this session and credential.
  bool was_given(const SessionKey& key) const {
    const std::string_view id = key.terminal_id;
    return id.starts_with(kTerminalPrefix) &&
           facts_.has_made_name(scope_of(key.thread_id), id.substr(kTerminalPrefix.size()));
  }
  std::string scope_of(const std::string& thread) const { return facts_.credential + ' ' + thread; }

  std::string failure_of(const PendingCall& call, const Error& error) const {
    const ErrorRow& row = error_row(error.code());
    const std::string data =
        error.code() == Errc::not_found ? acp_object("terminalId", call.key.terminal_id) : acp_object("code", row.name);
    return jsonrpc::error_frame(call.id, row.json_rpc, error_sentence(error), data);
  }

  WelcomeFacts facts_;
  std::optional<AcpHandshake> handshake_;   // only with an agent that dials in
  std::map<CallToken, PendingCall> calls_;  // not answered yet; agents may use an id twice
  LiveOutput live_;
  ToolCalls tool_calls_;
  CallToken last_token_ = 0;
  CallToken lost_asked_ = 0;        // call that lists lost sessions; 0: none
  std::vector<TerminalInfo> lost_;  // until the agent has its session
};

}  // namespace

std::unique_ptr<Dialect> make_acp(const WelcomeFacts& facts) {
  return std::make_unique<Acp>(facts);
}

}  // namespace ptyd
