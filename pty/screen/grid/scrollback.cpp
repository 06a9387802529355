#include "pty/screen/grid/scrollback.hpp"

#include <algorithm>
#include <cstring>

#include "pty/screen/grid/ascii_cells.hpp"
#include "pty/screen/grid/glyph_bytes.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

// Bytes of a chunk; and its rows at most, since a chunk is freed with its last row and empty rows take no bytes.
constexpr std::size_t kFirstChunk = 1 << 10, kChunk = 16 << 10, kChunkRows = 1 << 10;

/// Whether one of the next two glyphs is beyond ASCII, so that a run of ASCII is not worth looking for.
bool is_mixed(std::span<const Cell> cells) {
  return cells[0].glyph > 0x7F || (cells.size() > 1 && cells[1].glyph > 0x7F);
}

/// Cells for which a row counts; empty rows count too, so that they are bounded.
std::size_t cost(std::size_t cells) {
  return std::max<std::size_t>(cells, 1);
}

bool is_default_blank(const Cell& cell) {
  return cell.glyph == 0 && cell.pen == 0 && cell.width == 1;
}

}  // namespace

/// Cells that look alike; wide glyphs are two cells each.
struct Scrollback::Run {
  PenId pen = 0;
  std::uint8_t width = 1;
  std::uint8_t guarded = 0;
  std::uint16_t cells = 0;
};

/// A row as it lies in a chunk.
struct Scrollback::Packed {
  Packed(const Chunk& in, const Head& of)
      : head(of), runs(in.bytes.data() + of.start), text(runs + of.runs * sizeof(Run)) {}
  Run run(std::size_t index) const {
    Run run{0, 1, 0, head.cells};
    if (head.runs != 0) std::memcpy(&run, runs + index * sizeof(Run), sizeof run);
    return run;
  }
  std::size_t run_count() const { return std::max<std::size_t>(head.runs, 1); }

  const Head& head;
  const std::uint8_t* runs;
  const std::uint8_t* text;
};

std::size_t Scrollback::bytes() const {
  std::size_t sum = 0;
  for (const Chunk& chunk : chunks_) sum += chunk.bytes.capacity() + chunk.heads.capacity() * sizeof chunk.heads[0];
  return sum;
}

Scrollback::Packed Scrollback::at(std::size_t index) const {
  const std::size_t row = front_ + index;
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), row,
                                      [](std::size_t number, const Chunk& chunk) { return number < chunk.first; });
  const Chunk& chunk = *(after - 1);
  return {chunk, chunk.heads[row - chunk.first]};
}

std::size_t Scrollback::rows_of_last(std::size_t lines) const {
  if (lines >= lines_) return size();
  std::size_t first = size();
  for (; lines > 0; --lines) {
    --first;
    while (first > 0 && at(first - 1).head.wrapped != 0) --first;
  }
  return size() - first;
}

std::size_t Scrollback::lines_in_last(std::size_t rows) const {
  if (rows >= size()) return lines_;
  std::size_t lines = 0;
  for (std::size_t row = size() - rows; row < size(); ++row)
    if (at(row - 1).head.wrapped == 0) ++lines;
  return lines;
}

std::size_t Scrollback::rows_of_last_cells(std::size_t cells) const {
  std::size_t rows = 0, counted = 0;
  for (auto chunk = chunks_.rbegin(); chunk != chunks_.rend(); ++chunk) {
    for (auto head = chunk->heads.rbegin(); head != chunk->heads.rend() && rows < size(); ++head) {
      const bool begins_line = rows == 0 || head->wrapped == 0;
      if (begins_line && counted >= cells) return rows;
      counted += head->cells;
      ++rows;
    }
  }
  return rows;
}

Scrollback::Outline Scrollback::outline(std::size_t index) const {
  const Head& head = at(index).head;
  return {head.cells, head.wrapped != 0, static_cast<LineSize>(head.size), static_cast<int>(head.columns)};
}

Line Scrollback::read(std::size_t index, std::vector<Cell>& space) const {
  const Packed packed = at(index);
  space.resize(packed.head.cells);
  const std::uint8_t* in = packed.text;
  Cell* out = space.data();
  const bool is_ascii = packed.head.runs == 0 && packed.head.text == packed.head.cells;
  if (is_ascii) ascii_cells::widen(reinterpret_cast<const char*>(in), space.size(), Cell(), out);
  for (std::size_t i = 0; !is_ascii && i < packed.run_count(); ++i) {
    const Run run = packed.run(i);
    const Cell* const end = out + run.cells;
    while (out != end) {
      *out++ = {glyph_bytes::decode(in), run.pen, run.width, run.guarded};
      if (run.width == 2) *out++ = {0, run.pen, 0, run.guarded};
    }
  }
  return {space, packed.head.wrapped != 0, static_cast<LineSize>(packed.head.size)};
}

void Scrollback::push(const Line& row, int columns) {
  std::size_t count = row.cells.size();
  while (!row.wrapped && count > 0 && is_default_blank(row.cells[count - 1])) --count;
  if (text_.size() < count * glyph_bytes::kMost) text_.resize(count * glyph_bytes::kMost);
  if (runs_.size() < count * sizeof(Run)) runs_.resize(count * sizeof(Run));
  Head head{0,
            static_cast<std::uint16_t>(count),
            0,
            0,
            row.wrapped,
            static_cast<std::uint32_t>(row.size) & 3U,
            static_cast<std::uint32_t>(columns) & 0x1FFFU};
  char* text = text_.data();
  for (std::size_t i = 0; i < count;) {
    const Cell alike = row.cells[i];
    const std::uint32_t look = ascii_cells::look_of(alike);
    const std::size_t from = i;
    while (i < count && ascii_cells::look_of(row.cells[i]) == look) {
      const std::size_t narrow =
          alike.width == 1 ? ascii_cells::narrow(&row.cells[i], count - i, look, text) : std::size_t{0};
      text += narrow, i += narrow;
      if (narrow != 0) continue;
      do {
        text += glyph_bytes::encode(row.cells[i].glyph, text);
        i += alike.width == 2 ? 2 : 1;
      } while (i < count && ascii_cells::look_of(row.cells[i]) == look && is_mixed(row.cells.subspan(i, count - i)));
    }
    const Run run{alike.pen, alike.width, alike.guarded, static_cast<std::uint16_t>(i - from)};
    std::memcpy(runs_.data() + sizeof run * head.runs++, &run, sizeof run);
  }
  const bool plain = head.runs == 1 && ascii_cells::look_of(row.cells[0]) == ascii_cells::look_of(Cell{});
  if (plain) head.runs = 0;
  static_assert(kMaxColumns * glyph_bytes::kMost <= 0xFFFF);
  head.text = static_cast<std::uint32_t>(text - text_.data()) & 0xFFFFU;
  append(head, runs_.data(), text_.data());
}

void Scrollback::push_copy(const Scrollback& from, std::size_t index) {
  const Packed packed = from.at(index);
  append(packed.head, packed.runs, packed.text);
}

void Scrollback::push_copy(const Scrollback& from, std::size_t index, int columns) {
  const Packed packed = from.at(index);
  Head head = packed.head;
  head.columns = static_cast<std::uint32_t>(columns) & 0x1FFFU;
  append(head, packed.runs, packed.text);
}

void Scrollback::append(Head head, const void* runs, const void* text) {
  const std::size_t run_bytes = head.runs * sizeof(Run);
  Chunk& chunk = chunk_with(run_bytes + head.text);
  head.start = static_cast<std::uint32_t>(chunk.bytes.size());
  chunk.bytes.resize(head.start + run_bytes + head.text);
  std::uint8_t* const out = chunk.bytes.data() + head.start;
  if (run_bytes != 0) std::memcpy(out, runs, run_bytes);
  if (head.text != 0) std::memcpy(out + run_bytes, text, head.text);
  chunk.heads.push_back(head);
  if (!open_ || size() == 0) ++lines_;
  if (!open_ && ++begun_ > ever_begun_) ever_begun_ = begun_;
  open_ = head.wrapped != 0;
  cells_ += cost(head.cells);
  ++end_;
  trim();
}

/// The last chunk when it has so much room, or else a new one.
Scrollback::Chunk& Scrollback::chunk_with(std::size_t room) {
  std::size_t size = kFirstChunk;
  if (!chunks_.empty()) {
    Chunk& last = chunks_.back();
    if (last.heads.size() < kChunkRows && last.bytes.capacity() - last.bytes.size() >= room) return last;
    size = std::min(last.bytes.capacity() * 2, kChunk);
  }
  Chunk chunk;
  chunk.first = end_;
  chunk.bytes.reserve(std::max(size, room));
  return chunks_.emplace_back(std::move(chunk));
}

/// Drops rows beyond the limits. O(1) for each row that was pushed: looks once at the head of each row that goes.
void Scrollback::trim() {
  std::size_t gone = 0;
  while (lines_ > max_lines_ || (cells_ > max_cells_ && size() > 1)) {
    overflowed_ = true;
    if (drop_front(chunks_[gone])) ++gone;
  }
  if (gone != 0) chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(gone));
}

/// Drops the oldest row, which is in `chunk`; true when that was its last one.
bool Scrollback::drop_front(const Chunk& chunk) {
  const Head& head = chunk.heads[front_ - chunk.first];
  cells_ -= cost(head.cells);
  ++front_;
  if (head.wrapped == 0 || size() == 0) --lines_;
  return front_ == chunk.first + chunk.heads.size();
}

void Scrollback::drop_oldest(std::size_t rows) {
  std::ptrdiff_t gone = 0;
  for (rows = std::min(rows, size()); rows > 0; --rows)
    if (drop_front(chunks_[static_cast<std::size_t>(gone)])) ++gone;
  chunks_.erase(chunks_.begin(), chunks_.begin() + gone);
}

void Scrollback::limit(std::size_t max_lines, std::size_t max_cells) {
  max_lines_ = max_lines;
  max_cells_ = std::min(max_cells, max_lines > kUnbounded / kCellsPerLine ? kUnbounded : max_lines * kCellsPerLine);
  trim();
}

void Scrollback::set_last_wrapped(bool wrapped) {
  open_ = wrapped && begun_ != 0;
  if (size() != 0) chunks_.back().heads.back().wrapped = wrapped;
}

void Scrollback::pop_last() {
  if (size() == 0) return;
  Chunk& chunk = chunks_.back();
  cells_ -= cost(chunk.heads.back().cells);
  chunk.bytes.resize(chunk.heads.back().start);
  chunk.heads.pop_back();
  if (chunk.heads.empty()) chunks_.pop_back();
  --end_;
  stale_end_ = std::min(stale_end_, end_);
  open_ = size() != 0 && chunks_.back().heads.back().wrapped != 0;
  if (!open_) --lines_, --begun_;
}

Scrollback Scrollback::take_last(std::size_t rows) {
  Scrollback taken(kUnbounded);
  for (std::size_t i = size() - rows; i < size(); ++i) taken.push_copy(*this, i);
  for (; rows > 0; --rows) pop_last();
  return taken;
}

void Scrollback::clear() {
  chunks_.clear();
  front_ = end_;
  lines_ = cells_ = 0;
  open_ = false;
  uncleared_ = begun_;
}

void Scrollback::skip(std::uint64_t lines) {
  begun_ += lines;
  ever_begun_ = std::max(ever_begun_, begun_);
}

void Scrollback::renumber(std::uint64_t first, std::uint64_t uncleared) {
  const auto taken_back = ever_begun_ - begun_;
  begun_ = first + lines_;
  ever_begun_ = begun_ + taken_back;
  uncleared_ = uncleared;
}

void Scrollback::mark(LookMarks& marks) const {
  for (std::size_t row = 0; row < size(); ++row) {
    const Packed packed = at(row);
    for (std::size_t i = 0; i < packed.run_count(); ++i) marks.pens[packed.run(i).pen] = true;
    const std::uint8_t* const end = packed.text + packed.head.text;
    for (const std::uint8_t* in = packed.text; in < end;) {
      const std::uint32_t glyph = glyph_bytes::decode(in);
      if ((glyph & Cell::kCluster) != 0) marks.clusters[glyph & ~Cell::kCluster] = true;
    }
  }
}

void Scrollback::make_plain(std::size_t rows) {
  for (std::size_t row = 0; row < std::min(rows, size()); ++row) {
    const Packed packed = at(row);
    for (std::size_t i = 0; i < packed.head.runs; ++i) {
      Run run = packed.run(i);
      run.pen = 0;
      std::memcpy(const_cast<std::uint8_t*>(packed.runs) + i * sizeof run, &run, sizeof run);
    }
  }
}

void Scrollback::cut_clusters(std::size_t rows, const StyleTable& styles) {
  for (std::size_t row = 0; row < std::min(rows, size()); ++row) {
    const Packed packed = at(row);
    const std::uint8_t* const end = packed.text + packed.head.text;
    for (const std::uint8_t* in = packed.text; in < end;) {
      auto* const place = const_cast<std::uint8_t*>(in);
      const std::uint32_t glyph = glyph_bytes::decode(in);
      if ((glyph & Cell::kCluster) == 0) continue;
      const char32_t first = styles.first_code_point(glyph);
      glyph_bytes::write_point(first, place);
    }
  }
}

}  // namespace ptyd
