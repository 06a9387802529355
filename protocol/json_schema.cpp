#include "protocol/json_schema.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "protocol/errors.hpp"
#include "protocol/event_rows.hpp"
#include "protocol/execute_rows.hpp"
#include "protocol/methods.hpp"
#include "protocol/output.hpp"
#include "protocol/program_rows.hpp"
#include "protocol/rows.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;
using schema::reference_to;

template <class Tag, class Message>
void define(json::object& definitions);

/// Type of the elements of a list, or of an optional.
template <class Member>
struct Inside {
  using Type = Member;
};
template <class Item>
struct Inside<std::vector<Item>> : Inside<Item> {};
template <class Value>
struct Inside<std::optional<Value>> : Inside<Value> {};

/// Defines the type that a row's kind refers to; `Owner` is the struct from which the row's members lead to the value.
template <class Owner, class Kind, class... Members>
void define_part(json::object& definitions, const schema::Row<Kind, Members...>& row) {
  if constexpr (requires { typename Kind::Part; }) {
    using Member = std::remove_cvref_t<decltype(schema::reach(std::declval<Owner&>(), row.members))>;
    define<typename Kind::Part, typename Inside<Member>::Type>(definitions);
  }
}

template <class Tag, class Message = Tag>
void define_parts(json::object& definitions) {
  std::apply([&](const auto&... rows) { (define_part<Message>(definitions, rows), ...); }, schema::Rows<Tag>::fields);
}

template <class Tag, class Message = Tag>
void define(json::object& definitions) {
  define_parts<Tag, Message>(definitions);
  definitions[schema::Rows<Tag>::name] = schema::object_schema<Tag, Message>();
}

/// Whether `name` is that of the parameters or the result of a `terminal.*` method.
bool is_spoken(std::string_view name) {
  const auto all = methods();
  return std::any_of(all.begin(), all.end(), [&](const Method& m) { return m.params == name || m.result == name; });
}

/// Defines the parameters of all methods, and the messages to which these refer.
template <class... Commands>
void define_commands(json::object& definitions, const std::variant<Commands...>*) {
  for (const Method& method : methods()) definitions[method.params] = method.params_schema();
  const auto parts = [&]<class Asked>(const Asked*) {
    if constexpr (requires { schema::Rows<Asked>::fields; })
      if (is_spoken(schema::Rows<Asked>::name)) define_parts<Asked>(definitions);
  };
  (parts(static_cast<const Commands*>(nullptr)), ...);
}

template <class Answer>
void define_reply(json::object& definitions, json::array& alternatives) {
  if (!is_spoken(schema::Rows<Answer>::name)) return;
  define<Answer>(definitions);
  alternatives.emplace_back(reference_to(schema::Rows<Answer>::name));
}

/// Defines every Reply of a method; returns the references.
template <class... Replies>
json::array define_replies(json::object& definitions, const std::variant<Done, Replies...>*) {
  json::array alternatives;
  (define_reply<Replies>(definitions, alternatives), ...);
  return alternatives;
}

/// An event as it is on the wire: `type`, the base fields, its own.
template <class Body>
void define_event(json::object& definitions, json::array& alternatives) {
  json::object properties{{"type", {{"const", schema::Rows<Body>::type}}}};
  json::array needed{"type"};
  for (const json::object& part : {schema::object_schema<Event>(), schema::object_schema<Body>()}) {
    for (const auto& [name, field] : part.at("properties").get_object()) properties[name] = field;
    if (const auto* names = part.if_contains("required"))
      for (const auto& name : names->get_array()) needed.push_back(name);
  }
  json::object event{{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(needed)}};
  if (needed_feature(EventBody(Body{})))
    event["description"] =
        "Ours: only for connections that asked by features: " + std::string(schema::Rows<Body>::type);
  definitions[schema::Rows<Body>::name] = std::move(event);
  alternatives.emplace_back(reference_to(schema::Rows<Body>::name));
}

template <class... Bodies>
void define_events(json::object& definitions, const std::variant<Bodies...>*) {
  json::array alternatives;
  (define_event<Bodies>(definitions, alternatives), ...);
  definitions["TerminalEvent"] = {{"oneOf", std::move(alternatives)}};
}

json::object result_schema(const Method& method) {
  return method.result.empty() ? json::object{{"type", "null"}} : reference_to(method.result);
}

json::object object(json::object properties, json::array required) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

json::object text() {
  return {{"type", "string"}};
}
json::object constant(std::string_view value) {
  return {{"const", value}};
}

/// `{method: {params, result}}`: what the methods are, by name.
json::object methods_schema() {
  json::object properties;
  json::array names;
  for (const Method& method : methods()) {
    json::object entry =
        object({{"params", reference_to(method.params)}, {"result", result_schema(method)}}, {"params", "result"});
    entry["description"] = method.note;
    properties[method.name] = std::move(entry);
    names.emplace_back(method.name);
  }
  return object(std::move(properties), std::move(names));
}

/// The body of an envelope request: a method's parameters and its name as `_tag`.
json::object envelope_body() {
  json::array alternatives;
  for (const Method& method : methods())
    alternatives.emplace_back(
        json::object{{"allOf", {reference_to(method.params), object({{"_tag", constant(method.name)}}, {"_tag"})}}});
  return {{"oneOf", std::move(alternatives)}};
}

json::object error_codes() {
  json::array codes;
  for (int code = 0; code <= static_cast<int>(Errc::end); ++code)
    codes.emplace_back(error_row(static_cast<Errc>(code)).name);
  return {{"type", "string"}, {"enum", std::move(codes)}};
}

json::object envelope_id() {
  auto id = schema::kEnvelopeId.schema();
  schema::describe(id, "of the client's choice, trimmed; the answer carries it", {});
  return id;
}

void define_envelope(json::object& definitions, json::array replies) {
  definitions["EnvelopeRequest"] = object({{"id", envelope_id()}, {"body", envelope_body()}}, {"id", "body"});
  definitions["EnvelopeResult"] = object({{"id", text()}, {"result", {{"oneOf", std::move(replies)}}}}, {"id"});
  definitions["EnvelopeError"] = object({{"id", text()}, {"error", reference_to("WireError")}}, {"id", "error"});
  definitions["EnvelopePush"] = object({{"type", constant("push")},
                                        {"sequence", {{"type", "integer"}, {"minimum", 1}}},
                                        {"channel", constant("terminal.event")},
                                        {"data", reference_to("TerminalEvent")}},
                                       {"type", "sequence", "channel", "data"});
  definitions["EnvelopeWelcome"] = object(
      {{"type", constant("push")},
       {"sequence", {{"type", "integer"}, {"minimum", 1}}},
       {"channel", constant("server.welcome")},
       {"data", object({{"cwd", text()}, {"homeDir", text()}, {"projectName", text()}}, {"cwd", "projectName"})}},
      {"type", "sequence", "channel", "data"});
}

std::string about_the_schema() {
  std::string closed;
  for (const Method& method : methods())
    if (method.is_closed) closed.append(closed.empty() ? " but by " : " and ").append(method.name);
  return "Printed from protocol/rows.hpp. Lengths are meant in UTF-16 units; keys that are not named here are ignored" +
         (closed.empty() ? "" : "," + closed) + ".";
}

json::object document() {
  json::object definitions;
  define_commands(definitions, static_cast<const Command*>(nullptr));
  json::array replies = define_replies(definitions, static_cast<const Reply*>(nullptr));
  define_events(definitions, static_cast<const EventBody*>(nullptr));
  definitions["ErrorCode"] = error_codes();
  definitions["WireError"] = object({{"message", text()}, {"code", reference_to("ErrorCode")}}, {"message", "code"});
  define_envelope(definitions, std::move(replies));
  json::object root = methods_schema();
  json::object head{{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "TerminalMethods"},
                    {"description", about_the_schema()}};
  for (auto& [key, value] : root) head[key] = std::move(value);
  head["$defs"] = std::move(definitions);
  return head;
}

void print(std::string& out, const json::value& value, std::size_t depth);

void print_line(std::string& out, std::size_t depth) {
  out.append("\n").append(2 * depth, ' ');
}

void print_object(std::string& out, const json::object& members, std::size_t depth) {
  out += '{';
  for (bool first = true; const auto& [key, value] : members) {
    if (!std::exchange(first, false)) out += ',';
    print_line(out, depth + 1);
    out += json::serialize(json::string(key)) + ": ";
    print(out, value, depth + 1);
  }
  print_line(out, depth);
  out += '}';
}

void print(std::string& out, const json::value& value, std::size_t depth) {
  if (const auto* members = value.if_object(); members && !members->empty()) return print_object(out, *members, depth);
  const auto* items = value.if_array();
  if (!items || items->empty() || items->front().is_string()) {
    out += json::serialize(value);
    return;
  }
  out += '[';
  for (bool first = true; const auto& item : *items) {
    if (!std::exchange(first, false)) out += ',';
    print_line(out, depth + 1);
    print(out, item, depth + 1);
  }
  print_line(out, depth);
  out += ']';
}

}  // namespace

std::string json_schema() {
  std::string out;
  print(out, document(), 0);
  return out + "\n";
}

}  // namespace ptyd
