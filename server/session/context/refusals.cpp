#include "server/session/context/refusals.hpp"

namespace ptyd {

Error unknown_terminal(const SessionKey& key) {
  return Error(Errc::not_found, "Unknown terminal thread: " + key.thread_id + ", terminal: " + key.terminal_id);
}

Error not_running(const SessionKey& key) {
  return Error(Errc::not_running,
               "Terminal is not running for thread: " + key.thread_id + ", terminal: " + key.terminal_id);
}

Error has_exited() {
  return Error(Errc::exited, "");
}

Error server_is_ending() {
  return Error(Errc::internal, "The server is ending");
}

Error was_cancelled() {
  return Error(Errc::internal, "The request was cancelled");
}

void refuse(const Caller& caller, const Error& error, const std::function<void()>& finished) {
  caller.reply(error);
  finished();
}

}  // namespace ptyd
