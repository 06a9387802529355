#include "pty/journal/mapping.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace ptyd {
namespace {

bool is_exhausted(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN;
}

/// `size` bytes that were mapped at `from` are at `to` instead of what was there.
bool move_pages(char* from, std::size_t size, char* to) {
  return size == 0 || mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED;
}

}  // namespace

Error system_error(int error, std::string_view what) {
  return {is_exhausted(error) ? Errc::limit : Errc::internal, std::string(what) + ": " + std::strerror(error)};
}

// map() and in_memory() first map everything at once, with room for the second view of the ring, and then put that view
// there.

Result<Mapping> Mapping::map(UniqueFd fd, std::size_t plain, std::size_t ring, std::size_t beyond) {
  void* address = mmap(nullptr, plain + 2 * ring + beyond, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (address == MAP_FAILED) return system_error(errno, "a journal cannot be mapped");
  Mapping mapping(static_cast<char*>(address), plain, ring, beyond);
  mapping.fd_ = std::move(fd);
  if (!mapping.mirror() || !mapping.map_beyond()) return system_error(errno, "a journal's ring cannot be mapped");
  // A page is touched because something is written there; reading ahead would fetch 128 KiB of nothing for each.
  madvise(mapping.address_, mapping.mapped_size(), MADV_RANDOM);
  return mapping;
}

Result<Mapping> Mapping::in_memory(std::size_t plain, std::size_t ring, std::size_t beyond) {
  constexpr int kFlags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
  void* address = mmap(nullptr, plain + 2 * ring + beyond, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (address == MAP_FAILED) return system_error(errno, "no memory for a journal");
  Mapping mapping(static_cast<char*>(address), plain, ring, beyond);
  if (!mapping.mirror()) return system_error(errno, "a journal's ring cannot be mapped");
  return mapping;
}

/// An old size of 0 asks mremap for a second view of a shared mapping, whatever stands behind it.
bool Mapping::mirror() const {
  return mremap(ring(), 0, ring_, MREMAP_MAYMOVE | MREMAP_FIXED, ring() + ring_) != MAP_FAILED;
}

bool Mapping::map_beyond() const {
  if (beyond_ == 0) return true;
  constexpr int kFlags = MAP_SHARED | MAP_FIXED;
  const auto offset = static_cast<off_t>(plain_ + ring_);
  return mmap(beyond(), beyond_, PROT_READ | PROT_WRITE, kFlags, fd_.get(), offset) != MAP_FAILED;
}

bool Mapping::become(Mapping&& other) {
  const std::size_t seen_once = plain_ + ring_;
  if (!move_pages(other.beyond(), beyond_, beyond()) || !move_pages(other.address_, seen_once, address_)) return false;
  // Its old addresses may be given to others from here on; only its second view of the ring is still there.
  munmap(std::exchange(other.address_, nullptr) + seen_once, ring_);
  fd_ = std::move(other.fd_);
  return mirror();
}

Mapping::Mapping(Mapping&& other) noexcept
    : fd_(std::move(other.fd_)),
      address_(std::exchange(other.address_, nullptr)),
      plain_(other.plain_),
      ring_(other.ring_),
      beyond_(other.beyond_) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(address_, other.address_);
  std::swap(plain_, other.plain_);
  std::swap(ring_, other.ring_);
  std::swap(beyond_, other.beyond_);
  return *this;
}

Mapping::~Mapping() {
  if (address_ != nullptr) munmap(address_, mapped_size());
}

bool Mapping::reserve(std::size_t begin, std::size_t size) const {
  return !fd_ || posix_fallocate(fd_.get(), static_cast<off_t>(begin), static_cast<off_t>(size)) == 0;
}

Result<void> Mapping::read_through(std::size_t begin, std::size_t size) const {
  constexpr std::size_t kAtOnce = 64 << 10;
  std::vector<char> space(std::min(size, kAtOnce));
  for (std::size_t done = 0; done < size;) {
    const auto count =
        ::pread(fd_.get(), space.data(), std::min(space.size(), size - done), static_cast<off_t>(begin + done));
    if (count == 0) return Error(Errc::internal, "is cut short");
    if (count < 0 && errno != EINTR) return system_error(errno, "cannot be read");
    done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return {};
}

void Mapping::discard(std::size_t begin, std::size_t size) const {
  constexpr int kHole = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (fd_) ::fallocate(fd_.get(), kHole, static_cast<off_t>(begin), static_cast<off_t>(size));
}

void Mapping::stamp() const {
  if (fd_) ::futimens(fd_.get(), nullptr);
}

void Mapping::unlock() const {
  if (fd_) ::flock(fd_.get(), LOCK_UN);
}

void Mapping::release() const {
  madvise(address_, mapped_size(), MADV_DONTNEED);
}

}  // namespace ptyd
