// spawn: from a LaunchSpec to a child that runs on a pty of its own.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstddef>
#include <functional>
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

/// A child after its exec. The destructor ends the child unless it was taken on. The descriptors are close-on-exec;
/// master does not block.
struct Spawned {
  Spawned(int number, std::size_t which, UniqueFd master_side, UniqueFd pidfd, bool controlling);
  Spawned(Spawned&& other) noexcept;
  Spawned& operator=(Spawned&&) = delete;
  /// KILLs the child and waits for it, which takes no time: the child has done nothing yet.
  ~Spawned();
  /// The process is the caller's to end and to wait for from now on.
  int take_on();

  int pid;                ///< 0 once it was taken on
  std::size_t candidate;  ///< which of the LaunchSpec's it is
  UniqueFd master;
  UniqueFd process;               ///< pidfd
  bool has_controlling_terminal;  ///< the terminal is its controlling one
};

/// How long a child may take to its exec: its directory or its program may be on a drive that never answers.
inline constexpr std::chrono::seconds kLaunchPatience{5};

/// Starts the first of the candidates that exists, on a pty of its own.
///
/// Waits until the child has got as far as its exec: call it where waiting is allowed. Nothing of this process is
/// copied (vfork), so it costs the same however big the server has become, and no page of it has to be copied
/// afterwards. A child that takes longer than `patience` is killed. Where no signal reaches it, this returns when its
/// drive answers.
///
/// Errc::bad_request for what no exec can take (a NUL byte, '=' in a name), Errc::bad_cwd when the child cannot enter
/// its directory, else Errc::spawn_failed, after an exec with "<detail>. Tried shells: a, b." and the exec's errno.
Result<Spawned> spawn(const LaunchSpec& spec, std::chrono::seconds patience = kLaunchPatience);

/// Errc::spawn_failed, for a launch that has taken longer than `patience`.
Error no_answer(const LaunchSpec& spec, std::chrono::seconds patience = kLaunchPatience);

/// Spawns children for a launcher. `spawned` is told once, on the launcher's loop, in a later turn.
using Spawner = std::function<void(LaunchSpec spec, std::function<void(Result<Spawned>)> spawned)>;

}  // namespace ptyd
