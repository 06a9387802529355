// Mounts: on which drive a path lies, known before the drive is asked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptyd {

/// Where drives are mounted, as the kernel lists it. No drive is asked for that.
class Mounts {
 public:
  /// The mounts of this process; only "/" where the kernel shows none.
  static Mounts now();
  /// From the text of /proc/self/mountinfo.
  explicit Mounts(std::string_view mountinfo);

  /// Where the drive is mounted that `path` lies on, which is absolute and without links.
  const std::string& of(std::string_view path) const;

 private:
  std::vector<std::string> points_;  // "/" among them, the longest first
};

/// Follows `path` through its links. Before the path enters a drive, asks `may_enter` with the place where that is
/// mounted; the drive at "/", on which the path begins, is asked for only when the path comes back to it. Where the
/// answer is false, returns that place. Blocks where a drive does not answer.
std::optional<std::string> barred_mount(const std::string& path, const Mounts& mounts,
                                        const std::function<bool(const std::string& mount)>& may_enter);

}  // namespace ptyd
