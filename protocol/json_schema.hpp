// The protocol as JSON Schema, printed from the rows.
#pragma once

#include <string>

namespace ptyd {

/// All requests, replies, events and frames, pretty-printed; committed as protocol/terminal.schema.json, from which the
/// web client's types and the tables of terminal.md are made.
std::string json_schema();

}  // namespace ptyd
