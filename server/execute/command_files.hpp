// CommandFiles: the private files by which one launch of a shell is told what to do.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "pty/result.hpp"
#include "pty/shell/integration.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/loops.hpp"

namespace ptyd {

/// Random hex digits, at most 64.
std::string random_hex(std::size_t digits);

/// A folder of this user alone (0700) with files of this user alone (0600), written and deleted beside the loop.
///
/// Owns    the folder, from make() to remove().
/// Thread  the loop's. Nothing blocks. `done` is called there once, maybe before the call returns.
/// Order   tasks are done in the order of the calls.
/// Errors  Errc::internal when the disk refuses, or does not answer for kPatience; Errc::limit when too many wait.
class CommandFiles {
 public:
  using Done = std::function<void(Result<void>)>;
  static constexpr std::chrono::milliseconds kPatience{30000};

  /// The folder will be in `root`, which is made where it is missing. `theirs` as in Integration.
  CommandFiles(Loop& loop, BlockingPool& files, const std::filesystem::path& root, std::string theirs);

  /// With a nonce of its own.
  const Integration& integration() const { return integration_; }
  /// Makes the folder, with the start file.
  void make(ShellKind kind, Done done);
  void write_command(std::string text, Done done);
  /// Deletes the folder that make() made. Called again, it does nothing.
  void remove();

 private:
  void run(std::function<Result<void>()> work, Done done);

  Loop& loop_;
  BlockingPool& files_;
  const Integration integration_;
  bool is_made_ = false;
};

}  // namespace ptyd
