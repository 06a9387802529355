#include "pty/screen/grid/scrollback.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "pty/screen/grid/ascii_cells.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kFirstChunk = 1 << 10, kChunk = 16 << 10;

// A glyph is UTF-8, or one of these and three bytes: UTF-8 has no such bytes.
constexpr std::uint8_t kClusterByte = 0xFF, kPointByte = 0xFE;
constexpr std::size_t kMaxGlyphBytes = 4;

/// Writes kMaxGlyphBytes, of which as many count as it returns.
std::size_t encode(std::uint32_t glyph, char* out) {
  const auto write = [out](std::uint32_t first, std::uint32_t second, std::uint32_t third, std::uint32_t fourth) {
    const std::uint32_t bytes = first | second << 8 | third << 16 | fourth << 24;
    std::memcpy(out, &bytes, sizeof bytes);
  };
  const auto tail = [glyph](unsigned shift) { return 0x80 | (glyph >> shift & 0x3F); };
  if (glyph < 0x80) return write(glyph, 0, 0, 0), 1;
  if (glyph < 0x800) return write(0xC0 | glyph >> 6, tail(0), 0, 0), 2;
  if (glyph < 0x10000) return write(0xE0 | glyph >> 12, tail(6), tail(0), 0), 3;
  if ((glyph & Cell::kCluster) == 0) return write(0xF0 | glyph >> 18, tail(12), tail(6), tail(0)), 4;
  return write(kClusterByte, glyph >> 16 & 0xFF, glyph >> 8 & 0xFF, glyph & 0xFF), 4;
}

std::uint32_t decode(const std::uint8_t*& in) {
  const std::uint32_t first = *in++;
  const auto tail = [&](std::uint32_t so_far) { return so_far << 6 | (*in++ & 0x3FU); };
  if (first < 0x80) return first;
  if (first < 0xE0) return tail(first & 0x1F);
  if (first < 0xF0) {
    const std::uint32_t high = tail(first & 0x0F);
    return tail(high);
  }
  if (first < kPointByte) {
    const std::uint32_t high = tail(first & 0x07), middle = tail(high);
    return tail(middle);
  }
  in += 3;
  const std::uint32_t number =
      static_cast<std::uint32_t>(in[-3]) << 16 | static_cast<std::uint32_t>(in[-2]) << 8 | in[-1];
  return first == kClusterByte ? number | Cell::kCluster : number;
}

/// Whether a glyph beyond ASCII is here or next: not worth looking for a run of ASCII.
bool is_mixed(std::span<const Cell> cells) {
  return cells[0].glyph > 0x7F || (cells.size() > 1 && cells[1].glyph > 0x7F);
}

bool is_default_blank(const Cell& cell) {
  return cell.glyph == 0 && cell.pen == 0 && cell.width == 1;
}

}  // namespace

struct Scrollback::Header {
  std::uint16_t cells = 0;
  std::uint16_t runs = 0;  // none: all cells are narrow and of the default pen
  std::uint32_t text : 28 = 0;
  std::uint32_t wrapped : 1 = 0;
  std::uint32_t size : 2 = 0;
};

/// Cells that look alike; wide glyphs are two cells each.
struct Scrollback::Run {
  PenId pen = 0;
  std::uint8_t width = 1;
  std::uint8_t guarded = 0;
  std::uint16_t cells = 0;
};

/// A line as its bytes lie in a chunk.
struct Scrollback::Packed {
  explicit Packed(const std::uint8_t* from) : runs(from + sizeof(Header)) {
    std::memcpy(&header, from, sizeof header);
    text = runs + header.runs * sizeof(Run);
  }
  Run run(std::size_t index) const {
    Run run{0, 1, 0, header.cells};
    if (header.runs != 0) std::memcpy(&run, runs + index * sizeof(Run), sizeof run);
    return run;
  }
  std::size_t run_count() const { return std::max<std::size_t>(header.runs, 1); }
  std::size_t bytes() const { return sizeof header + header.runs * sizeof(Run) + header.text; }

  Header header;
  const std::uint8_t* runs;
  const std::uint8_t* text;
};

std::size_t Scrollback::bytes() const {
  std::size_t sum = 0;
  for (const Chunk& chunk : chunks_) sum += chunk.bytes.capacity() + chunk.starts.capacity() * sizeof chunk.starts[0];
  return sum;
}

const Scrollback::Chunk& Scrollback::chunk_of(std::size_t line) const {
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), line,
                                      [](std::size_t number, const Chunk& chunk) { return number < chunk.first; });
  return *(after - 1);
}

const std::uint8_t* Scrollback::at(std::size_t index) const {
  const Chunk& chunk = chunk_of(front_ + index);
  return chunk.bytes.data() + chunk.starts[front_ + index - chunk.first];
}

Scrollback::Outline Scrollback::outline(std::size_t index) const {
  const Packed packed(at(index));
  return {packed.header.cells, packed.header.wrapped != 0, static_cast<LineSize>(packed.header.size)};
}

Line Scrollback::read(std::size_t index, std::vector<Cell>& space) const {
  const Packed packed(at(index));
  space.resize(packed.header.cells);
  const std::uint8_t* in = packed.text;
  Cell* out = space.data();
  for (std::size_t i = 0; i < packed.run_count(); ++i) {
    const Run run = packed.run(i);
    const Cell* const end = out + run.cells;
    while (out != end) {
      *out++ = {decode(in), run.pen, run.width, run.guarded};
      if (run.width == 2) *out++ = {0, run.pen, 0, run.guarded};
    }
  }
  return {space, packed.header.wrapped != 0, static_cast<LineSize>(packed.header.size)};
}

void Scrollback::push(const Line& line) {
  std::size_t count = line.cells.size();
  while (!line.wrapped && count > 0 && is_default_blank(line.cells[count - 1])) --count;
  if (text_.size() < count * kMaxGlyphBytes) text_.resize(count * kMaxGlyphBytes);
  if (runs_.size() < count * sizeof(Run)) runs_.resize(count * sizeof(Run));
  Header header{static_cast<std::uint16_t>(count), 0, 0, line.wrapped, static_cast<std::uint32_t>(line.size) & 3U};
  char* text = text_.data();
  for (std::size_t i = 0; i < count;) {
    const Cell alike = line.cells[i];
    const std::uint32_t look = ascii_cells::look_of(alike);
    const std::size_t from = i;
    while (i < count && ascii_cells::look_of(line.cells[i]) == look) {
      const std::size_t narrow =
          alike.width == 1 ? ascii_cells::narrow(&line.cells[i], count - i, look, text) : std::size_t{0};
      text += narrow, i += narrow;
      if (narrow != 0) continue;
      do {
        text += encode(line.cells[i].glyph, text);
        i += alike.width == 2 ? 2 : 1;
      } while (i < count && ascii_cells::look_of(line.cells[i]) == look && is_mixed(line.cells.subspan(i, count - i)));
    }
    const Run run{alike.pen, alike.width, alike.guarded, static_cast<std::uint16_t>(i - from)};
    std::memcpy(runs_.data() + sizeof run * header.runs++, &run, sizeof run);
  }
  const bool plain = header.runs == 1 && ascii_cells::look_of(line.cells[0]) == ascii_cells::look_of(Cell{});
  if (plain) header.runs = 0;
  header.text = static_cast<std::uint32_t>(text - text_.data()) & 0xFFFFFFF;
  append(header, runs_.data(), text_.data());
}

void Scrollback::push_copy(const Scrollback& from, std::size_t index) {
  const Packed packed(from.at(index));
  append(packed.header, packed.runs, packed.text);
}

void Scrollback::append(const Header& header, const void* runs, const void* text) {
  const std::size_t run_bytes = header.runs * sizeof(Run);
  Chunk& chunk = chunk_with(sizeof header + run_bytes + header.text);
  const std::size_t start = chunk.bytes.size();
  chunk.bytes.resize(start + sizeof header + run_bytes + header.text);
  std::uint8_t* const out = chunk.bytes.data() + start;
  std::memcpy(out, &header, sizeof header);
  if (run_bytes != 0) std::memcpy(out + sizeof header, runs, run_bytes);
  if (header.text != 0) std::memcpy(out + sizeof header + run_bytes, text, header.text);
  chunk.starts.push_back(static_cast<std::uint32_t>(start));
  ++end_;
  trim();
}

/// The last chunk when it has so much room, or else a new one.
Scrollback::Chunk& Scrollback::chunk_with(std::size_t room) {
  std::size_t size = kFirstChunk;
  if (!chunks_.empty()) {
    Chunk& last = chunks_.back();
    if (last.bytes.capacity() - last.bytes.size() >= room) return last;
    size = std::min(last.bytes.capacity() * 2, kChunk);
  }
  Chunk chunk;
  chunk.first = end_;
  chunk.bytes.reserve(std::max(size, room));
  return chunks_.emplace_back(std::move(chunk));
}

void Scrollback::trim() {
  if (size() > max_) front_ = end_ - max_;
  std::size_t gone = 0;
  while (gone < chunks_.size() && chunks_[gone].first + chunks_[gone].starts.size() <= front_) ++gone;
  if (gone == 0) return;
  chunks_.erase(chunks_.begin(), chunks_.begin() + static_cast<std::ptrdiff_t>(gone));
}

void Scrollback::limit(std::size_t max) {
  max_ = max;
  trim();
}

void Scrollback::set_last_wrapped(bool wrapped) {
  if (size() == 0) return;
  Chunk& chunk = chunks_.back();
  std::uint8_t* const place = chunk.bytes.data() + chunk.starts.back();
  Header header;
  std::memcpy(&header, place, sizeof header);
  header.wrapped = wrapped;
  std::memcpy(place, &header, sizeof header);
}

void Scrollback::pop_last() {
  if (size() == 0) return;
  Chunk& chunk = chunks_.back();
  chunk.bytes.resize(chunk.starts.back());
  chunk.starts.pop_back();
  --end_;
  if (chunk.starts.empty()) chunks_.pop_back();
}

void Scrollback::clear() {
  chunks_.clear();
  front_ = end_;
}

void Scrollback::mark(LookMarks& marks) const {
  for (std::size_t line = 0; line < size(); ++line) {
    const Packed packed(at(line));
    for (std::size_t i = 0; i < packed.run_count(); ++i) marks.pens[packed.run(i).pen] = true;
    const std::uint8_t* const end = packed.text + packed.header.text;
    for (const std::uint8_t* in = packed.text; in < end;) {
      const std::uint32_t glyph = decode(in);
      if ((glyph & Cell::kCluster) != 0) marks.clusters[glyph & ~Cell::kCluster] = true;
    }
  }
}

void Scrollback::simplify(std::size_t lines, const Looks& looks) {
  for (std::size_t line = 0; line < std::min(lines, size()); ++line) {
    const Packed packed(at(line));
    for (std::size_t i = 0; i < packed.header.runs; ++i) {
      Run run = packed.run(i);
      run.pen = 0;
      std::memcpy(const_cast<std::uint8_t*>(packed.runs) + i * sizeof run, &run, sizeof run);
    }
    const std::uint8_t* const end = packed.text + packed.header.text;
    for (const std::uint8_t* in = packed.text; in < end;) {
      auto* const place = const_cast<std::uint8_t*>(in);
      if (decode(in) < Cell::kCluster) continue;
      const std::uint32_t cluster =
          static_cast<std::uint32_t>(place[1]) << 16 | static_cast<std::uint32_t>(place[2]) << 8 | place[3];
      const char32_t first = looks.first_code_point(cluster | Cell::kCluster);
      place[0] = kPointByte;
      place[1] = static_cast<std::uint8_t>(first >> 16);
      place[2] = static_cast<std::uint8_t>(first >> 8);
      place[3] = static_cast<std::uint8_t>(first);
    }
  }
}

}  // namespace ptyd
