// The documented `terminal.*` API: {id, body:{_tag, ...}} -> {id, result} or {id, error}; pushes on `terminal.event`.
// terminal.md shows the frames.
#include <unordered_map>

#include "protocol/errors.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/kinds.hpp"
#include "protocol/language/dialect.hpp"
#include "protocol/language/frame.hpp"
#include "protocol/methods.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;
using json_text::append_integer;
using json_text::append_string;
using schema::kEnvelopeId;

/// The id of an answer to a frame whose id cannot be read.
constexpr std::string_view kUnknownId = "unknown";
constexpr std::string_view kInvalid = "Invalid request format: ";

std::string error_frame(std::string_view id, std::string_view message, Errc code) {
  std::string out = R"({"id":)";
  append_string(out, id);
  out += R"(,"error":{"message":)";
  append_string(out, message);
  out += R"(,"code":)";
  append_string(out, error_row(code).name);
  return out += "}}";
}

/// Reads the command in `body`; the path of a problem begins inside `body`.
Problem read_body(const json::value& body, Command& command) {
  const json::object* params = body.if_object();
  if (!params) return Issue::not_a(body, "an object", "object");
  const json::value* tag = params->if_contains("_tag");
  if (!tag) return Issue::missing().inside("_tag");
  if (!tag->is_string()) return Issue::not_a(*tag, "a string", "string").inside("_tag");
  const Method* method = find_method(tag->get_string());
  if (!method) return Issue::other(shown(*tag) + " is no method").inside("_tag");
  return method->decode(*params, schema::Nulls::refused, command);
}

/// Reads a request; `id` is set as soon as it is known, so that even a refusal can carry it.
Problem read_request(const json::value& frame, std::string& id, Command& command) {
  const json::object* request = frame.if_object();
  if (!request) return Issue::not_a(frame, "an object", "object");
  const json::value* asked_id = request->if_contains("id");
  if (!asked_id) return Issue::missing().inside("id");
  if (Problem problem = kEnvelopeId.decode(*asked_id, id, schema::Nulls::refused)) return problem->inside("id");
  const json::value* body = request->if_contains("body");
  Problem problem = body ? read_body(*body, command) : Issue::missing();
  if (problem) problem->inside("body");
  return problem;
}

class Envelope final : public Dialect {
 public:
  explicit Envelope(const WelcomeFacts& facts) : facts_(facts) {}

  Decoded decode(std::string_view frame) override {
    Decoded decoded;
    const Document document(frame);
    std::string id(kUnknownId);
    if (!document.value()) {
      if (const auto found = find_scalar(frame, "id")) kEnvelopeId.decode(*found, id, schema::Nulls::refused);
      decoded.frames.push_back(error_frame(id, std::string(kInvalid) + document.error(), Errc::bad_request));
      return decoded;
    }
    Command command;
    if (const Problem problem = read_request(*document.value(), id, command)) {
      decoded.frames.push_back(error_frame(id, std::string(kInvalid) + problem->words(), Errc::bad_request));
    } else {
      ids_.emplace(++last_token_, std::move(id));
      decoded.calls.push_back({last_token_, std::move(command)});
    }
    return decoded;
  }

  std::optional<std::string> encode_reply(CallToken token, const Result<Reply>& reply) override {
    const auto call = ids_.extract(token);
    if (call.empty()) return std::nullopt;
    if (!reply) return error_frame(call.mapped(), error_sentence(reply.error()), reply.error().code());
    std::string out = R"({"id":)";
    append_string(out, call.mapped());
    if (!std::holds_alternative<Done>(*reply)) {
      out += R"(,"result":)";
      write_reply(out, *reply);
    }
    return out += '}';
  }

  std::vector<Wrap> wrap_event() override { return {{begin_push("terminal.event"), "}"}}; }

  bool wants_events() const override { return true; }

  std::string welcome() override {
    std::string out = begin_push("server.welcome") + R"({"cwd":)";
    append_string(out, facts_.cwd);
    if (!facts_.home.empty()) {
      out += R"(,"homeDir":)";
      append_string(out, facts_.home);
    }
    out += R"(,"projectName":)";
    append_string(out, facts_.project_name);
    return out += "}}";
  }

 private:
  std::string begin_push(std::string_view channel) {
    std::string out = R"({"type":"push","sequence":)";
    append_integer(out, ++sequence_);
    out += R"(,"channel":)";
    append_string(out, channel);
    return out += R"(,"data":)";
  }

  WelcomeFacts facts_;
  std::unordered_map<CallToken, std::string> ids_;  // of unanswered calls; clients may use an id twice
  CallToken last_token_ = 0;
  std::int64_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<Dialect> make_envelope(const WelcomeFacts& facts) {
  return std::make_unique<Envelope>(facts);
}

}  // namespace ptyd
