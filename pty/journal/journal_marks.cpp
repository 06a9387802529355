#include "pty/journal/journal_marks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace ptyd {

using journal_format::State;

/// Records are contiguous and begin at multiples of kAlign; one that would cross the end of the ring begins at its
/// start, and a filler (kind 0, of which only the first kAlign bytes exist) takes the room left.
struct MarkRing::Record {
  std::uint32_t size = 0;      ///< of all, to the next record
  std::uint32_t previous = 0;  ///< how far back the record before this one begins
  std::uint16_t payload = 0;
  std::uint8_t kind = 0;
  std::uint8_t unused = 0;
  std::uint16_t cols = 0;  ///< of Mark::size; 0: none, as in files of earlier versions
  std::uint16_t rows = 0;
  std::uint64_t position = 0;
  std::int64_t time = 0;

  std::optional<Size> told() const { return cols > 0 && rows > 0 ? std::optional(Size{cols, rows}) : std::nullopt; }
};

namespace {

constexpr std::size_t kAlign = 16;
constexpr std::size_t kRecord = 32;

std::size_t record_bytes(std::size_t payload) {
  return (kRecord + payload + kAlign - 1) / kAlign * kAlign;
}

}  // namespace

MarkRing::Record MarkRing::load(std::uint64_t offset) const {
  static_assert(sizeof(Record) == kRecord);
  Record record;
  const std::size_t at = place(offset);
  std::memcpy(&record, memory_ + at, std::min(kRecord, size_ - at));
  return record;
}

void MarkRing::store(std::uint64_t offset, const Record& record, std::size_t bytes) const {
  std::memcpy(memory_ + place(offset), &record, bytes);
}

Mark MarkRing::mark_at(std::uint64_t offset) const {
  const Record record = load(offset);
  return {record.position, MarkKind{record.kind}, record.time,
          std::string_view(memory_ + place(offset) + kRecord, record.payload), record.told()};
}

/// Where a record of `bytes` would begin: at the end, or at the start of the ring when it would cross its end.
std::uint64_t MarkRing::start_for(const State& state, std::size_t bytes) const {
  const std::size_t left = size_ - place(state.marks_end);
  return bytes <= left ? state.marks_end : state.marks_end + left;
}

std::uint64_t MarkRing::end_with(const State& state, std::size_t payload) const {
  const std::size_t bytes = record_bytes(payload);
  return start_for(state, bytes) + bytes;
}

void MarkRing::add(State& state, const Mark& mark) const {
  const std::size_t bytes = record_bytes(mark.payload.size());
  const std::uint64_t start = start_for(state, bytes);
  const bool first = state.marks_begin == state.marks_end;
  if (start != state.marks_end) {
    Record filler;
    filler.size = static_cast<std::uint32_t>(start - state.marks_end);
    store(state.marks_end, filler, kAlign);
  }
  const auto back = static_cast<std::uint32_t>(first ? 0 : start - state.marks_last);
  store(start,
        {static_cast<std::uint32_t>(bytes), back, static_cast<std::uint16_t>(mark.payload.size()),
         static_cast<std::uint8_t>(mark.kind), 0, mark.size ? mark.size->cols : std::uint16_t{0},
         mark.size ? mark.size->rows : std::uint16_t{0}, mark.position, mark.time},
        kRecord);
  mark.payload.copy(memory_ + place(start) + kRecord, mark.payload.size());
  if (first) state.marks_begin = start;
  state.marks_last = start;
  state.marks_end = start + bytes;
}

std::uint64_t MarkRing::skip_filler(const State& state, std::uint64_t offset) const {
  if (offset == state.marks_end) return offset;
  const Record record = load(offset);
  return record.kind == 0 ? offset + record.size : offset;
}

void MarkRing::drop_before(State& state, Position position) const {
  while (state.marks_begin != state.marks_end) {
    const Record record = load(state.marks_begin);
    if (record.position >= position) return;
    if (const auto size = record.told()) journal_format::set_size_at_tail(state, *size);
    state.marks_begin = skip_filler(state, state.marks_begin + record.size);
  }
}

void MarkRing::erase(std::uint64_t begin, std::uint64_t end) const {
  const std::size_t at = place(begin);
  const auto bytes = static_cast<std::size_t>(end - begin);
  const std::size_t until_edge = std::min(bytes, size_ - at);
  std::memset(memory_ + at, 0, until_edge);
  std::memset(memory_, 0, bytes - until_edge);
}

std::optional<Mark> MarkRing::oldest(const State& state) const {
  if (state.marks_begin == state.marks_end) return std::nullopt;
  return mark_at(state.marks_begin);
}

std::optional<Mark> MarkRing::newest(const State& state) const {
  if (state.marks_begin == state.marks_end) return std::nullopt;
  return mark_at(state.marks_last);
}

std::optional<std::uint64_t> MarkRing::offset_from(const State& state, Position position) const {
  if (state.marks_begin == state.marks_end) return std::nullopt;
  std::optional<std::uint64_t> found;
  for (std::uint64_t offset = state.marks_last;;) {
    const Record record = load(offset);
    if (record.position < position) break;
    found = offset;
    if (offset == state.marks_begin) break;
    offset -= record.previous;
  }
  return found;
}

std::optional<Mark> MarkRing::first_from(const State& state, Position position) const {
  const auto found = offset_from(state, position);
  return found ? std::optional(mark_at(*found)) : std::nullopt;
}

std::size_t MarkRing::bytes_from(const State& state, Position position) const {
  const auto found = offset_from(state, position);
  return found ? static_cast<std::size_t>(state.marks_end - *found) : 0;
}

namespace {

/// Whether `next` replaces `mark`, since nothing was printed between the two.
bool is_replaced_at_once(const Mark& mark, const Mark& next) {
  return next.kind == mark.kind && traits_of(mark.kind).supersedes_near && next.position == mark.position + 1;
}

/// The marks that sift() has looked at: it goes from the newest to the oldest.
class Newer {
 public:
  explicit Newer(const MarkRing::Thinning& thinning) : thinning_(thinning) {}

  /// A Screen is drawn anew from bytes and sizes: a size matters unless another follows at once, or nearly so where
  /// sizes are to be thinned.
  bool make_superfluous(const Mark& mark) const {
    const MarkTraits& traits = traits_of(mark.kind);
    const auto& newer = kept_[index_of(traits)];
    if (!newer) return false;
    if (traits.supersedes_older || is_replaced_at_once(mark, *next_)) return true;
    return traits.supersedes_near && mark.position < thinning_.before && *newer - mark.position < thinning_.distance;
  }
  void add(const Mark& mark, bool is_kept) {
    if (is_kept) kept_[index_of(traits_of(mark.kind))] = mark.position;
    next_ = mark;
  }

 private:
  static std::size_t index_of(const MarkTraits& traits) {
    return static_cast<std::size_t>(&traits - kMarkTraits.data());
  }

  const MarkRing::Thinning thinning_;
  std::optional<Mark> next_;
  std::array<std::optional<Position>, kMarkTraits.size()> kept_;  // of each kind, the next one that is kept
};

}  // namespace

bool MarkRing::supersedes_newest(const State& state, const Mark& coming) const {
  const auto last = newest(state);
  if (!last) return false;
  return (traits_of(coming.kind).supersedes_older && last->kind == coming.kind) || is_replaced_at_once(*last, coming);
}

/// A filler before the record may stay: the next record begins behind it.
void MarkRing::drop_newest(State& state) const {
  const Record record = load(state.marks_last);
  state.marks_end = state.marks_last;
  if (state.marks_last == state.marks_begin) return;
  state.marks_last -= record.previous;
}

MarkRing::Sifted MarkRing::sift(const State& state, const Thinning& thinning) const {
  Sifted sifted;
  if (state.marks_begin == state.marks_end) return sifted;
  Newer newer(thinning);
  for (std::uint64_t offset = state.marks_last;;) {
    const Mark mark = mark_at(offset);
    const bool is_kept = !newer.make_superfluous(mark);
    if (is_kept) {
      sifted.kept.push_back(mark);
    } else {
      sifted.superfluous.push_back(mark.position);
    }
    newer.add(mark, is_kept);
    if (offset == state.marks_begin) break;
    offset -= load(offset).previous;
  }
  std::reverse(sifted.kept.begin(), sifted.kept.end());
  std::reverse(sifted.superfluous.begin(), sifted.superfluous.end());
  return sifted;
}

std::uint64_t MarkRing::end_with(State state, const std::vector<Mark>& marks) const {
  for (const Mark& mark : marks) state.marks_end = end_with(state, mark.payload.size());
  return state.marks_end;
}

bool MarkRing::sound_record(const State& state, std::uint64_t offset, const Record& record) const {
  const std::uint64_t left = std::min<std::uint64_t>(size_ - place(offset), state.marks_end - offset);
  if (record.size < kAlign || record.size % kAlign != 0 || record.size > left) return false;
  if (record.kind == 0) return place(offset) + record.size == size_;
  return record.payload <= journal_limits::kMaxPayload && record.size == record_bytes(record.payload) &&
         record.cols <= journal_limits::kMaxSide && record.rows <= journal_limits::kMaxSide &&
         record.position >= state.tail && record.position < state.head;
}

bool MarkRing::sound(const State& state) const {
  std::optional<std::uint64_t> last;
  Position above = 0;
  for (std::uint64_t offset = state.marks_begin; offset < state.marks_end;) {
    const Record record = load(offset);
    if (!sound_record(state, offset, record)) return false;
    if (record.kind != 0) {
      if (record.position < above || (last && record.previous != offset - *last)) return false;
      above = record.position + 1;
      last = offset;
    } else if (!last) {
      return false;
    }
    offset += record.size;
  }
  return state.marks_begin == state.marks_end || last == state.marks_last;
}

}  // namespace ptyd
