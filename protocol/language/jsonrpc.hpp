// JSON-RPC 2.0: kinds of frames by their shape, and frames as text. Shared by ACP and MCP.
//
// Both sides ask on one connection, each with ids of its own: the id of a Request and that of a Response may be the
// same number and have nothing to do with each other.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "protocol/json/issue.hpp"
#include "protocol/language/frame.hpp"

namespace ptyd::jsonrpc {

/// The id of an answer to a frame whose id cannot be read.
inline constexpr std::string_view kNoId = "null";

/// Views and pointers below are into the frame. An id is kept as JSON text: `1` and `"1"` are two.
struct Request {
  std::string id;
  std::string_view method;
  const boost::json::value* params = nullptr;  ///< null when absent
};
struct Notification {
  std::string_view method;
  const boost::json::value* params = nullptr;
};
/// A frame without a method, with a result or an error. Never answered, whatever is wrong with it.
struct Response {
  std::string id;                              ///< kNoId when it cannot be read
  const boost::json::value* result = nullptr;  ///< null when it is an error
};
/// Any other frame, and the error that is the answer to it.
struct Broken {
  std::string id;  ///< kNoId where it cannot be read
  int code = 0;
  std::string sentence;
};
using Message = std::variant<Request, Notification, Response, Broken>;

/// `document` is `frame`, read.
Message read(std::string_view frame, const Document& document);
/// Reads an id: an integer, or a string of bounded length. 1.0 is 1, as it is in JavaScript.
Problem read_id(const boost::json::value& value, std::string& id);

// Frames; `id`, `result`, `params` and `data` are JSON text, no `data` leaves it out.
std::string request_frame(std::string_view id, std::string_view method, std::string_view params);
std::string notification_frame(std::string_view method, std::string_view params);
std::string result_frame(std::string_view id, std::string_view result);
std::string error_frame(std::string_view id, int code, std::string_view sentence, std::string_view data = {});

}  // namespace ptyd::jsonrpc
