// The protocol as documents, printed from the rows: a JSON Schema for programs, a table for people.
#pragma once

#include <string>

namespace ptyd {

/// JSON Schema of all requests, replies, events and frames, pretty-printed; committed as protocol/terminal.schema.json.
std::string json_schema();

/// The methods and their parameters as Markdown; README.md carries it.
std::string protocol_table();

}  // namespace ptyd
