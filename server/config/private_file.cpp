#include "server/config/private_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pty/unique_fd.hpp"
#include "pty/write_all.hpp"

namespace ptyd {
namespace {

/// Tokens and such; a larger file is a mistake.
constexpr std::size_t kMaxPrivateFile = 64 * 1024;

Error failure(Errc code, const std::string& name, const std::string& why) {
  return Error(code, name + ": " + why);
}

Result<void> check_private(int fd, const std::string& name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return failure(Errc::internal, name, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return failure(Errc::denied, name, "is not a regular file");
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return failure(Errc::denied, name, "belongs to user " + std::to_string(status.st_uid) + ", not to us");
  }
  if ((status.st_mode & 077) != 0) {
    return failure(Errc::denied, name, "can be read by other users; chmod 600 it, and better make a new secret");
  }
  return {};
}

Result<std::string> read_all(int fd, const std::string& name) {
  std::string content(kMaxPrivateFile + 1, '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const auto count = ::read(fd, content.data() + have, content.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure(Errc::internal, name, std::strerror(errno));
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  if (have > kMaxPrivateFile) {
    return failure(Errc::bad_request, name, "is longer than " + std::to_string(kMaxPrivateFile) + " bytes");
  }
  content.resize(have);
  return content;
}

}  // namespace

Result<std::string> read_private_file(int directory, const std::string& name) {
  const UniqueFd fd(::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd && errno == ENOENT) return failure(Errc::not_found, name, std::strerror(ENOENT));
  if (!fd && errno == ELOOP) return failure(Errc::denied, name, "is a symbolic link");
  if (!fd) return failure(Errc::denied, name, std::strerror(errno));
  if (const auto ours = check_private(fd.get(), name); !ours) return ours.error();
  return read_all(fd.get(), name);
}

Result<std::string> read_small_file(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return failure(errno == ENOENT ? Errc::not_found : Errc::denied, path, std::strerror(errno));
  return read_all(fd.get(), path);
}

Result<std::string> secret_warning(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return failure(errno == ENOENT ? Errc::not_found : Errc::denied, path, std::strerror(errno));
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    return failure(Errc::denied, path, "belongs to user " + std::to_string(status.st_uid) + ", not to us");
  if ((status.st_mode & 022) != 0)
    return failure(Errc::denied, path, "can be written by other users; chmod 600 it, and better make a new secret");
  if ((status.st_mode & 044) != 0) return path + ": can be read by other users";
  return std::string();
}

Result<void> write_private_file(int directory, const std::string& name, std::string_view content) {
  const auto temporary = name + "." + std::to_string(::getpid()) + ".new";
  ::unlinkat(directory, temporary.c_str(), 0);
  const UniqueFd fd(::openat(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd) return failure(Errc::internal, temporary, std::strerror(errno));
  if (!write_all(fd.get(), content) || ::fsync(fd.get()) != 0 ||
      ::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
    const int error = errno;
    ::unlinkat(directory, temporary.c_str(), 0);
    return failure(Errc::internal, name, std::strerror(error));
  }
  return {};
}

}  // namespace ptyd
