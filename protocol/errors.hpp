// Errc on the wire: names, JSON-RPC numbers and sentences, in one table.
#pragma once

#include <string>
#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

struct ErrorRow {
  Errc code;
  std::string_view name;      ///< `code` of error objects in envelope and effect rpc
  int json_rpc;               ///< `code` of error objects in JSON-RPC
  std::string_view sentence;  ///< said when the Error has no detail
};

/// Errors of JSON-RPC itself, which no Errc stands for; the last is the Language Server Protocol's.
namespace json_rpc {
inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
                     kRequestCancelled = -32800;
}  // namespace json_rpc

/// The row of `code`; there is one for each.
const ErrorRow& error_row(Errc code);

/// Sentence for a person: the detail, else that of the row.
std::string error_sentence(const Error& error);

}  // namespace ptyd
