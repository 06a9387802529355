// LiveOutput: the output of an agent's programs as notifications, so that an agent need not ask again and again.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "protocol/messages.hpp"

namespace ptyd {

/// The terminals that one connection has subscribed to, and their events as notifications, in the shapes that version 2
/// of the protocol has for terminals that an agent shows: chunks of bytes in Base64, which follow each other and may
/// split characters and sequences; and updates, of which what is left out stays as it is.
///
/// Thread  one.
class LiveOutput {
 public:
  static constexpr std::string_view kChunk = "_ptyd/terminal/output", kUpdate = "_ptyd/terminal/update";
  static constexpr std::array kNotifications = {kChunk, kUpdate};

  /// Writes the present state in the form of a complete update; the chunks that follow continue its output.
  static void write_snapshot(std::string& out, const Snapshot& snapshot);

  /// Begins to tell events that follow `shown`; there are none where the program has ended.
  void begin(const Snapshot& shown);
  void end(const SessionKey& key) { heard_.erase(key); }
  bool is_empty() const { return heard_.empty(); }
  /// The notification of an event of a terminal that the client is subscribed to, if it has one. Nothing follows an
  /// exit.
  std::optional<std::string> tell(const Event& event);

 private:
  std::set<SessionKey> heard_;  // subscribed terminals whose programs run
};

}  // namespace ptyd
