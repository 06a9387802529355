// Journals and the disk: making files, finding them again, growing them, leaving them when the disk is full.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "pty/journal/journal_impl.hpp"

namespace ptyd {

using namespace journal_format;

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uint64_t kLastPosition = std::uint64_t{1} << 62;

std::uint64_t random_incarnation() {
  std::uint64_t bits = 0;
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) throw std::bad_alloc();
  return bits;
}

bool is_size(std::size_t bytes, std::size_t least, std::size_t most) {
  return std::has_single_bit(bytes) && bytes >= least && bytes <= most;
}

Error file_error(const std::filesystem::path& file, const std::string& what) {
  return {Errc::internal, "journal " + file.string() + ": " + what};
}

Error file_error(const std::filesystem::path& file, int error) {
  return system_error(error, "journal " + file.string());
}

bool is_full(int error) {
  return error == ENOSPC || error == EDQUOT || error == EFBIG || error == EROFS;
}

/// Waits for the lock of a file, which its owner or a sweep that deletes it may hold. False where the file was deleted.
/// Goes on where files cannot be locked: no sweep deletes there.
bool lock(int fd) {
  while (::flock(fd, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  return fstat(fd, &status) == 0 && status.st_nlink > 0;
}

/// Size of a file that is ours alone: no link of any kind, no device, not another user's.
Result<std::size_t> checked_size(int fd, const std::filesystem::path& file) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return file_error(file, errno);
  if (!S_ISREG(status.st_mode)) return file_error(file, "is no regular file");
  if (status.st_uid != geteuid()) return file_error(file, "belongs to another user");
  if (status.st_nlink > 1) return file_error(file, "has other names");
  return static_cast<std::size_t>(status.st_size);
}

/// The fault of a header, or nothing.
const char* fault_of(const Header& header) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return "is no journal of this version";
  if (!is_size(header.ring_bytes, kPage, kMaxRing)) return "bad ring size";
  if (!is_size(header.mark_bytes, kMinMarks, kMaxMarks)) return "bad size of marks";
  if (header.identity_size > kMaxIdentity) return "bad identity";
  if (header.active > 1) return "bad state number";
  if (header.forgotten_bytes > forgotten_room(header.ring_bytes) || header.forgotten_bytes % kPage != 0) {
    return "bad room for forgotten marks";
  }
  return nullptr;
}

const char* fault_of(const State& state, const Header& header) {
  if (state.tail > state.head || state.head - state.tail > header.ring_bytes || state.head >= kLastPosition) {
    return "bad positions";
  }
  if (state.marks_begin > state.marks_end || state.marks_end - state.marks_begin > header.mark_bytes ||
      state.marks_end >= kLastPosition) {
    return "bad extent of marks";
  }
  if (state.forgotten_end > state.head) return "bad extent of forgotten marks";
  if (state.inbox_begin > state.inbox_limit || state.inbox_limit > kInboxRoom) return "bad inbox";
  return state.carry_size > sizeof state.carry ? "bad carry" : nullptr;
}

/// How much of a ring of `size` has been in use when its end is at `end`, in whole pages.
std::size_t used(std::uint64_t end, std::size_t size) {
  return static_cast<std::size_t>(std::min<std::uint64_t>((end + kPage - 1) / kPage * kPage, size));
}

}  // namespace

// --- Making

std::unique_ptr<Journal::Impl> Journal::Impl::over(Mapping mapping, std::size_t ring_bytes, std::size_t mark_bytes) {
  auto impl = std::make_unique<Impl>();
  impl->mapping = std::move(mapping);
  impl->ring_bytes = ring_bytes;
  impl->mark_bytes = mark_bytes;
  return impl;
}

void Journal::Impl::begin(std::string_view identity) {
  Header& made = header();
  std::memcpy(made.magic, kMagic, sizeof kMagic);
  made.ring_bytes = ring_bytes;
  made.mark_bytes = mark_bytes;
  made.incarnation = random_incarnation();
  made.identity_size = identity.size();
  identity.copy(made.identity, identity.size());
  live.inbox_limit = kFirstInbox;
  std::memset(inbox(), kFree, kFirstInbox);
  publish(live);
}

namespace {

const char* fault_of(std::string_view identity, const Journal::Options& options) {
  if (identity.size() > kMaxIdentity) return "identity: longer than 4096 bytes";
  if (!is_size(options.ring_bytes, kPage, kMaxRing)) return "ring_bytes: no power of two from 4 KiB to 1 GiB";
  if (!is_size(options.mark_bytes, kMinMarks, kMaxMarks)) return "mark_bytes: no power of two from 16 KiB to 64 MiB";
  return nullptr;
}

/// The mapping of a new file with its first part reserved, or of none when the disk is full.
Result<Mapping> new_mapping(const std::filesystem::path& file, std::size_t plain, std::size_t ring) {
  const std::size_t beyond = forgotten_room(ring);
  if (file.empty()) return Mapping::in_memory(plain, ring, beyond);
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd && !is_full(errno)) return file_error(file, errno);
  if (!fd) return Mapping::in_memory(plain, ring, beyond);
  if (!lock(fd.get())) return file_error(file, "was deleted while it was made");
  auto mapping = Mapping::map(std::move(fd), plain, ring, beyond);
  if (mapping && mapping->reserve(0, kInboxOffset + kFirstInbox)) return mapping;
  ::unlink(file.c_str());
  return mapping ? Mapping::in_memory(plain, ring, beyond) : std::move(mapping);
}

}  // namespace

Result<Journal> Journal::create(const std::filesystem::path& file, std::string_view identity, Options options) {
  if (const char* fault = fault_of(identity, options)) return Error(Errc::bad_request, fault);
  auto mapping = new_mapping(file, kMarksOffset + options.mark_bytes, options.ring_bytes);
  if (!mapping) return mapping.error();
  auto impl = Impl::over(std::move(*mapping), options.ring_bytes, options.mark_bytes);
  impl->begin(identity);
  return Journal(std::move(impl));
}

// --- Finding again

Result<Journal> Journal::open(const std::filesystem::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  const auto none = [&file] { return Error(Errc::not_found, "no journal " + file.string()); };
  if (!fd && errno == ENOENT) return none();
  if (!fd) return file_error(file, errno);
  if (!lock(fd.get())) return none();
  const auto size = checked_size(fd.get(), file);
  if (!size) return size.error();
  if (*size == 0) return none();
  Header header;
  if (*size < kHeaderBytes || ::pread(fd.get(), &header, sizeof header, 0) != sizeof header) {
    return file_error(file, "is cut short");
  }
  if (const char* fault = fault_of(header)) return file_error(file, fault);
  auto mapping = Mapping::map(std::move(fd), kMarksOffset + header.mark_bytes, header.ring_bytes,
                              forgotten_room(header.ring_bytes));
  if (!mapping) return mapping.error();
  auto impl = Impl::over(std::move(*mapping), header.ring_bytes, header.mark_bytes);
  const auto loaded = impl->load(header, *size);
  if (!loaded) return file_error(file, loaded.error().detail());
  return Journal(std::move(impl));
}

/// Takes over what `found`, a copy of the file's header, speaks of. Nothing is touched before it is known to exist.
Result<void> Journal::Impl::load(const Header& found, std::size_t file_size) {
  const State& state = found.states[found.active];
  if (const char* fault = fault_of(state, found)) return Error(Errc::internal, fault);
  ring_reserved = used(state.head, ring_bytes);
  marks_reserved = used(state.marks_end, mark_bytes);
  forgotten_reserved = static_cast<std::size_t>(found.forgotten_bytes);
  const std::size_t inbox_bytes = std::max<std::size_t>(state.inbox_limit, kFirstInbox);
  const std::pair<std::size_t, std::size_t> parts[] = {{0, kInboxOffset + inbox_bytes},
                                                       {kMarksOffset, marks_reserved},
                                                       {ring_offset(), ring_reserved},
                                                       {forgotten_offset(), forgotten_reserved}};
  for (const auto& [begin, size] : parts) {
    if (size != 0 && begin + size > file_size) return Error(Errc::internal, "is cut short");
    if (const auto good = mapping.read_through(begin, size); !good) return good;
  }
  if (!marks().sound(state)) return Error(Errc::internal, "damaged marks");
  bool exists = true;
  for (const auto& [begin, size] : parts) exists = exists && (size == 0 || mapping.reserve(begin, size));
  live = committed = state;
  inbox_end = live.inbox_limit;
  while (inbox_end > live.inbox_begin && static_cast<unsigned char>(inbox()[inbox_end - 1]) == kFree) --inbox_end;
  if (!exists) move_to_memory();
  raise_inbox_limit();
  const bool in_order = state.closed != 0;
  if (!in_order) header().incarnation = random_incarnation();
  if (!in_order || found.held_from > state.head || found.held_readers > kMaxHeld) {
    header().held_from = header().held_readers = 0;
  }
  live.closed = 0;
  live.carry_size = 0;
  std::memset(live.carry, 0, sizeof live.carry);
  forgotten().clear(live.head, live.tail + ring_bytes);
  append_piece({state.carry, state.carry_size});
  advance_tail(live.forgotten_end);  // positions of marks before it are not known any more
  live.forgotten_end = 0;
  publish(live);
  if (!in_order) wipe_unpublished(file_size);
  return {};
}

void Journal::Impl::wipe_unpublished(std::size_t file_size) {
  wipe_inbox();
  wipe_ring();
  wipe_marks();
  publish(live);
  const std::pair<std::size_t, std::size_t> unknown[] = {{kInboxOffset + live.inbox_limit, kMarksOffset},
                                                         {kMarksOffset + marks_reserved, ring_offset()},
                                                         {ring_offset() + ring_reserved, forgotten_offset()}};
  for (const auto& [begin, end] : unknown) {
    if (begin < std::min(end, file_size)) mapping.discard(begin, std::min(end, file_size) - begin);
  }
}

// --- Growing

bool Journal::Impl::reserve_inbox(std::size_t bytes) {
  return mapping.reserve(kInboxOffset, bytes);
}

namespace {

/// `bytes` rounded up to the next step, which doubles from `first` on.
std::size_t step_for(std::uint64_t bytes, std::size_t first, std::size_t most) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(std::bit_ceil(std::max<std::uint64_t>(bytes, first)), most));
}

}  // namespace

void Journal::Impl::need_ring(std::uint64_t bytes) {
  if (bytes <= ring_reserved || ring_reserved == ring_bytes) return;
  const std::size_t wanted = step_for(bytes, kFirstRing, ring_bytes);
  if (!mapping.reserve(ring_offset(), wanted)) move_to_memory();
  ring_reserved = wanted;
}

void Journal::Impl::need_marks(std::uint64_t bytes) {
  if (bytes <= marks_reserved || marks_reserved == mark_bytes) return;
  const std::size_t wanted = step_for(bytes, kFirstMarks, mark_bytes);
  if (!mapping.reserve(kMarksOffset, wanted)) move_to_memory();
  marks_reserved = wanted;
}

void Journal::Impl::need_forgotten(std::size_t bytes) {
  if (bytes <= forgotten_reserved) return;
  const std::size_t wanted = step_for(bytes, kFirstForgotten, forgotten_room(ring_bytes));
  if (!mapping.reserve(forgotten_offset(), wanted)) move_to_memory();
  header().forgotten_bytes = forgotten_reserved = wanted;
}

void Journal::Impl::move_to_memory() {
  auto memory = Mapping::in_memory(ring_offset(), ring_bytes, forgotten_room(ring_bytes));
  if (!memory) throw std::bad_alloc();
  const auto copy = [&](std::size_t begin, std::size_t size) {
    std::memcpy(memory->data() + begin, mapping.data() + begin, size);
  };
  copy(0, kInboxOffset + live.inbox_limit);
  copy(kMarksOffset, marks_reserved);
  copy(ring_offset(), ring_reserved);
  std::memcpy(memory->beyond(), mapping.beyond(), forgotten_reserved);
  left_file = mapping.leave_file();
  if (!mapping.become(std::move(*memory))) throw std::bad_alloc();
}

}  // namespace ptyd
