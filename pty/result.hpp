// Result<T>: the value or the Error of anything that a client, a child or the kernel can make fail.
#pragma once

#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace ptyd {

/// Kind of a failure. Its wire name and number are in protocol/errors alone.
enum class Errc {
  internal,        ///< ours; a bug or an exhausted machine
  not_found,       ///< no such session
  not_running,     ///< the session has no live child (never started, or failed to)
  exited,          ///< the child is gone
  busy,            ///< a bounded queue is full, or another client is using the prompt
  bad_request,     ///< the request breaks its contract; the detail names field and bound
  bad_cwd,         ///< the working directory does not exist or is none
  denied,          ///< not allowed to this peer
  limit,           ///< a server-wide limit is reached
  spawn_failed,    ///< no candidate program could be started
  no_integration,  ///< the shell does not tell where its commands begin and end
  end,             ///< end of a child's output
};

/// An Errc and a sentence for a person: what was asked, and what stood against it.
class Error {
 public:
  Error() = default;
  Error(Errc code, std::string detail, int exec_error = 0)
      : code_(code), detail_(std::move(detail)), exec_error_(exec_error) {}

  Errc code() const { return code_; }
  const std::string& detail() const { return detail_; }
  /// The errno of exec, where a spawn_failed means that a program could not be executed; else 0.
  int exec_error() const { return exec_error_; }

 private:
  Errc code_ = Errc::internal;
  std::string detail_;
  int exec_error_ = 0;
};

/// Called by boost::system::result when value() is called on a failure, which is a bug in the calling code.
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location&) {
  throw std::logic_error("value() of a failure: " + error.detail());
}

template <class T>
using Result = boost::system::result<T, Error>;

}  // namespace ptyd
