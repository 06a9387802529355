#include "protocol/errors.hpp"

#include <array>
#include <cstddef>

namespace ptyd {

namespace {

// JSON-RPC reserves -32768..-32000; -32602 and -32603 are its own, -32002 is what agents know as "resource not found".
// A working directory is a parameter like others to them.
constexpr std::array kErrors = {
    ErrorRow{Errc::internal, "internal", -32603, "Something went wrong in the server"},
    ErrorRow{Errc::not_found, "not_found", -32002, "There is no such terminal"},
    ErrorRow{Errc::not_running, "not_running", -32010, "The terminal is not running"},
    ErrorRow{Errc::exited, "exited", -32011, "The terminal's process has ended"},
    ErrorRow{Errc::busy, "busy", -32012, "The terminal is busy"},
    ErrorRow{Errc::bad_request, "bad_request", -32602, "The request is not valid"},
    ErrorRow{Errc::bad_cwd, "bad_cwd", -32602, "The working directory cannot be used"},
    ErrorRow{Errc::denied, "denied", -32001, "Not allowed"},
    ErrorRow{Errc::limit, "limit", -32014, "A limit of the server is reached"},
    ErrorRow{Errc::spawn_failed, "spawn_failed", -32015, "No program could be started"},
    ErrorRow{Errc::no_integration, "no_integration", -32017, "The shell does not tell where its commands end"},
    ErrorRow{Errc::end, "end", -32016, "The output has ended"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kErrors.size(); ++i)
    if (static_cast<std::size_t>(kErrors[i].code) != i) return false;
  return kErrors.size() == static_cast<std::size_t>(Errc::end) + 1;
}
static_assert(in_order(), "one row for each Errc, in the order of the enumeration");

}  // namespace

const ErrorRow& error_row(Errc code) {
  return kErrors.at(static_cast<std::size_t>(code));
}

std::string error_sentence(const Error& error) {
  return error.detail().empty() ? std::string(error_row(error.code()).sentence) : error.detail();
}

}  // namespace ptyd
