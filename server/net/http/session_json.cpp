#include "server/net/http/session_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace ptyd {
namespace {

namespace json = boost::json;

std::string_view name_of(Status status) {
  switch (status) {
    case Status::starting:
      return "starting";
    case Status::running:
      return "running";
    case Status::exited:
      return "exited";
    case Status::error:
      break;
  }
  return "error";
}

json::object cursor_json(const SessionDebug::Cursor& cursor) {
  return {{"viewer", cursor.viewer},
          {"position", cursor.position},
          {"inFlight", cursor.in_flight},
          {"window", cursor.window}};
}

json::object session_json(const SessionDebug& session) {
  json::array cursors;
  for (const auto& cursor : session.cursors) cursors.push_back(cursor_json(cursor));
  json::object object{{"threadId", session.info.key.thread_id},
                      {"terminalId", session.info.key.terminal_id},
                      {"status", name_of(session.info.status)},
                      {"loop", session.loop},
                      {"tail", session.tail},
                      {"head", session.head},
                      {"queuedInput", session.queued_input},
                      {"cols", session.info.size.cols},
                      {"rows", session.info.size.rows}};
  object["pid"] = session.info.pid ? json::value(*session.info.pid) : json::value(nullptr);
  object["cursors"] = std::move(cursors);
  return object;
}

}  // namespace

std::string sessions_json(const std::vector<SessionDebug>& sessions) {
  json::array list;
  for (const auto& session : sessions) list.push_back(session_json(session));
  return json::serialize(json::object{{"sessions", std::move(list)}});
}

std::string ready_json(const ReadyFacts& facts) {
  return json::serialize(
      json::object{{"url", facts.url}, {"port", facts.port}, {"pid", facts.pid}, {"token", facts.token}});
}

}  // namespace ptyd
