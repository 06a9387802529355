// terminal.snapshot: how a session looks now.
#include "pty/screen/told/snapshot.hpp"
#include "server/session/session.hpp"

namespace ptyd {

namespace {

std::string wire_colour(Colour colour) {
  if (colour.is_default()) return {};
  if (colour.is_indexed()) return std::to_string(colour.value());
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text = "#";
  for (int shift = 20; shift >= 0; shift -= 4) text += kHex[colour.value() >> shift & 15];
  return text;
}

std::string wire_underline(Underline underline) {
  static constexpr std::array<const char*, 6> kNames{"", "single", "double", "curly", "dotted", "dashed"};
  return kNames.at(static_cast<std::size_t>(underline));
}

CellSpan wire_span(const Span& span, const Grid& grid) {
  const auto has = [&span](std::uint8_t bit) { return (span.pen.attributes & bit) != 0; };
  return {span.text,
          span.columns,
          wire_colour(span.pen.foreground),
          wire_colour(span.pen.background),
          wire_colour(span.pen.underline_colour),
          wire_underline(span.pen.underline),
          has(attribute::kBold),
          has(attribute::kFaint),
          has(attribute::kItalic),
          has(attribute::kBlink),
          has(attribute::kInverse),
          has(attribute::kInvisible),
          has(attribute::kStrike),
          has(attribute::kOverline),
          span.pen.link == 0 ? std::string() : grid.link(span.pen.link).uri};
}

std::vector<CellRow> wire_rows(const std::vector<CellsSnapshot::Row>& rows, const Grid& grid) {
  std::vector<CellRow> result;
  for (const auto& row : rows) {
    auto& made = result.emplace_back();
    made.wrapped = row.wrapped;
    for (const auto& span : row.spans) made.spans.push_back(wire_span(span, grid));
  }
  return result;
}

}  // namespace

/// At once, whoever hears what.
void Session::on(const Caller& caller, const TakeSnapshot& asked) {
  const auto& screen = recorder_.screen();
  const SnapshotRange range{asked.scrollback.value_or(limits::kMaxHistoryLines), limits::kMaxHistoryBytes};
  ScreenSnapshot taken;
  taken.key = key();
  taken.cursor = {recorder_.journal().incarnation(), recorder_.journal().head()};
  taken.size = screen.grid().size();
  taken.format = asked.format;
  taken.caret = {screen.state().caret.row, screen.state().caret.column, screen.mode(25, false).value_or(true)};
  taken.alternate = screen.grid().active() == Buffer::alternate;
  taken.title = recorder_.title();
  if (asked.format == SnapshotFormat::plain) taken.text = plain_snapshot(screen, range);
  if (asked.format == SnapshotFormat::vt) taken.text = vt_snapshot(screen, range);
  if (asked.format == SnapshotFormat::cells) {
    const auto cells = cells_snapshot(screen, range);
    taken.scrollback = wire_rows(cells.scrollback, screen.grid());
    taken.screen = wire_rows(cells.screen, screen.grid());
  }
  caller.reply(Reply(std::move(taken)));
}

}  // namespace ptyd
