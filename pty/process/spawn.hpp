// spawn: from a LaunchSpec to a child that runs on a pty of its own.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <string>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "pty/unique_fd.hpp"

namespace ptyd {

/// Raises this process' soft limit on descriptors to its hard one and returns the limits it had before. Children that
/// are spawned from then on get those back. Call once, before there are other threads.
rlimit raise_descriptor_limit();

/// Errc::bad_cwd, in the reference's words, unless `path` is a directory (links are followed).
Result<void> check_cwd(const std::string& path);

/// A child after its exec. The descriptors are close-on-exec; master does not block.
struct Spawned {
  int pid = 0;
  std::size_t candidate = 0;  ///< which of the LaunchSpec's it is
  UniqueFd master;
  UniqueFd process;  ///< pidfd
};

/// Starts the first of the candidates that exists, on a pty of its own.
///
/// Waits until the child has got as far as its exec: call it where waiting is allowed. Nothing of this process is
/// copied (vfork), so it costs the same however big the server has become, and no page of it has to be copied
/// afterwards.
///
/// Errc::bad_request for what no exec can take (a NUL byte, '=' in a name), Errc::bad_cwd when the child cannot enter
/// its directory, else Errc::spawn_failed, after an exec with "<detail>. Tried shells: a, b." and the exec's errno.
Result<Spawned> spawn(const LaunchSpec& spec);

/// KILLs a child that was just spawned, and waits for it, which takes no time: it has done nothing yet.
void end_at_once(int pid);

}  // namespace ptyd
