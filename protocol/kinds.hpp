// Kinds: the types of field values. schema.hpp defines Kind.
#pragma once

#include <array>
#include <boost/json/array.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json/schema.hpp"
#include "protocol/messages.hpp"

namespace ptyd::schema {

/// A string. Lengths are UTF-16 units, as JavaScript counts them.
struct Text {
  std::size_t min = 0;
  std::size_t max = kUnbounded;
  bool trimmed = false;      ///< white space at both ends is taken away first, as JavaScript's trim() does
  bool may_hold_nul = true;  ///< false for what reaches a path, an environment or a file name
  static constexpr std::size_t kUnbounded = std::numeric_limits<std::size_t>::max();

  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  void write(std::string& out, const std::string& text) const { json_text::append_string(out, text); }
  json::object schema() const;
};

/// Name and version of an emulator, as XTVERSION tells them: `name`, `name(version)` or `name version`. It holds
/// nothing that a shell acts on: where a program does not read the answer, its shell does.
struct EmulatorName {
  std::size_t max;
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  json::object schema() const;
};

/// A number without fraction; 80.0 is one, "80" is none.
struct Integer {
  std::int64_t min;
  std::int64_t max = kUnbounded;
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

  template <class Number>
  Problem decode(const json::value& value, Number& out, Nulls) const {
    std::int64_t number = 0;
    Problem problem = read(value, number);
    if (!problem) out = static_cast<Number>(number);
    return problem;
  }
  template <class Number>
  void write(std::string& out, Number number) const {
    json_text::append_integer(out, static_cast<std::int64_t>(number));
  }
  json::object schema() const;

 private:
  Problem read(const json::value& value, std::int64_t& out) const;
};

struct Boolean {
  Problem decode(const json::value& value, bool& out, Nulls nulls) const;
  void write(std::string& out, bool flag) const { out += flag ? "true" : "false"; }
  json::object schema() const { return {{"type", "boolean"}}; }
};

/// The wire names of an enumeration, in its order.
template <class Enum>
inline constexpr std::array<std::string_view, 0> kNames{};
template <>
inline constexpr std::array<std::string_view, 4> kNames<Status>{"starting", "running", "exited", "error"};
template <>
inline constexpr std::array<std::string_view, 2> kNames<DeliveryPolicy>{"latest", "lossless"};
template <>
inline constexpr std::array<std::string_view, 3> kNames<HistoryFormat>{"screen", "raw", "repaint"};
template <>
inline constexpr std::array<std::string_view, 4> kNames<SnapshotFormat>{"plain", "vt", "cells", "lines"};
/// Names of the Agent Client Protocol.
template <>
inline constexpr std::array<std::string_view, 10> kNames<ToolKind>{
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"};
template <>
inline constexpr std::array<std::string_view, 4> kNames<ToolStatus>{"pending", "in_progress", "completed", "failed"};

/// The place of `value` among `names`, or the problem with it.
Problem decode_name(const json::value& value, std::span<const std::string_view> names, std::size_t& index);
json::object names_schema(std::span<const std::string_view> names);

template <class Enum>
struct Choice {
  Problem decode(const json::value& value, Enum& out, Nulls) const {
    std::size_t index = 0;
    Problem problem = decode_name(value, kNames<Enum>, index);
    if (!problem) out = static_cast<Enum>(index);
    return problem;
  }
  void write(std::string& out, Enum choice) const {
    json_text::append_string(out, kNames<Enum>.at(static_cast<std::size_t>(choice)));
  }
  json::object schema() const { return names_schema(kNames<Enum>); }
};

/// A string out of a few that the rest of the server keeps as text. Only written.
struct Word {
  std::array<std::string_view, 3> words;  ///< unused ones are ""
  void write(std::string& out, const std::string& word) const { json_text::append_string(out, word); }
  json::object schema() const;
};

/// Event types a client asks for, by the names of the events; in event_rows.cpp.
struct FeatureNames {
  Problem decode(const json::value& value, std::vector<Feature>& out, Nulls nulls) const;
  json::object schema() const;
};

/// A JSON object of environment variables.
struct EnvironmentObject {
  Problem decode(const json::value& value, Environment& out, Nulls nulls) const;
  json::object schema() const;
};

/// `#rrggbb`.
struct Colour {
  Problem decode(const json::value& value, std::uint32_t& out, Nulls nulls) const;
  json::object schema() const;
};

/// ISO-8601 UTC with milliseconds. Only written.
struct Timestamp {
  void write(std::string& out, UnixMillis time) const;
  json::object schema() const { return {{"type", "string"}, {"format", "date-time"}}; }
};

/// A Cursor as clients keep it. Only written: a cursor that a client sends back is text until the session parses it.
struct CursorText {
  void write(std::string& out, const Cursor& cursor) const { json_text::append_string(out, format_cursor(cursor)); }
  json::object schema() const { return {{"type", "string"}}; }
};

inline json::object reference_to(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

/// An object with a table of its own.
template <class Tag>
struct Object {
  using Part = Tag;
  template <class Message>
  Problem decode(const json::value& value, Message& out, Nulls nulls) const {
    const json::object* object = value.if_object();
    if (!object) return Issue::not_a(value, "an object", "object");
    return schema::decode<Tag>(*object, out, nulls);
  }
  template <class Message>
  void write(std::string& out, const Message& message) const {
    schema::write<Tag>(out, message);
  }
  json::object schema() const { return reference_to(Rows<Tag>::name); }
};

/// An array of objects with a table of their own. Only written.
template <class Tag>
struct ArrayOf {
  using Part = Tag;
  void write(std::string& out, const std::vector<Tag>& items) const {
    out += '[';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ',';
      schema::write<Tag>(out, items[i]);
    }
    out += ']';
  }
  json::object schema() const { return {{"type", "array"}, {"items", reference_to(Rows<Tag>::name)}}; }
};

}  // namespace ptyd::schema
