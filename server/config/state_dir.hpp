// StateDir: the directory that belongs to one running server.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// The server's own directory, private to this user, and locked against a second server.
///
/// Owns    the open directory, and the lock, which ends with this.
/// Errors  Errc::denied when it is a link, another user's, or not for us to make private; Errc::busy when another
///         server has it, with that server's pid.
class StateDir {
 public:
  /// The file that is locked; it holds the server's pid.
  static constexpr const char* kLockName = "lock";
  /// The file that is there while the server drains; it holds how many terminals run.
  static constexpr const char* kDrainName = "draining";
  /// The file that says where the server listens: its first address, behind kTlsPlace where it speaks TLS there.
  static constexpr const char* kPlaceName = "place";
  static constexpr std::string_view kTlsPlace = "tls ";

  /// Makes it (0700) where there is none.
  static Result<StateDir> open(const std::filesystem::path& path);

  /// Judges an existing directory as open() would, and changes nothing. False: open() would close it to other users.
  static Result<bool> is_private(const std::filesystem::path& path);
  /// Judges the secret kept under `name` as secret() would. None is no error.
  static Result<void> check_secret(const std::filesystem::path& path, const std::string& name);

  const std::filesystem::path& path() const { return path_; }
  /// Whether a secret is kept under `name`.
  bool has_secret(const std::string& name) const;
  /// The secret kept under `name`, made at the first asking.
  Result<std::string> secret(const std::string& name) const;
  /// Tells other processes that the server drains while `running` terminals run; nullopt: it does not. Blocks.
  Result<void> tell_drain(std::optional<std::size_t> running) const;
  /// Tells other processes where the server listens. Blocks.
  Result<void> tell_place(const ListenAddress& address, bool tls) const;

 private:
  StateDir(std::filesystem::path path, UniqueFd directory) : path_(std::move(path)), directory_(std::move(directory)) {}
  Result<void> take_lock();
  Result<void> forget(const char* name) const;

  std::filesystem::path path_;
  UniqueFd directory_;
  UniqueFd lock_;
};

/// A directory for this user alone: made 0700 where there is none, checked (no link, ours) and tightened to 0700 where
/// there is one. One that others can use is refused unless it is empty or holds the file `ours`: it is not for us to
/// close.
Result<UniqueFd> open_private_directory(const std::filesystem::path& path, const std::string& ours);

/// A token from a file of the user's, and what is to be said of that file.
struct TokenFile {
  std::string token;
  std::vector<std::string> warnings;
};
/// Errc::denied for a file that others could have written; and the errors of read_token_file().
Result<TokenFile> load_token_file(const std::filesystem::path& path);
/// A token from a file of the user's: what is in it less white space around it, at least kMinTokenLength characters.
Result<std::string> read_token_file(const std::filesystem::path& path);
/// Shorter ones can be guessed over the network.
inline constexpr std::size_t kMinTokenLength = 16;
/// Characters that hold 128 random bits.
inline constexpr std::size_t kSafeTokenLength = 22;
/// A warning about a token from `path` that is short enough for a person to have made it up; "" for others.
std::string token_warning(const std::filesystem::path& path, const std::string& token);

}  // namespace ptyd
