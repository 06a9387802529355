#include "pty/journal/journal.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <iterator>
#include <utility>

#include "pty/journal/journal_impl.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

Journal::Journal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

std::uint64_t Journal::incarnation() const {
  return impl_->header().incarnation;
}
std::string_view Journal::identity() const {
  return {impl_->header().identity, static_cast<std::size_t>(impl_->header().identity_size)};
}
Position Journal::tail() const {
  return impl_->live.tail;
}
Position Journal::head() const {
  return impl_->live.head;
}
std::optional<Size> Journal::size_at_tail() const {
  return journal_format::size_at_tail(impl_->live);
}
std::size_t Journal::capacity() const {
  return impl_->ring_bytes;
}
bool Journal::in_memory() const {
  return !impl_->mapping.on_disk();
}

/// Writes the state into the copy that does not count, then makes it count by one store.
void Journal::Impl::publish(const State& state) {
  const std::uint64_t other = header().active ^ 1U;
  header().states[other] = state;
  std::atomic_ref<std::uint64_t>(header().active).store(other, std::memory_order_release);
  committed = state;
}

void Journal::commit() {
  impl_->publish(impl_->live);
}

/// Publishes a state without the bytes that are to be overwritten before they are.
void Journal::Impl::advance_tail(Position tail) {
  if (tail <= live.tail) return;
  const Position before = std::exchange(live.tail, tail);
  marks().drop_before(live, tail);
  if (committed.tail < tail) {
    State shorter = committed;
    shorter.tail = std::min(tail, shorter.head);
    shorter.marks_begin = std::min(live.marks_begin, shorter.marks_end);
    std::copy(std::begin(live.size_at_tail), std::end(live.size_at_tail), shorter.size_at_tail);
    publish(shorter);
  }
  forgotten().clear(before, tail);
}

void Journal::Impl::append_piece(std::string_view bytes) {
  const Position end = live.head + bytes.size();
  if (end > ring_bytes) advance_tail(end - ring_bytes);
  need_ring(end);
  std::memcpy(at(live.head), bytes.data(), bytes.size());
  live.head = end;
}

void Journal::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, impl_->ring_bytes);
    impl_->append_piece(piece);
    bytes.remove_prefix(piece.size());
  }
}

/// Call only while all changes are published.
void Journal::Impl::note_forgotten(const std::vector<Position>& rising) {
  need_forgotten(forgotten().needed_for(rising.back() + 1));
  for (const Position position : rising) forgotten().add(position);
}

/// Writes the marks that still matter once more, behind all others, and publishes these alone.
void Journal::Impl::replace_marks(const MarkRing::Sifted& sifted) {
  State state = live;
  const std::uint64_t end = marks().end_with(state, sifted.kept);
  if (sifted.superfluous.empty() || end - live.marks_begin > mark_bytes) return;
  need_marks(end);
  state.marks_begin = state.marks_end;
  for (const Mark& mark : sifted.kept) marks().add(state, mark);
  note_forgotten(sifted.superfluous);
  const State before = std::exchange(live, state);
  publish(live);
  marks().erase(before.marks_begin, before.marks_end);
}

/// Whether more than half of the room for marks is in use: then superfluous marks are forgotten.
bool Journal::Impl::has_many_marks() const {
  return live.marks_end - live.marks_begin > mark_bytes / 2;
}

namespace {

/// The record of a size, as sessions write its payload.
constexpr std::size_t kSizeRecord = 48;

/// Bytes of marks up to which sift_marks() thins no sizes, and bytes that have to be added before it looks again. The
/// copies of the marks that it keeps have to fit behind all that they replace.
constexpr std::size_t most_kept(std::size_t mark_bytes) {
  return mark_bytes / 8 * 3;
}
constexpr std::size_t looked_after(std::size_t mark_bytes) {
  return mark_bytes / 16;
}

}  // namespace

/// Forgets superfluous marks. Where those that are left are too many, sizes are thinned until those of a full ring
/// would take most_kept(); none goes that a lossless reader has yet to pass. Does nothing while changes are not
/// published: the commit() in here would publish them too early.
void Journal::Impl::sift_marks() {
  if (!has_many_marks() || live.marks_end - sifted_at < looked_after(mark_bytes) || !is_published()) return;
  auto sifted = marks().sift(live, {});
  if (marks().end_with(live, sifted.kept) - live.marks_end > most_kept(mark_bytes)) {
    const Position passed = header().held_readers > 0 ? header().held_from : live.head;
    sifted = marks().sift(live, {passed, ring_bytes / (most_kept(mark_bytes) / kSizeRecord)});
  }
  replace_marks(sifted);
  sifted_at = live.marks_end;
}

/// Drops the newest mark if `coming` supersedes it, while marks are many.
void Journal::Impl::forget_newest_before(const Mark& coming) {
  if (!has_many_marks() || !is_published() || !marks().supersedes_newest(live, coming)) return;
  note_forgotten({marks().newest(live)->position});
  marks().drop_newest(live);
  publish(live);
}

void Journal::Impl::make_room_for_mark(const Mark& coming) {
  sift_marks();
  forget_newest_before(coming);
  const std::size_t payload = coming.payload.size();
  while (marks().end_with(live, payload) - live.marks_begin > mark_bytes && marks().oldest(live)) {
    advance_tail(marks().oldest(live)->position + 1);
  }
  need_marks(marks().end_with(live, payload));
}

Position Journal::mark(MarkKind kind, UnixMillis time, std::string_view payload, std::optional<Size> size) {
  assert(!size || std::max(size->cols, size->rows) <= kMaxSide);
  Impl& impl = *impl_;
  if (impl.live.head + 1 > impl.ring_bytes) impl.advance_tail(impl.live.head + 1 - impl.ring_bytes);
  const Position position = impl.live.head;
  const Mark made{position, kind, time, payload.substr(0, kMaxPayload), size};
  impl.make_room_for_mark(made);
  impl.need_ring(impl.live.head + 1);
  *impl.at(position) = 0;
  ++impl.live.head;
  impl.marks().add(impl.live, made);
  return position;
}

/// The first mark from `from` on, a forgotten one too if it stands before `end`. May return a mark at `end` or later.
std::optional<Mark> Journal::Impl::first_mark(Position from, Position end) const {
  auto mark = marks().first_from(live, from);
  const auto gone = forgotten().first_in(from, mark ? std::min(mark->position, end) : end);
  return gone ? Mark{*gone, MarkKind::forgotten, 0, {}, {}} : mark;
}

Journal::Slice Journal::read(Position from, std::size_t max) const {
  const Impl& impl = *impl_;
  assert(from >= tail() && from <= head());
  const Position far = from + std::min<Position>(head() - from, std::max<std::size_t>(max, 1));
  Slice slice{from, {}, impl.first_mark(from, far)};
  if (slice.mark && slice.mark->position == from) return slice;
  const Position end = slice.mark ? std::min(far, slice.mark->position) : far;
  slice.mark.reset();
  slice.bytes = impl.stretch(from, end).substr(0, max);
  return slice;
}

bool Journal::has_room_behind(Position from, std::size_t bytes) const {
  if (head() - from + bytes > capacity()) return false;
  const auto& live = impl_->live;
  const std::size_t most = impl_->mark_bytes - impl_->mark_bytes / kMarkReserve;
  return live.marks_end - live.marks_begin <= most || impl_->marks().bytes_from(live, from) <= most;
}

void Journal::move_tail(Position tail) {
  Impl& impl = *impl_;
  assert(tail <= head());
  impl.advance_tail(tail);
}

/// Overwrites the ring from head round to tail. A ring that has not grown to its full size has never wrapped round.
void Journal::Impl::wipe_ring() const {
  const auto held = static_cast<std::size_t>(live.head - live.tail);
  if (ring_reserved == ring_bytes) {
    std::memset(at(live.head), 0, ring_bytes - held);
    return;
  }
  std::memset(mapping.ring(), 0, static_cast<std::size_t>(live.tail));
  std::memset(at(live.head), 0, ring_reserved - static_cast<std::size_t>(live.head));
}

void Journal::Impl::wipe_marks() const {
  if (marks_reserved == mark_bytes) return marks().erase(live.marks_end, live.marks_begin + mark_bytes);
  marks().erase(0, live.marks_begin);
  marks().erase(live.marks_end, marks_reserved);
}

/// The published state speaks of nothing that is overwritten; at the end both copies in the header are the same.
void Journal::wipe() {
  Impl& impl = *impl_;
  commit();
  impl.wipe_inbox();
  impl.wipe_ring();
  impl.wipe_marks();
  commit();
  // The file stays open: its lock tells that the terminal is in use.
  [[maybe_unused]] const bool emptied = impl.left_file && ::ftruncate(impl.left_file.get(), 0) == 0;
}

void Journal::hold(const Held& held) {
  auto& header = impl_->header();
  if (this->held() == held) return;
  header.held_from = held.from;
  header.held_readers = held.readers;
  const auto named = std::min<std::size_t>(held.names.size(), kMaxNamed);
  std::copy_n(held.names.begin(), named, header.held_names);
  std::fill(header.held_names + named, std::end(header.held_names), 0);
}

Journal::Held Journal::held() const {
  const auto& header = impl_->header();
  if (header.held_readers == 0) return {header.held_from, 0};
  const auto* const end = std::find(header.held_names, std::end(header.held_names), 0);
  return {header.held_from, static_cast<std::uint32_t>(header.held_readers), {header.held_names, end}};
}

void Journal::release_pages() {
  impl_->mapping.release();
}

void Journal::close_in_order() {
  impl_->live.closed = 1;
  commit();
  impl_->live.closed = 0;
  impl_->mapping.stamp();
  impl_->mapping.unlock();
  impl_->left_file.reset();
}

}  // namespace ptyd
