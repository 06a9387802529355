// A file's lock that others hold for a moment at most.
#pragma once

#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace ptyd {

/// Takes the exclusive lock (flock(2)) of the file behind `fd`. False, with errno set, where it cannot be locked; with
/// EWOULDBLOCK where another process has held it all the while. Blocks for `patience` at most.
inline bool lock_within(int fd, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{10};
  for (auto pauses = patience / kPause; ::flock(fd, LOCK_EX | LOCK_NB) != 0; pauses--) {
    if (errno != EWOULDBLOCK || pauses == 0) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace ptyd
