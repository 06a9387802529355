// pidfd: the kernel's handle on a process, as system calls: glibc 2.36 declares them without C linkage.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include "pty/unique_fd.hpp"

namespace ptyd {

/// Close-on-exec; none, with errno set, when there is no such process.
inline UniqueFd open_pidfd(int pid) {
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

inline void signal_pidfd(int pidfd, int number) {
  ::syscall(SYS_pidfd_send_signal, pidfd, number, nullptr, 0);
}

}  // namespace ptyd
