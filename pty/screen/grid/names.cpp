#include "pty/screen/grid/names.hpp"

#include <span>

namespace ptyd {
namespace {

/// Names that are refused before a collection is tried again after one that gained nothing: each goes over all cells.
constexpr int kPatience = 4096;

void mark_cells(std::span<const Cell> cells, LookMarks& marks) {
  for (const Cell& cell : cells) {
    marks.pens[cell.pen] = true;
    if ((cell.glyph & Cell::kCluster) != 0) marks.clusters[cell.glyph & ~Cell::kCluster] = true;
  }
}

}  // namespace

PenId Names::pen_id(const Pen& pen, Lines& used_in) {
  if (const auto id = styles_.pen_id(pen)) return *id;
  if (make_room(used_in))
    if (const auto id = styles_.pen_id(pen)) return *id;
  ++simplified_;
  const Pen plainer{{}, {}, {}, pen.attributes, pen.underline, 0};
  return styles_.known_pen(plainer).value_or(0);
}

LinkId Names::link_id(const Link& link, Lines& used_in) {
  if (link.uri.size() > StyleTable::kMaxUri || link.id.size() > StyleTable::kMaxLinkId) return 0;
  if (const auto id = styles_.link_id(link)) return *id;
  if (make_room(used_in))
    if (const auto id = styles_.link_id(link)) return *id;
  ++simplified_;
  return 0;
}

std::uint32_t Names::cluster_of(const std::string& text, std::uint32_t otherwise, Lines& used_in) {
  if (const auto glyph = styles_.cluster_glyph(text)) return *glyph;
  // `otherwise` may be a cluster that only the caller knows; it is in its cell all the same, so it is not collected.
  if (make_room(used_in))
    if (const auto glyph = styles_.cluster_glyph(text)) return *glyph;
  ++simplified_;
  return otherwise;
}

/// Collects names that are not in use; where that does not help, older rows lose what the full table names. False when
/// the screens alone fill it.
bool Names::make_room(Lines& used_in) {
  if (--patience_ > 0) return false;
  collect(used_in);
  for (const std::size_t rows : {used_in.scrollback.size() / 2, used_in.scrollback.size()}) {
    if (styles_.roomy()) break;
    if (!styles_.roomy_for_pens()) {
      used_in.scrollback.make_plain(rows);
      used_in.below.make_plain(used_in.below.size());
    }
    if (!styles_.roomy_for_clusters()) {
      used_in.scrollback.cut_clusters(rows, styles_);
      used_in.below.cut_clusters(used_in.below.size(), styles_);
    }
    ++simplified_;
    collect(used_in);
  }
  patience_ = styles_.roomy() ? 0 : kPatience;
  return styles_.roomy();
}

void Names::collect(const Lines& used_in) {
  LookMarks marks = styles_.no_marks();
  for (const Buffer buffer : {Buffer::primary, Buffer::alternate})
    for (int row = 0; row < used_in.rows; ++row) mark_cells(used_in.line(buffer, row).cells, marks);
  used_in.scrollback.mark(marks);
  used_in.below.mark(marks);
  for (const Pen& kept : kept_pens_ ? kept_pens_() : std::vector<Pen>{}) {
    marks.links[kept.link] = true;
    if (const auto id = styles_.known_pen(kept)) marks.pens[*id] = true;
  }
  for (std::size_t id = 0; id < marks.pens.size(); ++id)
    if (marks.pens[id]) marks.links[styles_.pen(static_cast<PenId>(id)).link] = true;
  styles_.keep_only(marks);
  ++collections_;
}

}  // namespace ptyd
