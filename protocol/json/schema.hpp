// Field rows: a message is one table of rows; decoding, encoding and JSON Schema are projections of it.
//
// A row says a field's wire name, its Kind (what values it takes), where in the struct it lives, and whether it may be
// absent or null. The tables are in rows.hpp and the *_rows.hpp files. A Kind is any type with
//     Problem decode(const json::value&, Member&, Nulls) const;   (requests)
//     void write(std::string&, const Member&) const;              (replies, events)
//     json::object schema() const;
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "protocol/json/issue.hpp"
#include "protocol/json/json_text.hpp"

namespace ptyd::schema {

namespace json = boost::json;

/// Meaning of `null` for a field that may be absent: the reference's envelope refuses it, its Effect codec takes it as
/// absent.
enum class Nulls { refused, absent };

enum class Presence {
  required,
  optional,  ///< may be absent; left out when empty, a flag when it has its default
  nullable,  ///< always there; null when empty
};

template <class Kind, class... Members>
struct Row {
  std::string_view name;
  Presence presence;
  Kind kind;
  std::string_view note;           ///< one line for people; begins with "ours" where the reference lacks the field
  std::string_view fallback;       ///< text taken when the field is absent, "" for none
  std::tuple<Members...> members;  ///< the way from the struct to the value
};

template <class Kind, class... Members>
constexpr auto required(std::string_view name, Kind kind, std::string_view note, Members... members) {
  return Row<Kind, Members...>{name, Presence::required, kind, note, {}, {members...}};
}
template <class Kind, class... Members>
constexpr auto optional(std::string_view name, Kind kind, std::string_view note, Members... members) {
  return Row<Kind, Members...>{name, Presence::optional, kind, note, {}, {members...}};
}
template <class Kind, class... Members>
constexpr auto nullable(std::string_view name, Kind kind, std::string_view note, Members... members) {
  return Row<Kind, Members...>{name, Presence::nullable, kind, note, {}, {members...}};
}
template <class Kind, class... Members>
constexpr auto with_fallback(std::string_view fallback, Row<Kind, Members...> row) {
  row.fallback = fallback;
  return row;
}

/// The table of a message: specialised with `name` (in the JSON Schema) and `fields`, a tuple of rows.
template <class Tag>
struct Rows;

// --- reaching a value

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class Owner, class... Members>
auto& reach(Owner& owner, const std::tuple<Members...>& members) {
  return std::apply(
      [&owner](const auto first, const auto... rest) -> auto& {
        if constexpr (sizeof...(rest) == 0)
          return owner.*first;
        else
          return reach(owner.*first, std::tuple{rest...});
      },
      members);
}

template <class Member>
bool is_empty(const Member& member) {
  if constexpr (is_optional<Member>)
    return !member.has_value();
  else if constexpr (requires { member.empty(); })
    return member.empty();
  else if constexpr (std::equality_comparable<Member>)
    return member == Member{};
  else
    return false;
}

/// Whether an optional member may be left out: it is empty, or a flag that stands as in a new Message.
template <class Message, class... Members>
bool goes_without_saying(const Message& message, const std::tuple<Members...>& members) {
  const auto& member = reach(message, members);
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, bool>) {
    static const Message initial{};
    return member == reach(initial, members);
  } else {
    return is_empty(member);
  }
}

// --- decoding

template <class Kind, class Member>
Problem decode_member(const Kind& kind, const json::value& value, Member& member, Nulls nulls) {
  if constexpr (is_optional<Member>)
    return kind.decode(value, member.emplace(), nulls);
  else
    return kind.decode(value, member, nulls);
}

template <class Kind, class... Members, class Message>
Problem decode_row(const Row<Kind, Members...>& row, const json::object& from, Message& message, Nulls nulls) {
  const json::value* value = from.if_contains(row.name);
  if (value && value->is_null() && nulls == Nulls::absent && row.presence == Presence::optional) value = nullptr;
  auto& member = reach(message, row.members);
  Problem problem;
  if (value) {
    problem = decode_member(row.kind, *value, member, nulls);
  } else if (row.presence == Presence::required) {
    problem = Issue::missing();
  } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, std::string>) {
    member = row.fallback;
  }
  if (problem) problem->inside(row.name);
  return problem;
}

/// Whether Tag's table has a field of this name.
template <class Tag>
bool has_field(std::string_view name) {
  return std::apply([name](const auto&... rows) { return ((rows.name == name) || ...); }, Rows<Tag>::fields);
}

/// Reads the fields of Tag's table into `message`; the first problem in the table's order ends it. Keys without a row
/// are ignored.
template <class Tag, class Message>
Problem decode(const json::object& from, Message& message, Nulls nulls) {
  Problem problem;
  std::apply([&](const auto&... rows) { ((problem = decode_row(rows, from, message, nulls)) || ...); },
             Rows<Tag>::fields);
  return problem;
}

// --- encoding

/// Appends `"name":value` and the comma before it when it is needed.
template <class Kind, class... Members, class Message>
void write_row(std::string& out, const Row<Kind, Members...>& row, const Message& message) {
  const auto& member = reach(message, row.members);
  if (row.presence == Presence::optional && goes_without_saying(message, row.members)) return;
  const bool empty = row.presence == Presence::nullable && is_empty(member);
  if (out.back() != '{') out += ',';
  json_text::append_string(out, row.name);
  out += ':';
  if (empty)
    out += "null";
  else if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>)
    row.kind.write(out, *member);
  else
    row.kind.write(out, member);
}

/// Appends the fields of Tag's table to an object that was begun with `{`.
template <class Tag, class Message>
void write_fields(std::string& out, const Message& message) {
  std::apply([&](const auto&... rows) { (write_row(out, rows, message), ...); }, Rows<Tag>::fields);
}

template <class Tag, class Message>
void write(std::string& out, const Message& message) {
  out += '{';
  write_fields<Tag>(out, message);
  out += '}';
}

// --- JSON Schema

/// Lets a schema also take null.
json::object or_null(json::object schema);
/// Adds what a row knows beyond its kind.
void describe(json::object& schema, std::string_view note, std::string_view fallback);
/// Sets the default given as JSON text.
void set_default(json::object& schema, std::string_view text);

template <class Kind, class Member>
void add_default(json::object& schema, const Kind& kind, const Member& initial) {
  if constexpr (std::is_enum_v<Member> || std::is_same_v<Member, bool>) {
    std::string text;
    kind.write(text, initial);
    set_default(schema, text);
  }
}

template <class Kind, class... Members, class Message>
void add_row(json::object& properties, json::array& needed, const Row<Kind, Members...>& row, const Message& initial) {
  json::object schema = row.kind.schema();
  if (row.presence == Presence::nullable) schema = or_null(std::move(schema));
  describe(schema, row.note, row.fallback);
  if (row.presence == Presence::optional)
    add_default(schema, row.kind, reach(initial, row.members));
  else
    needed.emplace_back(row.name);
  properties[row.name] = std::move(schema);
}

/// `{"type":"object","properties":...,"required":...}`. Message is the struct the table's rows start from.
template <class Tag, class Message = Tag>
json::object object_schema() {
  json::object properties;
  json::array needed;
  const Message initial{};
  std::apply([&](const auto&... rows) { (add_row(properties, needed, rows, initial), ...); }, Rows<Tag>::fields);
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!needed.empty()) schema["required"] = std::move(needed);
  return schema;
}

}  // namespace ptyd::schema
