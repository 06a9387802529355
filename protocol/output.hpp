// Events as ready wire text, made once for all viewers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"

namespace ptyd {

/// An event object as JSON text, `{"type":...}`, the same in every dialect that pushes events as such objects.
struct EventText {
  std::string json;
  std::size_t byte_length = 0;  ///< of output's data in UTF-8; 0 for other events
};

/// Writes `output` events of one session: everything but time, cursor and data is constant.
///
/// Thread  one. The data goes through a vectorised escaper with UTF-8 check; it never meets the JSON library.
class OutputWriter {
 public:
  explicit OutputWriter(const SessionKey& key);
  /// `data` should end at a character boundary; bytes that are no UTF-8 become U+FFFD.
  EventText write(UnixMillis created_at, const Cursor& cursor, std::string_view data) const;

 private:
  std::string head_;
};

/// The feature that a connection must have asked for to be told of the event; none for the reference's own types.
std::optional<Feature> needed_feature(const EventBody& body);

/// Whether the event has a place in the output, at which viewers are told of it.
bool has_place(const EventBody& body);

/// Any event, by the field rows. For Output prefer OutputWriter.
EventText event_text(const Event& event);

}  // namespace ptyd
