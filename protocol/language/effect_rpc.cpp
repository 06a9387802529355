// Effect RPC over JSON: Request/Ack/Interrupt/Ping/Eof -> Exit/Chunk/Pong. terminal.md shows the frames.
//
// Ids are kept as the JSON text they came as, so that a number is answered as a number. A connection-level Defect makes
// the client fail everything that it has in flight; it is only sent when no request can be named.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "protocol/errors.hpp"
#include "protocol/json/issue.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/language/dialect.hpp"
#include "protocol/language/frame.hpp"
#include "protocol/methods.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;
using json_text::append_integer;
using json_text::append_string;

constexpr std::string_view kPong = R"({"_tag":"Pong"})";
/// Effect names the fiber that interrupted; we have none, and clients only check for a number.
constexpr std::string_view kInterrupted = R"({"_tag":"Interrupt","fiberId":0})";

std::string exit_success(std::string_view id) {
  return R"({"_tag":"Exit","requestId":)" + std::string(id) + R"(,"exit":{"_tag":"Success","value":)";
}

std::string exit_failure(std::string_view id, std::string_view cause) {
  return R"({"_tag":"Exit","requestId":)" + std::string(id) + R"(,"exit":{"_tag":"Failure","cause":[)" +
         std::string(cause) + "]}}";
}

std::string die(std::string_view defect) {
  std::string cause = R"({"_tag":"Die","defect":)";
  append_string(cause, defect);
  return cause += '}';
}

/// A failed method. The message is the error's own, else what the reference says for this method.
std::string fail(const Error& error, const Method& method) {
  const std::string_view message = error.detail().empty() ? method.failure : std::string_view(error.detail());
  std::string cause = R"({"_tag":"Fail","error":{"_tag":"WsRpcError","message":)";
  append_string(cause, message);
  cause += R"(,"code":)";
  append_string(cause, error_row(error.code()).name);
  cause += R"(,"cause":{"name":"TerminalError","message":)";
  append_string(cause, message);
  return cause += "}}}";
}

std::string defect_frame(std::string_view defect) {
  std::string out = R"({"_tag":"Defect","defect":)";
  append_string(out, defect);
  return out += '}';
}

/// An id as JSON text, or "" when it is none that can be answered.
std::string id_text(const json::value* id) {
  if (!id) return {};
  std::string text;
  if (const auto* name = id->if_string())
    append_string(text, *name);
  else if (id->is_int64() || id->is_uint64())
    text = shown(*id);
  return text;
}

std::string_view text_at(const json::object& frame, std::string_view name) {
  const json::value* value = frame.if_contains(name);
  const json::string* text = value ? value->if_string() : nullptr;
  return text ? std::string_view(*text) : std::string_view();
}

class EffectRpc final : public Dialect {
 public:
  Decoded decode(std::string_view frame) override {
    has_defect_ = false;
    const std::string_view text = without_space(frame);
    if (text.starts_with('[')) return decode_array(without_space(text.substr(1)));
    Decoded decoded;
    take_text(frame, decoded);
    decoded.acknowledged = take_acknowledged();
    return decoded;
  }

  Decoded decode_rest(std::string_view rest) override {
    Decoded decoded;
    has_defect_ = false;
    std::size_t taken = 0, bytes = 0;
    while (!rest.empty() && taken++ < kFramesAtOnce && bytes < kBytesAtOnce) {
      const std::size_t length = value_length(rest);
      bytes += length;
      rest = take_element(rest, length, decoded);
    }
    decoded.rest = rest;
    decoded.acknowledged = take_acknowledged();
    return decoded;
  }

  std::optional<std::string> encode_reply(CallToken token, const Result<Reply>& reply) override {
    const auto found = calls_.extract(token);
    if (found.empty()) return std::nullopt;
    const PendingCall& call = found.mapped();
    if (reply && call.method->streams) return std::nullopt;
    forget(call.id);
    if (!reply) return exit_failure(call.id, fail(reply.error(), *call.method));
    std::string out = exit_success(call.id);
    write_reply(out, *reply);
    return out += "}}";
  }

  std::vector<Wrap> wrap_event() override {
    std::vector<Wrap> wraps;
    for (const Stream& stream : streams_)
      wraps.push_back({R"({"_tag":"Chunk","requestId":)" + stream.id + R"(,"values":[)", "]}"});
    if (!wraps.empty()) ++sent_;
    return wraps;
  }

  bool wants_events() const override { return !streams_.empty(); }

 private:
  struct PendingCall {
    std::string id;
    const Method* method;
  };
  struct Stream {
    std::string id;
    std::uint64_t confirmed;  // events up to this number came before it, or their Chunk was acked on it
  };
  using Take = void (EffectRpc::*)(const json::object&, Decoded&);

  static Take taker(std::string_view tag);

  /// Decodes the array whose text behind the bracket is `rest`.
  Decoded decode_array(std::string_view rest) {
    if (!rest.empty() && !rest.starts_with(']')) return decode_rest(rest);
    Decoded decoded;
    check_end(rest, decoded);
    return decoded;
  }

  /// Takes the element of `length` bytes at the start of `rest`; returns the text behind its comma, "" after the last
  /// one.
  std::string_view take_element(std::string_view rest, std::size_t length, Decoded& decoded) {
    if (!take_text(rest.substr(0, length), decoded)) return {};
    rest = without_space(rest.substr(length));
    const bool goes_on = rest.starts_with(',') && !without_space(rest.substr(1)).empty();
    if (goes_on) return without_space(rest.substr(1));
    check_end(rest, decoded);
    return {};
  }

  void check_end(std::string_view rest, Decoded& decoded) {
    const bool is_end = rest.starts_with(']') && without_space(rest.substr(1)).empty();
    if (!is_end) refuse({}, "not JSON: the array of frames has no good end", decoded);
  }

  /// Takes one frame. False when `text` is no JSON.
  bool take_text(std::string_view text, Decoded& decoded) {
    const Document document(text);
    if (document.value()) {
      take(*document.value(), decoded);
    } else {
      unreadable(text, document.error(), decoded);
    }
    return document.value() != nullptr;
  }

  void take(const json::value& value, Decoded& decoded) {
    const json::object* frame = value.if_object();
    const Take take_it = frame ? taker(text_at(*frame, "_tag")) : nullptr;
    if (take_it) return (this->*take_it)(*frame, decoded);
    const std::string id = frame ? id_text(frame->if_contains("id")) : std::string();
    if (ids_.contains(id)) return;
    refuse(id, "Unknown frame: " + shown(frame && frame->contains("_tag") ? frame->at("_tag") : value), decoded);
  }

  void take_request(const json::object& frame, Decoded& decoded) {
    const std::string id = id_text(frame.if_contains("id"));
    if (id.empty()) return refuse(id, "Invalid request id: expected a string", decoded);
    if (ids_.contains(id)) return;
    if (id.size() > kLongestId) return refuse(id, Issue::too_long(id, id.size(), kLongestId).effect_words(), decoded);
    const std::string_view tag = text_at(frame, "tag");
    const Method* method = find_method(tag);
    if (!method) return refuse(id, "Unknown request tag: " + cut_short(tag), decoded);
    static const json::value kNothing;
    const json::value* payload = frame.if_contains("payload");
    Command command;
    if (const Problem problem = read(payload ? *payload : kNothing, *method, command))
      return refuse(id, problem->effect_words(), decoded);
    if (method->streams && streams_.size() >= limits::kMaxStreams) {
      const Error full(Errc::limit, "At most " + std::to_string(limits::kMaxStreams) + " streams on one connection");
      decoded.frames.push_back(exit_failure(id, fail(full, *method)));
      return;
    }
    begin(id, *method, std::move(command), decoded);
  }

  static Problem read(const json::value& payload, const Method& method, Command& command) {
    const json::object* params = payload.if_object();
    if (!params) return Issue::not_a(payload, "an object", "object");
    return method.decode(*params, schema::Nulls::absent, command);
  }

  void begin(const std::string& id, const Method& method, Command command, Decoded& decoded) {
    ids_.emplace(id, ++last_token_);
    calls_.emplace(last_token_, PendingCall{id, &method});
    if (method.streams) streams_.push_back({id, sent_});
    decoded.calls.push_back({last_token_, std::move(command)});
  }

  void take_ack(const json::object& frame, Decoded&) {
    const auto stream = find_stream(id_text(frame.if_contains("requestId")));
    if (stream == streams_.end() || stream->confirmed == sent_) return;
    ++stream->confirmed;
  }

  void take_interrupt(const json::object& frame, Decoded& decoded) {
    const std::string id = id_text(frame.if_contains("requestId"));
    const auto call = ids_.find(id);
    if (call == ids_.end()) return;
    give_up(call->second, decoded);
    const bool was_stream = find_stream(id) != streams_.end();
    forget(id);
    decoded.frames.push_back(exit_failure(id, kInterrupted));
    if (was_stream && streams_.empty()) decoded.calls.push_back({++last_token_, Unsubscribe{}});
  }

  /// Takes a call back; one from the same array has not been passed on yet.
  void give_up(CallToken token, Decoded& decoded) {
    calls_.erase(token);
    if (std::erase_if(decoded.calls, [&](const Call& call) { return call.token == token; }) == 0)
      decoded.given_up.push_back(token);
  }

  void take_ping(const json::object&, Decoded& decoded) { decoded.frames.emplace_back(kPong); }

  /// The client has no more requests; those in flight are still answered.
  void take_eof(const json::object&, Decoded&) {}

  void unreadable(std::string_view frame, const std::string& why, Decoded& decoded) {
    const auto id = find_scalar(frame, "id");
    const std::string text = id_text(id ? &*id : nullptr);
    if (!ids_.contains(text)) refuse(text, why, decoded);
  }

  /// A client fails all that it has in flight at the first Defect, so one at once is enough. A refusal carries an id of
  /// up to kLongestEcho bytes, also where the id is too long for a request: a Defect would fail all other calls.
  void refuse(const std::string& id, const std::string& why, Decoded& decoded) {
    if (!id.empty() && id.size() <= kLongestEcho) return decoded.frames.push_back(exit_failure(id, die(why)));
    if (!std::exchange(has_defect_, true)) decoded.frames.push_back(defect_frame(why));
  }

  std::vector<Stream>::iterator find_stream(std::string_view id) {
    return std::find_if(streams_.begin(), streams_.end(), [&](const Stream& stream) { return stream.id == id; });
  }

  void forget(const std::string& id) {
    ids_.erase(id);
    std::erase_if(streams_, [&](const Stream& stream) { return stream.id == id; });
  }

  /// Number of events that every open stream has confirmed, less those that were told before.
  std::size_t take_acknowledged() {
    std::uint64_t confirmed = sent_;
    for (const Stream& stream : streams_) confirmed = std::min(confirmed, stream.confirmed);
    return static_cast<std::size_t>(confirmed - std::exchange(told_, confirmed));
  }

  /// Bytes of JSON text; an id is kept until its call ends.
  static constexpr std::size_t kLongestId = limits::kMaxRequestId;
  /// Most bytes of JSON text of an id that a refusal sends back.
  static constexpr std::size_t kLongestEcho = 64 << 10;
  /// Frames of one array, and bytes of them, that are decoded at once: what comes of them is some 100 KB at most.
  static constexpr std::size_t kFramesAtOnce = 256, kBytesAtOnce = 64 << 10;

  std::unordered_map<std::string, CallToken> ids_;    // in flight: calls and streams
  std::unordered_map<CallToken, PendingCall> calls_;  // not answered yet
  std::vector<Stream> streams_;                       // in the order they were opened
  bool has_defect_ = false;                           // of the frame that is decoded now
  CallToken last_token_ = 0;
  std::uint64_t sent_ = 0;  // events wrapped for streams
  std::uint64_t told_ = 0;  // of these, told as acknowledged
};

EffectRpc::Take EffectRpc::taker(std::string_view tag) {
  struct Row {
    std::string_view tag;
    Take take;
  };
  static constexpr std::array kRows = {Row{"Request", &EffectRpc::take_request}, Row{"Ack", &EffectRpc::take_ack},
                                       Row{"Interrupt", &EffectRpc::take_interrupt}, Row{"Ping", &EffectRpc::take_ping},
                                       Row{"Eof", &EffectRpc::take_eof}};
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.tag == tag; });
  return row == kRows.end() ? nullptr : row->take;
}

}  // namespace

std::unique_ptr<Dialect> make_effect_rpc(const WelcomeFacts&) {
  return std::make_unique<EffectRpc>();
}

}  // namespace ptyd
