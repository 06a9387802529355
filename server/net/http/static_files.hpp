// StaticFiles: the page's files, read from one directory and never from outside it.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pty/unique_fd.hpp"

namespace ptyd {

struct StaticFile {
  std::shared_ptr<const std::string> content;
  std::string type;        ///< MIME
  std::string tag;         ///< ETag, with its quotes
  std::string coding;      ///< Content-Encoding; "" for a file as it is
  bool immutable = false;  ///< its name changes with its content
};

/// A way to compress a file, and the end of its name then.
struct ContentCoding {
  std::string_view name;
  std::string_view extension;
};

/// Files are opened step by step below the directory, no link is followed, and what was read is kept while it is the
/// same on disk, so that many slow readers share one copy. Of a file whose name has a hash of its content, a compressed
/// one beside it (`.br`, `.gz`) is given to those that take it; of others it might be of another content.
///
/// Thread  one; every loop has its own.
class StaticFiles {
 public:
  /// "" serves nothing.
  explicit StaticFiles(const std::filesystem::path& directory);
  /// The file of a request's path (still percent-encoded); a path that ends in a slash means its index.html.
  std::shared_ptr<const StaticFile> find(std::string_view path, std::string_view accept_encoding = {});

 private:
  struct Kept {
    struct stat status;
    std::shared_ptr<const StaticFile> file;
  };
  std::shared_ptr<const StaticFile> give(std::vector<std::string> names, const ContentCoding& coding);
  std::shared_ptr<StaticFile> load(int fd, const struct stat& status);
  void keep(const std::string& path, Kept kept);

  UniqueFd directory_;
  std::unordered_map<std::string, Kept> kept_;
  std::size_t kept_bytes_ = 0;
};

/// The names on the way to the file that `path` means; nothing when a name is empty, hidden, "..", or no plain text.
std::optional<std::vector<std::string>> path_segments(std::string_view path);
/// By the extension of a name.
std::string_view mime_type(std::string_view name);
/// Bundlers put a hash of the content before the extension, in the folder `assets`.
bool has_content_hash(std::string_view path);

}  // namespace ptyd
