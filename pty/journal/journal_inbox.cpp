// The inbox: the mapped buffer that reads go into, so that no byte read is ever lost.
//
// [0, inbox_begin) is decided, [inbox_begin, inbox_end) is waiting, [inbox_end, inbox_limit) is free and all kFree. A
// successor sees only the published begin and limit: it takes what stands between them up to the last byte that is not
// kFree. Hence what is below the published begin or above the published limit may be written at will, and nothing else.
#include <algorithm>
#include <cassert>
#include <cstring>

#include "pty/journal/journal_impl.hpp"

namespace ptyd {
using namespace journal_format;

std::span<char> Journal::inbox_space() {
  impl_->prepare_inbox();
  return {impl_->inbox() + impl_->inbox_end, impl_->live.inbox_limit - impl_->inbox_end};
}

void Journal::received(std::size_t count) {
  assert(count <= impl_->live.inbox_limit - impl_->inbox_end);
  impl_->inbox_end += static_cast<std::uint32_t>(count);
}

std::string_view Journal::inbox() const {
  return {impl_->inbox() + impl_->live.inbox_begin, impl_->inbox_end - impl_->live.inbox_begin};
}

void Journal::consume(std::size_t count) {
  assert(count <= inbox().size());
  impl_->live.inbox_begin += static_cast<std::uint32_t>(count);
}

void Journal::Impl::prepare_inbox() {
  const auto room = [this] { return live.inbox_limit - inbox_end; };
  const auto movable = [this] { return inbox_end - live.inbox_begin <= live.inbox_begin; };
  // Only a caller that decided without commit() fills the inbox to the last byte; its decisions are whole by now.
  if (room() == 0 && live.inbox_limit == kInboxRoom) publish(live);
  const bool settled = committed.inbox_begin == live.inbox_begin;
  if (settled && live.inbox_begin == inbox_end) rewind_inbox();
  if (room() >= kOneRead) return;
  if (settled && movable()) {
    move_inbox_down();
  } else if (live.inbox_limit < kInboxRoom) {
    grow_inbox();
  }
}

/// Nothing waits: begin at the front again.
void Journal::Impl::rewind_inbox() {
  if (live.inbox_begin == 0) return;
  std::memset(inbox(), kFree, inbox_end);
  State rewound = committed;
  rewound.inbox_begin = live.inbox_begin = inbox_end = 0;
  publish(rewound);
}

/// Call only while the state is published: bytes below the published begin may be overwritten.
void Journal::Impl::wipe_inbox() {
  if (live.inbox_begin == inbox_end) return rewind_inbox();
  std::memset(inbox(), kFree, live.inbox_begin);
}

/// Copies what waits to the front; the limit hides the old copy until it is overwritten.
void Journal::Impl::move_inbox_down() {
  const std::uint32_t begin = live.inbox_begin, size = inbox_end - begin;
  assert(size <= begin);
  std::memcpy(inbox(), inbox() + begin, size);
  std::memset(inbox() + size, kFree, begin - size);
  State moved = committed;
  moved.inbox_begin = 0;
  moved.inbox_limit = begin;
  publish(moved);
  std::memset(inbox() + begin, kFree, size);
  moved.inbox_limit = live.inbox_limit;
  publish(moved);
  live.inbox_begin = 0;
  inbox_end = size;
}

/// Raises a limit that a kill during move_inbox_down() has left below kFirstInbox.
void Journal::Impl::raise_inbox_limit() {
  if (live.inbox_limit >= kFirstInbox) return;
  std::memset(inbox() + live.inbox_limit, kFree, kFirstInbox - live.inbox_limit);
  live.inbox_limit = kFirstInbox;
}

void Journal::Impl::grow_inbox() {
  const std::size_t larger = std::min<std::size_t>(2 * live.inbox_limit, kInboxRoom);
  if (!reserve_inbox(larger)) move_to_memory();
  std::memset(inbox() + live.inbox_limit, kFree, larger - live.inbox_limit);
  State grown = committed;
  grown.inbox_limit = live.inbox_limit = static_cast<std::uint32_t>(larger);
  publish(grown);
}

}  // namespace ptyd
