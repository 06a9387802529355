#include "pty/screen/serialize/screen_text.hpp"

#include <algorithm>
#include <utility>

#include "pty/screen/serialize/line_writer.hpp"

namespace ptyd {
namespace {

template <class Row>
std::size_t bytes_of(const Row& row) {
  return row.text.size();
}

}  // namespace

std::vector<ScreenText::Place> ScreenText::by_importance() const {
  std::vector<Place> places;
  const Buffer hidden = grid_.active() == Buffer::primary ? Buffer::alternate : Buffer::primary;
  for (const Buffer buffer : {grid_.active(), hidden})
    for (int row = rows(buffer); row-- > 0;) places.push_back({buffer, row});
  return places;
}

ScreenText::Row ScreenText::drawn(const Place& place, LinkBudget& links, Detail detail) const {
  const auto [buffer, row] = place;
  const Line line = grid_.line(buffer, row);
  const bool has_next = row + 1 < rows(buffer);
  const bool continues =
      row == 0 ? buffer == Buffer::primary && extent_.continues : grid_.line(buffer, row - 1).wrapped;
  Row drawn;
  LineWriter writer(grid_, drawn.text, &links, detail);
  writer.write(line, continues, line.wrapped && has_next);
  if (has_next && !line.wrapped) drawn.text += "\r\n";
  drawn.saved_caret = writer.saved_caret();
  drawn.ended_at_text = writer.ended_at_text();
  return drawn;
}

void ScreenText::keep(const std::vector<Place>& places, std::vector<Row> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows_[static_cast<std::size_t>(places[i].buffer)].push_back(std::move(rows[i]));
}

void ScreenText::draw(LinkBudget& links, std::size_t max_bytes) {
  const auto places = by_importance();
  const auto draw_row = [&](std::size_t index, Detail detail) { return drawn(places[index], links, detail); };
  keep(places, drawn_to_fit<Row>(places.size(), max_bytes, draw_row, bytes_of<Row>));
}

bool ScreenText::draw_exactly(LinkBudget& links, std::size_t max_bytes) {
  const auto places = by_importance();
  const auto draw_row = [&](std::size_t index) { return drawn(places[index], links, Detail::full); };
  Drawn<Row> all(places.size(), max_bytes, draw_row, bytes_of<Row>);
  if (all.bytes > max_bytes) return false;
  keep(places, std::move(all.rows));
  return true;
}

std::string ScreenText::text(Buffer buffer) const {
  const auto& rows = rows_[static_cast<std::size_t>(buffer)];
  std::string text;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) text += row->text;
  return text;
}

std::size_t ScreenText::bytes() const {
  std::size_t bytes = 0;
  for (const auto& rows : rows_)
    for (const Row& row : rows) bytes += row.text.size();
  return bytes;
}

bool ScreenText::saves_caret(Buffer buffer) const {
  const auto& rows = rows_[static_cast<std::size_t>(buffer)];
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.saved_caret; });
}

bool ScreenText::ends_at_text() const {
  return !rows_[0].empty() && rows_[0].front().ended_at_text;
}

}  // namespace ptyd
