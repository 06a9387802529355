// MarkRow: a row for each kind of mark, and what becomes of it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "protocol/messages.hpp"
#include "pty/journal/mark.hpp"

namespace ptyd {

/// Makes the snapshot that the event of a start holds.
using StartSnapshot = std::function<Snapshot(const Mark&)>;

/// Kinds without a row, which damaged files may hold, are sent to no client.
struct MarkRow {
  MarkKind kind;
  /// A client starts over at such a mark: it needs nothing from before.
  bool resets_client = false;
  /// Sent after all output before it: a client may stop listening there.
  bool ends_output = false;
  /// Its payload is text for the viewer's emulator, sent behind its event.
  bool payload_is_output = false;
  /// The size that holds from such a mark on; null for marks that tell none.
  std::optional<Size> (*size)(std::string_view payload) = nullptr;
  /// Makes its event, of a damaged payload with what is still known; null where viewers are told of none.
  EventBody (*body)(const Mark& mark, const StartSnapshot& start) = nullptr;
};

const MarkRow& row_of(MarkKind kind);

/// The size that holds from a mark on, if it tells one.
std::optional<Size> size_told(MarkKind kind, std::string_view payload);

}  // namespace ptyd
