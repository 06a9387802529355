#include "protocol/output.hpp"

#include "protocol/event_rows.hpp"
#include "protocol/json/json_text.hpp"
#include "protocol/rows.hpp"

namespace ptyd {

namespace {

/// Parts of a frame beside head and data: time, cursor, length and the names of these.
constexpr std::size_t kFurniture = 160;
/// A half more than the data: logs full of colours grow by a quarter. Data that grows more costs a second allocation.
constexpr std::size_t kRoomForEscapes = 2;

std::string begin_event(std::string_view type) {
  std::string text = R"({"type":)";
  json_text::append_string(text, type);
  return text;
}

}  // namespace

OutputWriter::OutputWriter(const SessionKey& key) : head_(begin_event(schema::Rows<Output>::type)) {
  head_ += R"(,"threadId":)";
  json_text::append_string(head_, key.thread_id);
  head_ += R"(,"terminalId":)";
  json_text::append_string(head_, key.terminal_id);
  head_ += R"(,"createdAt":")";
}

EventText OutputWriter::write(UnixMillis created_at, const Cursor& cursor, std::string_view data) const {
  EventText text;
  text.json.reserve(head_.size() + kFurniture + data.size() + data.size() / kRoomForEscapes);
  text.json += head_;
  json_text::append_time(text.json, created_at);
  text.json += R"(","cursor":")";
  text.json += format_cursor(cursor);
  text.json += R"(","data":")";
  text.byte_length = json_text::append_escaped(text.json, data);
  text.json += R"(","byteLength":)";
  json_text::append_integer(text.json, static_cast<std::int64_t>(text.byte_length));
  text.json += '}';
  return text;
}

std::optional<Feature> needed_feature(const EventBody& body) {
  return std::visit(
      []<class Body>(const Body&) -> std::optional<Feature> {
        if constexpr (schema::Rows<Body>::told_to == schema::ToldTo::asking) return kFeatureOf<Body>;
        return std::nullopt;
      },
      body);
}

bool has_place(const EventBody& body) {
  return std::visit([]<class Body>(const Body&) { return schema::Rows<Body>::place == schema::Place::output; }, body);
}

EventText event_text(const Event& event) {
  EventText text;
  std::visit(
      [&](const auto& body) {
        using Body = std::remove_cvref_t<decltype(body)>;
        text.json = begin_event(schema::Rows<Body>::type);
        schema::write_fields<Event>(text.json, event);
        schema::write_fields<Body>(text.json, body);
        if constexpr (std::is_same_v<Body, Output>) text.byte_length = body.byte_length;
      },
      event.body);
  text.json += '}';
  return text;
}

}  // namespace ptyd
