#include "server/session/session_info.hpp"

#include <algorithm>
#include <array>

#include "pty/journal/history.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/child/activity_watch.hpp"

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

Snapshot SessionInfo::facts() const {
  Snapshot snapshot;
  snapshot.key = key;
  snapshot.cwd = launch_config.cwd;
  snapshot.status = child.status();
  snapshot.pid = child.pid();
  snapshot.exit = child.exit();
  snapshot.updated_at = launch_config.updated_at;
  snapshot.cursor = {recorder.journal().incarnation(), recorder.journal().head()};
  snapshot.size = launch_config.size;
  snapshot.name = launch_config.name;
  snapshot.tool_call = launch_config.tool_call;
  return snapshot;
}

Snapshot SessionInfo::resumed(Position at) const {
  auto resumed = facts();
  resumed.cursor.position = at;
  resumed.resumed = true;
  return resumed;
}

Snapshot SessionInfo::snapshot(const HistoryWish& wish) const {
  auto snapshot = facts();
  const auto& journal = recorder.journal();
  const auto lines =
      std::min<std::size_t>(wish.scrollback.value_or(limits::kMaxHistoryLines), limits::kMaxHistoryLines);
  const auto& screen = recorder.screen();
  if (recorder.is_blank())
    snapshot.history.clear();
  else if (wish.format == HistoryFormat::repaint)
    repaint(snapshot, wish.from_line.value_or(0));
  else if (wish.format == HistoryFormat::raw)
    snapshot.history = history_text(journal, journal.tail(), journal.head(), lines, limits::kMaxHistoryBytes);
  else
    snapshot.history = vt_snapshot(
        screen, {std::min(lines, limits::kMaxHistoryLines - launch_config.size.rows), limits::kMaxHistoryBytes});
  // History of a Screen ends with its modes.
  const bool needs_modes = wish.format == HistoryFormat::raw || recorder.is_blank();
  if (needs_modes && child.is_running()) snapshot.replay_preamble = mode_preamble(screen, snapshot.history);
  return snapshot;
}

/// Lines that there is no room for are missing, and said to be.
void SessionInfo::repaint(Snapshot& snapshot, std::uint64_t from_line) const {
  const auto& screen = recorder.screen();
  const auto end = screen.grid().next_line();
  const auto lines = end - std::min(end, std::max(from_line, screen.grid().first_line()));
  auto shown =
      vt_repaint(screen, {.skipped = lines, .lines = lines, .max_bytes = limits::kMaxHistoryBytes, .cuts = true});
  snapshot.history = std::move(shown.text);
  snapshot.from_line = end - (lines - shown.missing_lines);
  snapshot.first_line = screen.grid().first_line();
}

ScreenSnapshot SessionInfo::screen(const TakeSnapshot& asked) const {
  const auto& shown = recorder.screen();
  const SnapshotRange range{asked.scrollback.value_or(limits::kMaxHistoryLines), limits::kMaxHistoryBytes};
  ScreenSnapshot taken;
  taken.key = key;
  taken.cursor = {recorder.journal().incarnation(), recorder.journal().head()};
  taken.size = shown.grid().size();
  taken.format = asked.format;
  taken.caret = {shown.state().caret.row, shown.state().caret.column, shown.mode(25, false).value_or(true)};
  taken.alternate = shown.grid().active() == Buffer::alternate;
  taken.title = recorder.title();
  if (asked.format == SnapshotFormat::plain) taken.text = plain_snapshot(shown, range);
  if (asked.format == SnapshotFormat::vt) taken.text = vt_snapshot(shown, range);
  if (asked.format == SnapshotFormat::lines) {
    const auto& grid = shown.grid();
    const auto from = asked.from_line ? *asked.from_line : grid.next_line() - grid.lines_in(range.scrollback);
    auto page = vt_lines(shown, from, limits::kMaxLinesPage);
    taken.text = std::move(page.text);
    taken.first_line = page.first_line;
    taken.next_line = page.next_line;
    taken.end_line = page.end_line;
    taken.has_earlier = page.has_earlier;
  }
  if (asked.format == SnapshotFormat::cells) {
    const auto cells = cells_snapshot(shown, range);
    taken.scrollback = wire_rows(cells.scrollback, shown.grid());
    taken.screen = wire_rows(cells.screen, shown.grid());
  }
  return taken;
}

TerminalInfo SessionInfo::info() const {
  const auto active = activity_of(tracker);
  const auto process = process_of(child.foreground().value_or(Foreground{}), launch_config.cwd);
  TerminalInfo info;
  info.key = key;
  info.status = child.status();
  info.pid = child.pid();
  info.cwd = process.cwd;
  info.process = process.process;
  info.started_at = launch_config.started_at;
  info.size = launch_config.size;
  info.title = recorder.title();
  info.name = launch_config.name;
  info.exit = child.exit();
  info.has_running_subprocess = active.has_running_subprocess;
  info.cli_kind = active.cli_kind;
  info.agent_state = active.agent_state;
  info.viewers = static_cast<int>(audience.viewers());
  info.updated_at = launch_config.updated_at;
  info.command_line = launch_config.command_line;
  info.takes_input = launch_config.takes_input;
  info.tool_call = launch_config.tool_call;
  return info;
}

SessionDebug SessionInfo::debug(std::size_t loop) const {
  SessionDebug debug;
  debug.info = info();
  debug.loop = loop;
  debug.tail = recorder.journal().tail();
  debug.head = recorder.journal().head();
  debug.queued_input = child.queued();
  for (const auto& each : audience.all())
    debug.cursors.push_back({each->viewer->name(), each->cursor, each->credit.in_flight(), each->credit.window()});
  for (const auto& each : audience.holds()) debug.cursors.push_back({"(gone)", each.reached, 0, 0});
  return debug;
}

}  // namespace ptyd
