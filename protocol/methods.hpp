// Methods: a client's requests by wire name, shared by all dialects that speak `terminal.*`. They are the Commands
// whose Rows have a `method`.
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"
#include "protocol/rows.hpp"

namespace ptyd {

struct Method : schema::MethodText {
  std::string_view result;  ///< name of the Reply in the JSON Schema; "" for Done
  bool streams = false;     ///< its answer is the stream of events
  Problem (*decode)(const boost::json::object& params, schema::Nulls nulls, Command& command) = nullptr;
  std::string_view params;  ///< name of the parameters in the JSON Schema
  boost::json::object (*params_schema)() = nullptr;
  bool is_closed = false;  ///< fields that it does not know are refused
};

std::span<const Method> methods();
/// Null when there is none of this name.
const Method* find_method(std::string_view name);

/// Appends a reply's value as JSON; `null` for Done.
void write_reply(std::string& out, const Reply& reply);

}  // namespace ptyd
