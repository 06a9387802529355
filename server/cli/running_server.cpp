#include "server/cli/running_server.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "server/config/private_file.hpp"
#include "server/config/state_dir.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> number_in(const Result<std::string>& text) {
  std::size_t number = 0;
  if (!text) return std::nullopt;
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string folder_of(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

/// Whether `pid` has the file open that is open here as `fd`: a pid that was read somewhere may be any process's.
bool has_open(pid_t pid, int fd) {
  struct stat wanted {};
  if (::fstat(fd, &wanted) != 0) return false;
  std::error_code error;
  const fs::directory_iterator descriptors(folder_of(pid) + "/fd", error);
  if (error) return false;
  return std::any_of(begin(descriptors), end(descriptors), [&wanted](const fs::directory_entry& each) {
    struct stat found {};
    return ::stat(each.path().c_str(), &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino;
  });
}

/// Whether `pid` has a handler for the signal: SigCgt in proc(5).
bool catches(pid_t pid, int signal) {
  std::ifstream status(folder_of(pid) + "/status");
  for (std::string word; status >> word;)
    if (word == "SigCgt:") {
      std::uint64_t mask = 0;
      status >> std::hex >> mask;
      return (mask >> (signal - 1) & 1) != 0;
    }
  return false;
}

}  // namespace

Result<RunningServer> RunningServer::find(const fs::path& state_dir) {
  UniqueFd directory(::open(state_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  UniqueFd lock(directory ? ::openat(directory.get(), StateDir::kLockName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1);
  if (!lock && errno != ENOENT) return Error(Errc::denied, state_dir.string() + ": " + std::strerror(errno));
  RunningServer server(std::move(directory), std::move(lock));
  if (!server.lock_ || !server.is_there()) return Error(Errc::not_found, state_dir.string() + ": no server uses it");
  if (const auto known = server.identify(); !known)
    return Error(known.error().code(), state_dir.string() + ": " + known.error().detail());
  return server;
}

bool RunningServer::is_there() const {
  if (::flock(lock_.get(), LOCK_SH | LOCK_NB) != 0) return true;
  ::flock(lock_.get(), LOCK_UN);
  return false;
}

Result<void> RunningServer::identify() {
  const auto pid = number_in(read_private_file(directory_.get(), StateDir::kLockName));
  pid_ = static_cast<pid_t>(pid.value_or(0));
  if (pid_ > 0 && has_open(pid_, lock_.get())) return {};
  return Error(Errc::not_found, "its server is not to be seen from here: another user's, or in a container");
}

std::optional<std::size_t> RunningServer::draining() const {
  return number_in(read_private_file(directory_.get(), StateDir::kDrainName));
}

Result<RunningServer::Place> RunningServer::place() const {
  auto text = read_private_file(directory_.get(), StateDir::kPlaceName);
  if (!text) return Error(text.error().code(), "its server listens nowhere yet, or is of another version");
  text->resize(text->find_last_not_of('\n') + 1);
  const bool tls = text->starts_with(StateDir::kTlsPlace);
  auto address = parse_listen_address(tls ? text->substr(StateDir::kTlsPlace.size()) : *text);
  if (!address) return address.error();
  return Place{std::move(*address), tls};
}

Result<void> RunningServer::signal(int number) const {
  if (!catches(pid_, number)) return Error(Errc::denied, "its server knows no such signal; is it of another version?");
  if (::kill(pid_, number) != 0) return Error(Errc::denied, std::strerror(errno));
  return {};
}

}  // namespace ptyd
