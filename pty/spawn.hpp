// spawn: from a LaunchSpec to a forked child on a pty of its own, and what became of its exec.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "pty/unique_fd.hpp"

namespace ptyd {

/// Raises this process' soft limit on descriptors to its hard one and returns the limits it had before. Children that
/// are spawned from then on get those back. Call once, before there are other threads.
rlimit raise_descriptor_limit();

/// Errc::bad_cwd, in the reference's words, unless `path` is a directory (links are followed).
Result<void> check_cwd(const std::string& path);

/// A child on its way to its exec. All descriptors are close-on-exec; master and report do not block.
struct Spawned {
  int pid = 0;
  UniqueFd master;
  UniqueFd process;  ///< pidfd
  UniqueFd report;   ///< for ExecReport; readable when there is news, at its end when the exec has happened or failed
};

/// Forks a child which becomes the first of the candidates that exists, and does not wait for that.
/// Errc::bad_request for what cannot be handed to a child (a NUL byte, '=' in a name), Errc::spawn_failed when the
/// machine has no more ptys, processes or descriptors.
Result<Spawned> spawn(const LaunchSpec& spec);

/// What a child tells about its way to the exec.
class ExecReport {
 public:
  /// Takes what has come. True when it is complete.
  bool receive(int descriptor);
  /// Index of the candidate that runs. Errc::bad_cwd when the child could not enter its directory, else
  /// Errc::spawn_failed with "<detail>. Tried shells: a, b.".
  Result<std::size_t> outcome(const LaunchSpec& spec) const;

  enum class Step : std::int32_t { session, terminal, descriptors, directory, exec };
  /// What went wrong at `step`, once per candidate for exec. Written by the child in one piece.
  struct Failure {
    Step step = Step::exec;
    std::int32_t candidate = 0;
    std::int32_t error = 0;
  };

 private:
  std::vector<Failure> failures_;
};

/// True for the failures after which the next candidate is tried.
bool means_not_found(int error);

}  // namespace ptyd
