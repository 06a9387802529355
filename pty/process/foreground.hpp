// Foreground: the program that has a terminal's keyboard, from /proc.
#pragma once

#include <optional>
#include <string>

namespace ptyd {

/// A program as /proc shows it at one moment. Its texts are the kernel's bytes, of any encoding.
struct Foreground {
  std::string name;  ///< at most 15 bytes
  std::string cwd;   ///< "" where it may not be known (another user's program), or is a directory that was removed

  bool operator==(const Foreground&) const = default;
};

/// The process `pid`; nothing when there is none. Asks no drive, not even for the directory.
std::optional<Foreground> foreground_of(int pid);

/// The leader of the process group `group`; where that has ended, as the first program of a pipeline does, the newest
/// child of `shell` in the group. Nothing when neither is there.
std::optional<Foreground> foreground_of_group(int group, int shell);

}  // namespace ptyd
