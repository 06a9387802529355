// ToolCalls: the tool calls that an agent tells of, and the terminals that each has shown.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace ptyd {

/// Remembers tool calls by their names, so that an update without content reaches the terminals that were shown before,
/// and a terminal is shown with what was told before it.
///
/// Thread  one.
/// Units   lengths of text are UTF-16 units.
class ToolCalls {
 public:
  /// Calls that are remembered. Of more, the one that was told of longest ago is forgotten, and its terminals keep what
  /// was told last. An agent has a few under way at a time; each costs some 1 KiB.
  static constexpr std::size_t kMaxCalls = 128;
  /// Terminals of one call, and those that one update may show: each is a Command. A call shows one or a few; of more,
  /// the one that was shown first gets no more updates.
  static constexpr std::size_t kMaxTerminals = 64;
  /// Length of a toolCallId at most: those of models have some 30. An update with a longer one counts as one without.
  static constexpr std::size_t kMaxId = 256;

  /// The Commands that follow from `update`, a session/update of `thread`. A field that is not as the protocol has it
  /// is ignored.
  std::vector<Pin> take(const std::string& thread, const boost::json::value& update);
  /// Commands that tell `key` again of the calls that have shown it; the call that was told of last comes last.
  std::vector<Pin> recall(const SessionKey& key) const;

 private:
  struct Call {
    std::string thread, id;
    ToolCallUpdate told;
    std::vector<std::string> terminals;  // the one that was shown first is first
  };

  Call& find_or_add(const std::string& thread, const std::string& id);

  std::vector<Call> calls_;  // the one that was told of last is last
};

}  // namespace ptyd
