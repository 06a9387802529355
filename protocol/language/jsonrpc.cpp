#include "protocol/language/jsonrpc.hpp"

#include "protocol/errors.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/kinds.hpp"

namespace ptyd::jsonrpc {

namespace {

namespace json = boost::json;

constexpr std::string_view kJsonRpcVersion = "2.0";
constexpr schema::Text kIdText{.max = limits::kMaxRequestId};
constexpr schema::Integer kWhole{std::numeric_limits<std::int64_t>::min()};

Broken invalid(std::string id, const Issue& issue) {
  return {std::move(id), json_rpc::kInvalidRequest, issue.words()};
}

/// A fault of a request or notification, beside its id.
Problem check_head(const json::object& frame) {
  const json::value* version = frame.if_contains("jsonrpc");
  if (!version) return Issue::missing().inside("jsonrpc");
  if (!version->is_string() || version->get_string() != kJsonRpcVersion)
    return Issue::not_a(*version, R"("2.0")", R"("2.0")").inside("jsonrpc");
  const json::value* method = frame.if_contains("method");
  if (!method) return Issue::missing().inside("method");
  if (!method->is_string()) return Issue::not_a(*method, "a string", "string").inside("method");
  return {};
}

Response read_response(const json::object& frame) {
  Response response{std::string(kNoId), nullptr};
  if (const json::value* id = frame.if_contains("id")) read_id(*id, response.id);
  const json::value* error = frame.if_contains("error");
  if (!error || error->is_null()) response.result = frame.if_contains("result");
  return response;
}

Message classify(const json::value& value) {
  const json::object* frame = value.if_object();
  if (!frame) return invalid(std::string(kNoId), Issue::not_a(value, "an object", "object"));
  if (!frame->contains("method") && (frame->contains("result") || frame->contains("error")))
    return read_response(*frame);
  std::string id(kNoId);
  const json::value* asked_id = frame->if_contains("id");
  if (asked_id)
    if (Problem problem = read_id(*asked_id, id)) return invalid(std::move(id), problem->inside("id"));
  if (const Problem problem = check_head(*frame)) return invalid(std::move(id), *problem);
  const std::string_view method = frame->at("method").get_string();
  const json::value* params = frame->if_contains("params");
  if (!asked_id) return Notification{method, params};
  return Request{std::move(id), method, params};
}

/// Whether a frame that could not be read has a `method`. Else it is an answer, whose id is of a request of ours.
bool asks(std::string_view frame) {
  for (Members members(frame); members.next();)
    if (members.key() == "method") return true;
  return false;
}

/// The refusal of a frame that could not be read. A frame that is no JSON has no id that can be trusted. One that is
/// valid JSON beyond our limits has an id, and its sender waits for an answer to that.
Broken unreadable(std::string_view frame, const Document& document) {
  std::string id(kNoId);
  if (!document.is_beyond_us()) return {std::move(id), json_rpc::kParseError, document.error()};
  if (asks(frame))
    if (const auto found = find_scalar(frame, "id")) read_id(*found, id);
  return {std::move(id), json_rpc::kInvalidRequest, document.error()};
}

std::string begin_frame(std::string_view id) {
  return R"({"jsonrpc":"2.0","id":)" + std::string(id);
}

}  // namespace

Message read(std::string_view frame, const Document& document) {
  if (!document.value()) return unreadable(frame, document);
  return classify(*document.value());
}

Problem read_id(const json::value& value, std::string& id) {
  if (value.is_string()) {
    std::string text;
    if (Problem problem = kIdText.decode(value, text, schema::Nulls::refused)) return problem;
    id.clear();
    json_text::append_string(id, text);
    return {};
  }
  std::int64_t whole = 0;
  if (value.is_uint64())
    id = std::to_string(value.get_uint64());
  else if (!kWhole.decode(value, whole, schema::Nulls::refused))
    id = std::to_string(whole);
  else
    return Issue::not_a(value, "an integer or a string", "integer or string");
  return {};
}

std::string request_frame(std::string_view id, std::string_view method, std::string_view params) {
  std::string out = begin_frame(id) + R"(,"method":)";
  json_text::append_string(out, method);
  return out.append(R"(,"params":)").append(params) += '}';
}

std::string notification_frame(std::string_view method, std::string_view params) {
  std::string out = R"({"jsonrpc":"2.0","method":)";
  json_text::append_string(out, method);
  return out.append(R"(,"params":)").append(params) += '}';
}

std::string result_frame(std::string_view id, std::string_view result) {
  return begin_frame(id).append(R"(,"result":)").append(result) += '}';
}

std::string error_frame(std::string_view id, int code, std::string_view sentence, std::string_view data) {
  std::string out = begin_frame(id) + R"(,"error":{"code":)";
  json_text::append_integer(out, code);
  out += R"(,"message":)";
  json_text::append_string(out, sentence);
  if (!data.empty()) out.append(R"(,"data":)").append(data);
  return out += "}}";
}

}  // namespace ptyd::jsonrpc
