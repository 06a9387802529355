#include "server/net/http/session_json.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <chrono>
#include <cstdint>

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

/// Of "c42".
std::uint64_t number_of(const std::string& name) {
  std::uint64_t number = 0;
  std::from_chars(name.data() + std::min<std::size_t>(1, name.size()), name.data() + name.size(), number);
  return number;
}

json::object connection_json(const ConnectionDebug& open, TimePoint now) {
  return {{"number", number_of(open.record.name)},
          {"role", role_text(open.record.role)},
          {"from", open.record.from},
          {"languages", open.languages},
          {"bytesIn", open.record.bytes_in},
          {"bytesOut", open.record.bytes_out},
          {"seconds", std::chrono::duration<double>(now - open.record.begun).count()},
          {"paused", open.paused},
          {"loop", open.loop}};
}

}  // namespace

std::string connections_json(std::vector<ConnectionDebug> open, TimePoint now) {
  std::sort(open.begin(), open.end(), [](const auto& one, const auto& other) {
    return number_of(one.record.name) < number_of(other.record.name);
  });
  json::array list;
  for (const auto& each : open) list.push_back(connection_json(each, now));
  return json::serialize(json::object{{"connections", std::move(list)}});
}

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
