#include "server/config/state_dir.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>

#include "pty/file_lock.hpp"
#include "server/config/private_file.hpp"
#include "server/net/access/secrets.hpp"

namespace ptyd {
namespace {

/// Time to wait for the lock: other processes hold it for a moment, to see whether a server does (RunningServer).
constexpr std::chrono::milliseconds kLockPatience{200};

Error failure(Errc code, const std::filesystem::path& path, const std::string& why) {
  return Error(code, path.string() + ": " + why);
}

/// Empty, or with the file `ours` in it, which shows that it was made for this.
bool is_for_us(int directory, const std::string& ours) {
  if (::faccessat(directory, ours.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) return true;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return false;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(copy), ::closedir);
  if (!listing) return false;
  while (const auto* entry = ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") return false;
  }
  return true;
}

Result<void> make_directories(const std::filesystem::path& path) {
  std::error_code error;
  if (!path.parent_path().empty()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) return failure(Errc::denied, path.parent_path(), error.message());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failure(Errc::denied, path, std::strerror(errno));
  return {};
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

/// Tokens travel in headers, cookies and URLs, so only what needs no escaping in any of them.
bool is_token_character(unsigned char c) {
  return std::isalnum(c) != 0 || std::string_view("-._~+/=").find(static_cast<char>(c)) != std::string_view::npos;
}

Result<std::string> check_token(const std::string& content, const std::filesystem::path& path) {
  auto token = trimmed(content);
  if (token.size() < kMinTokenLength) {
    return failure(
        Errc::bad_request, path,
        "the token has " + std::to_string(token.size()) + " characters, fewer than " + std::to_string(kMinTokenLength));
  }
  if (!std::all_of(token.begin(), token.end(), is_token_character)) {
    return failure(Errc::bad_request, path, "a token consists of letters, digits and -._~+/= only");
  }
  return token;
}

/// A slash at the end would follow a link.
std::filesystem::path without_slash(const std::filesystem::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

Result<UniqueFd> open_directory(const std::filesystem::path& path) {
  UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory) {
    const bool link = std::filesystem::is_symlink(path);
    return failure(Errc::denied, path, link ? "is a symbolic link" : std::strerror(errno));
  }
  return directory;
}

/// Whether it is for this user alone; false: it is for us to make so.
Result<bool> judge_directory(int directory, const std::filesystem::path& path, const std::string& ours) {
  struct stat status {};
  if (::fstat(directory, &status) != 0) return failure(Errc::internal, path, std::strerror(errno));
  if (status.st_uid != ::geteuid()) {
    return failure(Errc::denied, path, "belongs to user " + std::to_string(status.st_uid) + ", not to us");
  }
  const bool is_private = (status.st_mode & 077) == 0;
  if (!is_private && !is_for_us(directory, ours)) {
    return failure(Errc::denied, path,
                   "is open to other users and holds other files; chmod 700 it or give another one");
  }
  return is_private;
}

/// The secret in a file of ours. Errc::not_found where there is none.
Result<std::string> kept_secret(int directory, const std::filesystem::path& path, const std::string& name) {
  const auto content = read_private_file(directory, name);
  if (content) return check_token(*content, path / name);
  return Error(content.error().code(), path.string() + "/" + content.error().detail());
}

}  // namespace

Result<UniqueFd> open_private_directory(const std::filesystem::path& path, const std::string& ours) {
  if (const auto made = make_directories(path); !made) return made.error();
  auto directory = open_directory(path);
  if (!directory) return directory;
  const auto is_private = judge_directory(directory->get(), path, ours);
  if (!is_private) return is_private.error();
  if (!*is_private && ::fchmod(directory->get(), 0700) != 0) return failure(Errc::denied, path, std::strerror(errno));
  return directory;
}

Result<StateDir> StateDir::open(const std::filesystem::path& path) {
  const auto plain = without_slash(path);
  auto directory = open_private_directory(plain, kLockName);
  if (!directory) return directory.error();
  StateDir result(plain, std::move(*directory));
  if (const auto locked = result.take_lock(); !locked) return locked.error();
  // A server that was killed leaves these files behind.
  for (const char* name : {kDrainName, kPlaceName})
    if (const auto forgotten = result.forget(name); !forgotten) return forgotten.error();
  return result;
}

Result<void> StateDir::take_lock() {
  lock_.reset(::openat(directory_.get(), kLockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_) return failure(Errc::denied, path_ / kLockName, std::strerror(errno));
  if (!lock_within(lock_.get(), kLockPatience)) {
    if (errno != EWOULDBLOCK) return failure(Errc::denied, path_ / kLockName, std::strerror(errno));
    std::array<char, 32> pid{};
    const auto length = ::pread(lock_.get(), pid.data(), pid.size(), 0);
    const auto owner = trimmed({pid.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))});
    return failure(Errc::busy, path_,
                   "is in use by another ptyd, pid " + (owner.empty() ? "unknown" : owner) +
                       "; stop that one or give another --state-dir");
  }
  const auto pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock_.get(), 0) != 0 || ::pwrite(lock_.get(), pid.data(), pid.size(), 0) < 0) {
    return failure(Errc::internal, path_ / kLockName, std::strerror(errno));
  }
  return {};
}

Result<bool> StateDir::is_private(const std::filesystem::path& path) {
  const auto plain = without_slash(path);
  const auto directory = open_directory(plain);
  if (!directory) return directory.error();
  return judge_directory(directory->get(), plain, kLockName);
}

Result<void> StateDir::check_secret(const std::filesystem::path& path, const std::string& name) {
  const auto plain = without_slash(path);
  const auto directory = open_directory(plain);
  if (!directory) return {};
  const auto kept = kept_secret(directory->get(), plain, name);
  if (kept || kept.error().code() == Errc::not_found) return {};
  return kept.error();
}

bool StateDir::has_secret(const std::string& name) const {
  return ::faccessat(directory_.get(), name.c_str(), F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<std::string> StateDir::secret(const std::string& name) const {
  auto kept = kept_secret(directory_.get(), path_, name);
  if (kept || kept.error().code() != Errc::not_found) return kept;
  const auto secret = random_secret();
  const auto written = write_private_file(directory_.get(), name, secret + "\n");
  if (!written) return written.error();
  return secret;
}

Result<void> StateDir::tell_drain(std::optional<std::size_t> running) const {
  if (running) return write_private_file(directory_.get(), kDrainName, std::to_string(*running) + "\n");
  return forget(kDrainName);
}

Result<void> StateDir::tell_place(const ListenAddress& address, bool tls) const {
  auto place = address;
  if (place.is_unix()) place.path = std::filesystem::absolute(place.path).string();
  const std::string before(tls ? kTlsPlace : "");
  return write_private_file(directory_.get(), kPlaceName, before + to_string(place) + "\n");
}

Result<void> StateDir::forget(const char* name) const {
  if (::unlinkat(directory_.get(), name, 0) == 0 || errno == ENOENT) return {};
  return failure(Errc::denied, path_ / name, std::strerror(errno));
}

Result<TokenFile> load_token_file(const std::filesystem::path& path) {
  const auto readable = secret_warning(path.string());
  if (!readable) return readable.error();
  auto token = read_token_file(path);
  if (!token) return token.error();
  TokenFile file;
  for (auto warning : {*readable, token_warning(path, *token)})
    if (!warning.empty()) file.warnings.push_back(std::move(warning));
  file.token = std::move(*token);
  return file;
}

std::string token_warning(const std::filesystem::path& path, const std::string& token) {
  if (token.size() >= kSafeTokenLength) return "";
  return path.string() + ": a token of " + std::to_string(token.size()) +
         " characters can be guessed unless they are random: take " + std::to_string(kSafeTokenLength) + " that are";
}

Result<std::string> read_token_file(const std::filesystem::path& path) {
  const auto content = read_small_file(path.string());
  if (!content) return content.error();
  return check_token(*content, path);
}

}  // namespace ptyd
