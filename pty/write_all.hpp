// Writing of a whole text.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string_view>

namespace ptyd {

/// Writes all of `bytes` to `fd`, a file that blocks. False, with errno set, where a write failed; some of the bytes
/// may be written then.
inline bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace ptyd
