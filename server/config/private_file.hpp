// Files that hold secrets: ours alone, never followed through a link, never half written.
#pragma once

#include <string>
#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

/// Reads a small file of this user (or root) that no other user can read. `directory` is an open directory or AT_FDCWD.
/// Errc::not_found when there is none; Errc::denied when it is a link, another user's, or readable by others.
Result<std::string> read_private_file(int directory, const std::string& name);
/// Reads a small file that an option names. Container secrets are links, and readable: that is for secret_warning().
Result<std::string> read_small_file(const std::string& path);
/// Looks at the file of a secret that an option names. Errc::denied when another user (but root) could have written
/// what is in it; else a warning when others can read it, or "".
Result<std::string> secret_warning(const std::string& path);
/// Puts `content` there at once and for this user alone (0600), in place of what was there.
Result<void> write_private_file(int directory, const std::string& name, std::string_view content);

}  // namespace ptyd
