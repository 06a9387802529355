#include "server/net/http/static_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "server/net/access/request_facts.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kMaxFile = 16 * 1024 * 1024;  ///< a page has none longer
constexpr std::size_t kMaxKept = 32 * 1024 * 1024;  ///< per loop; the page takes 2
constexpr std::size_t kMaxDepth = 8;                ///< folders on the way to a file
constexpr std::size_t kMaxName = 255;               ///< the kernel's
constexpr std::size_t kHash = 8;                    ///< characters of base64url, that bundlers put into names

constexpr std::array<ContentCoding, 2> kCodings{{{"br", ".br"}, {"gzip", ".gz"}}};  ///< the smaller one first
constexpr ContentCoding kAsItIs{"", ""};

bool is_plain(unsigned char c) {
  return c >= 0x20 && c < 0x7f && c != '/' && c != '\\';
}

bool is_good_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_plain(static_cast<unsigned char>(c)); });
}

/// Goes down step by step; the last one is opened as a file.
UniqueFd open_below(int directory, const std::vector<std::string>& names) {
  UniqueFd step;
  for (std::size_t i = 0; i < names.size(); i++) {
    const bool last = i + 1 == names.size();
    const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (last ? 0 : O_DIRECTORY);
    step.reset(::openat(step ? step.get() : directory, names[i].c_str(), flags));
    if (!step) return step;
  }
  return step;
}

bool is_unchanged(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

std::string tag_of(const struct stat& status) {
  return "\"" + std::to_string(status.st_size) + "-" + std::to_string(status.st_mtim.tv_sec) + "-" +
         std::to_string(status.st_mtim.tv_nsec) + "\"";
}

std::shared_ptr<const std::string> read_file(int fd, std::size_t size) {
  auto content = std::make_shared<std::string>(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const auto count = ::read(fd, content->data() + have, size - have);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return nullptr;
    have += static_cast<std::size_t>(count);
  }
  return content;
}

}  // namespace

std::optional<std::vector<std::string>> path_segments(std::string_view path) {
  if (!path.starts_with('/')) return std::nullopt;
  path.remove_prefix(1);
  std::vector<std::string> names;
  while (!path.empty()) {
    const auto end = std::min(path.find('/'), path.size());
    auto name = percent_decode(path.substr(0, end));
    if (!name || !is_good_name(*name) || names.size() >= kMaxDepth) return std::nullopt;
    names.push_back(std::move(*name));
    if (end == path.size()) return names;
    path.remove_prefix(end + 1);
  }
  names.push_back("index.html");
  return names;
}

std::string_view mime_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".webp", "image/webp"},
      {".woff2", "font/woff2"},
      {".woff", "font/woff"},
      {".ttf", "font/ttf"},
      {".wasm", "application/wasm"},
      {".txt", "text/plain; charset=utf-8"},
      {".md", "text/plain; charset=utf-8"},
  }};
  for (const auto& [extension, type] : kTypes) {
    if (name.ends_with(extension)) return type;
  }
  return "application/octet-stream";
}

bool has_content_hash(std::string_view path) {
  if (path.find("/assets/") == std::string_view::npos) return false;
  const auto name = path.substr(path.rfind('/') + 1);
  const auto dot = name.find('.');
  return dot != std::string_view::npos && dot > kHash && name[dot - kHash - 1] == '-';  // a hash may hold one, too
}

StaticFiles::StaticFiles(const std::filesystem::path& directory)
    : directory_(directory.empty() ? -1 : ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {}

std::shared_ptr<const StaticFile> StaticFiles::find(std::string_view path, std::string_view accept_encoding) {
  const auto names = path_segments(path);
  if (!names || !directory_) return nullptr;
  std::string name;
  for (const auto& part : *names) name += "/" + part;
  for (const auto& coding : kCodings) {
    if (!has_content_hash(name) || !takes_coding(accept_encoding, coding.name)) continue;
    if (auto compressed = give(*names, coding)) return compressed;
  }
  return give(*names, kAsItIs);
}

/// The kept one, if it is the same on disk.
std::shared_ptr<const StaticFile> StaticFiles::give(std::vector<std::string> names, const ContentCoding& coding) {
  const auto type = mime_type(names.back());
  names.back() += coding.extension;
  const auto fd = open_below(directory_.get(), names);
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  std::string path;
  for (const auto& part : names) path += "/" + part;
  const auto kept = kept_.find(path);
  const bool is_same = kept != kept_.end() && kept->second.file->coding == coding.name;
  if (is_same && is_unchanged(kept->second.status, status)) return kept->second.file;
  auto file = load(fd.get(), status);
  if (!file) return nullptr;
  file->type = type;
  file->coding = coding.name;
  file->immutable = has_content_hash(path);
  keep(path, {status, file});
  return file;
}

std::shared_ptr<StaticFile> StaticFiles::load(int fd, const struct stat& status) {
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > kMaxFile) return nullptr;
  auto content = read_file(fd, size);
  if (!content) return nullptr;
  return std::make_shared<StaticFile>(StaticFile{std::move(content), {}, tag_of(status), {}, false});
}

void StaticFiles::keep(const std::string& path, Kept kept) {
  const auto size = kept.file->content->size();
  if (kept_bytes_ + size > kMaxKept) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += size;
  kept_.insert_or_assign(path, std::move(kept));
}

}  // namespace ptyd
