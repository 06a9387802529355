// RunningServer: the server of a state directory, as another process of its user meets it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// Owns    the open state directory and its open lock file.
/// Errors  Errc::not_found when no server uses the directory, or none that this process can see: one in a container has
///         another pid here. Errc::denied when it is not for this user to look or to signal.
class RunningServer {
 public:
  static Result<RunningServer> find(const std::filesystem::path& state_dir);

  /// Whether it has not ended.
  bool is_there() const;
  /// Terminals that run in a server that drains; nothing: it does not drain.
  std::optional<std::size_t> draining() const;
  /// Its first address.
  struct Place {
    ListenAddress address;
    bool tls = false;
  };
  /// Errc::not_found while it starts.
  Result<Place> place() const;
  /// Errc::denied where the server has no handler for the signal, which would kill it.
  Result<void> signal(int number) const;

 private:
  RunningServer(UniqueFd directory, UniqueFd lock) : directory_(std::move(directory)), lock_(std::move(lock)) {}
  Result<void> identify();

  UniqueFd directory_, lock_;
  pid_t pid_ = 0;
};

}  // namespace ptyd
