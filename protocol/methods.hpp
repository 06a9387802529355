// Methods: what a client may ask, by wire name; one row each, shared by all dialects that speak `terminal.*`.
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>

#include "protocol/json/schema.hpp"
#include "protocol/messages.hpp"

namespace ptyd {

struct Method {
  std::string_view name;     ///< "terminal.open"
  std::string_view failure;  ///< said by effect rpc when an error has no words of its own
  std::string_view note;     ///< one line for people
  std::string_view result;   ///< name of the Reply in the JSON Schema; "" for Done
  bool streams;              ///< its answer is the stream of events
  Problem (*decode)(const boost::json::object& params, schema::Nulls nulls, Command& command);
  std::string_view params;  ///< name of the parameters in the JSON Schema
  boost::json::object (*params_schema)();
};

std::span<const Method> methods();
/// Null when there is none of this name.
const Method* find_method(std::string_view name);

/// Appends a reply's value as JSON; `null` for Done.
void write_reply(std::string& out, const Reply& reply);

}  // namespace ptyd
