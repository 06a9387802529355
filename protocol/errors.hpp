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

/// The row of `code`; there is one for each.
const ErrorRow& error_row(Errc code);

/// What a person is told: the detail, else the row's sentence.
std::string error_sentence(const Error& error);

}  // namespace ptyd
