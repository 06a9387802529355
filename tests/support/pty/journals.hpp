// Journals in a temporary folder, and what they hold, as text.
#pragma once

#include <filesystem>
#include <string>

#include "pty/journal.hpp"

namespace ptyd::test {

/// A new empty folder that goes with this object.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path operator/(const char* name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Bytes as they are and marks as `<kind:payload>`, from `from` on.
std::string told(const Journal& journal, Position from, std::size_t step = std::size_t{1} << 30);
inline std::string told(const Journal& journal) {
  return told(journal, journal.tail());
}
/// The bytes alone.
std::string bytes_of(const Journal& journal);

/// Puts `bytes` into the inbox as a read does.
void receive(Journal& journal, std::string_view bytes);

}  // namespace ptyd::test
