// Files that hold secrets: ours alone, never followed through a link, never half written.
#pragma once

#include <string>
#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

/// Reads a small file of this user (or root) that no other user can read. `directory` is an open directory or AT_FDCWD.
/// Errc::not_found when there is none; Errc::denied when it is a link, another user's, or readable by others.
Result<std::string> read_private_file(int directory, const std::string& name);
/// Reads a small file that an option names. It may be a link, and readable by others, as container
/// secrets are: secret_warning() judges that.
Result<std::string> read_small_file(const std::string& path);
/// Looks at the file of a secret that an option names. Errc::denied when another user (but root) could have written
/// what is in it; else a warning when others can read it, or "".
Result<std::string> secret_warning(const std::string& path);
/// Puts `content` there atomically and for this user alone (0600), in place of an earlier file.
Result<void> write_private_file(int directory, const std::string& name, std::string_view content);

}  // namespace ptyd
