// Mapping: a file in memory of which one part, a ring, is seen twice in a row.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"

namespace ptyd {

/// The Error of a system call that has failed with `error`, an errno. Errc::limit where the machine or this process has
/// no more of something for now: that says nothing about a file. Errc::internal else.
Error system_error(int error, std::string_view what);

/// A file mapped MAP_SHARED: `plain` bytes, then a ring of `ring` bytes, then the same ring once more, so that any
/// stretch of the ring is contiguous, then `beyond` bytes, which follow the ring in the file. Bytes that are written
/// are the kernel's at once and survive this process.
///
/// Owns    the descriptor and the addresses.
/// Thread  one. Addresses stay the same for the mapping's life, also when it moves to memory.
/// Units   bytes; all sizes are multiples of the page size.
/// Errors  Only bytes of which reserve() has said that they exist may be touched; others may fault.
class Mapping {
 public:
  Mapping() = default;
  /// Takes over `fd`. Nothing exists yet.
  static Result<Mapping> map(UniqueFd fd, std::size_t plain, std::size_t ring, std::size_t beyond);
  /// The same without a file: everything exists, and goes with the process.
  static Result<Mapping> in_memory(std::size_t plain, std::size_t ring, std::size_t beyond);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();

  char* data() const { return address_; }
  char* ring() const { return address_ + plain_; }
  char* beyond() const { return ring() + 2 * ring_; }
  /// Makes [begin, begin + size) of the file exist, so that touching it cannot fail. False when the disk is full or a
  /// limit on files forbids it. (Beyond RLIMIT_FSIZE the kernel also sends SIGXFSZ, which the server ignores.)
  bool reserve(std::size_t begin, std::size_t size) const;
  /// Reads [begin, begin + size) of the file: touching what a disk cannot give would be a fault, and here it is an
  /// error. Takes as long as the disk does.
  Result<void> read_through(std::size_t begin, std::size_t size) const;
  /// Shows what `other`, of the same sizes, shows, at the addresses of this one; `other` is empty then. False when the
  /// kernel refuses.
  bool become(Mapping&& other);
  bool on_disk() const { return fd_.get() >= 0; }
  /// The file's descriptor, for when the mapping is about to become another.
  UniqueFd leave_file() { return std::move(fd_); }
  /// Makes a part of the file, which is not to be touched until it is reserved again, read as zeros. Where the file
  /// system cannot, nothing happens.
  void discard(std::size_t begin, std::size_t size) const;
  /// Sets the file's time to now: it is in use.
  void stamp() const;
  /// Lets go of the lock that its descriptor has.
  void unlock() const;
  /// Gives pages back to the kernel; touching them brings them back.
  void release() const;

 private:
  Mapping(char* address, std::size_t plain, std::size_t ring, std::size_t beyond)
      : address_(address), plain_(plain), ring_(ring), beyond_(beyond) {}
  std::size_t mapped_size() const { return plain_ + 2 * ring_ + beyond_; }
  bool mirror() const;
  bool map_beyond() const;

  UniqueFd fd_;
  char* address_ = nullptr;
  std::size_t plain_ = 0;
  std::size_t ring_ = 0;
  std::size_t beyond_ = 0;
};

}  // namespace ptyd
