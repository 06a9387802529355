#include "server/session/recording/mark_rows.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "server/session/recording/mark_payload.hpp"

namespace ptyd {

namespace {

std::optional<Size> size_of_start(std::string_view payload) {
  const auto facts = decode_start(payload);
  return facts ? std::optional(facts->size) : std::nullopt;
}

constexpr std::array kRows{
    MarkRow{.kind = MarkKind::started,
            .resets_client = true,
            .size = size_of_start,
            .body = [](const Mark& mark, const StartSnapshot& start) -> EventBody { return Started{start(mark)}; }},
    MarkRow{.kind = MarkKind::restarted,
            .resets_client = true,
            .size = size_of_start,
            .body = [](const Mark& mark, const StartSnapshot& start) -> EventBody { return Restarted{start(mark)}; }},
    MarkRow{.kind = MarkKind::exited,
            .ends_output = true,
            .body = [](const Mark& mark, const StartSnapshot&) -> EventBody {
              return Exited{decode_exit(mark.payload).value_or(ExitStatus{})};
            }},
    MarkRow{.kind = MarkKind::cleared,
            .resets_client = true,
            .payload_is_output = true,
            .body = [](const Mark&, const StartSnapshot&) -> EventBody { return Cleared{}; }},
    MarkRow{.kind = MarkKind::resized,
            .size = decode_size,
            .body = [](const Mark& mark, const StartSnapshot&) -> EventBody {
              return Resized{decode_size(mark.payload).value_or(Size{})};
            }},
    MarkRow{
        .kind = MarkKind::title,
        .body = [](const Mark& mark, const StartSnapshot&) -> EventBody { return Title{std::string(mark.payload)}; }},
    MarkRow{.kind = MarkKind::activity,
            .body = [](const Mark& mark, const StartSnapshot&) -> EventBody {
              return decode_activity(mark.payload).value_or(Activity{});
            }},
    MarkRow{
        .kind = MarkKind::error,
        .body = [](const Mark& mark, const StartSnapshot&) -> EventBody { return Failed{std::string(mark.payload)}; }},
    MarkRow{.kind = MarkKind::warning,
            .body = [](const Mark& mark, const StartSnapshot&) -> EventBody {
              return decode_warning(mark.payload).value_or(Warning{"unknown", "?"});
            }},
    MarkRow{.kind = MarkKind::forgotten},
};
static_assert(kRows.size() == kMarkTraits.size(), "each kind of mark has both rows");
static_assert(kRows.back().body == nullptr && kRows.back().size == nullptr, "row_of() gives it for unknown kinds");

}  // namespace

const MarkRow& row_of(MarkKind kind) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [kind](const MarkRow& row) { return row.kind == kind; });
  return found == kRows.end() ? kRows.back() : *found;
}

std::optional<Size> size_told(MarkKind kind, std::string_view payload) {
  const auto size = row_of(kind).size;
  return size ? size(payload) : std::nullopt;
}

}  // namespace ptyd
