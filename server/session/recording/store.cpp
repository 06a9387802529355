#include "server/session/recording/store.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>

#include "protocol/messages.hpp"
#include "pty/text/utf8.hpp"
#include "pty/unique_fd.hpp"
#include "pty/write_all.hpp"

namespace ptyd {

namespace {

/// Bytes of the hash in a name, each as two hex digits: 128 bits, far beyond any accident.
constexpr std::size_t kNameBytes = 16;
/// Of UTF-8 that one unit of UTF-16 may take.
constexpr std::size_t kMostBytesOfUnit = 3;

std::string hashed_name(std::string_view id) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  EVP_Digest(id.data(), id.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string name;
  for (std::size_t i = 0; i < kNameBytes; i++) (name += kHex[digest[i] >> 4]) += kHex[digest[i] & 15];
  return name;
}

std::string identity_of(const SessionKey& key) {
  return key.thread_id + '\0' + key.terminal_id;
}

std::filesystem::path unfinished(const std::filesystem::path& file) {
  return std::filesystem::path(file).concat(Store::kNew);
}

/// Deletes a saved file, and one beside it that was left half written.
void remove_saved(const std::filesystem::path& file) {
  for (const auto& each : {file, unfinished(file)}) Store::remove_file(each);
}

/// Into a file that is made for it; false when not all of it could be written.
bool write_anew(const std::filesystem::path& file, std::string_view text) {
  Store::remove_file(file);
  const UniqueFd fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  return fd && write_all(fd.get(), text);
}

}  // namespace

Store::Store(std::filesystem::path root) : root_(std::move(root)) {
  std::error_code failed;  // shows when a journal is made there
  if (keeps()) std::filesystem::create_directories(folder(), failed);
}

std::filesystem::path Store::file_of(const SessionKey& key) const {
  return folder() / (hashed_name(key.thread_id) + '.' + hashed_name(key.terminal_id) + ".journal");
}

Result<Journal> Store::open(const SessionKey& key) const {
  if (!keeps()) return Journal::create({}, identity_of(key));
  const auto file = file_of(key);
  std::error_code failed;
  remove_saved(checkpoint_of(key));
  auto found = Journal::open(file);
  if (found && found->identity() == identity_of(key)) return found;
  if (!found && found.error().code() == Errc::limit) return found;
  if (found || found.error().code() != Errc::not_found) {
    const auto aside = std::filesystem::path(file).concat(".damaged");
    spdlog::warn("transcript set aside as {}: {}", aside.string(),
                 found ? "of another terminal" : found.error().detail());
    std::filesystem::rename(file, aside, failed);
  } else {
    remove_file(file);  // an empty one
  }
  auto made = Journal::create(file, identity_of(key));
  if (made) return made;
  spdlog::warn("transcript is kept in memory only: {}", made.error().detail());
  return Journal::create({}, identity_of(key));
}

std::filesystem::path Store::checkpoint_of(const SessionKey& key) const {
  return keeps() ? file_of(key).concat(kParked) : std::filesystem::path();
}

std::filesystem::path Store::name_file_of(const SessionKey& key) const {
  return keeps() ? file_of(key).concat(kName) : std::filesystem::path();
}

std::string Store::name_of(const SessionKey& key) const {
  auto name = keeps() ? load(name_file_of(key)) : std::string();
  const bool is_ours = utf8::valid(name) && name.size() <= kMostBytesOfUnit * limits::kMaxName;
  return is_ours ? name : std::string();
}

bool Store::save(const std::filesystem::path& file, std::string_view text) {
  const auto made = unfinished(file);
  if (write_anew(made, text) && ::rename(made.c_str(), file.c_str()) == 0) return true;
  remove_file(made);
  return false;
}

bool Store::remove_file(const std::filesystem::path& file) {
  return ::unlink(file.c_str()) == 0 || errno == ENOENT;
}

std::string Store::load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void Store::remove(const SessionKey& key) const {
  if (!keeps()) return;
  const auto file = file_of(key);
  for (const auto& each : {file, std::filesystem::path(file).concat(".damaged")}) remove_file(each);
  for (const auto& each : {checkpoint_of(key), name_file_of(key)}) remove_saved(each);
}

void Store::remove_thread(const std::string& thread_id) const {
  std::error_code ignored;
  if (!keeps()) return;
  const auto prefix = hashed_name(thread_id) + '.';
  for (std::filesystem::directory_iterator each(folder(), ignored), end; each != end; each.increment(ignored))
    if (each->path().filename().string().starts_with(prefix)) std::filesystem::remove(each->path(), ignored);
}

}  // namespace ptyd
