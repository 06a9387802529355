// Files of /proc: short texts, and the numbers in them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "pty/unique_fd.hpp"

namespace ptyd {

using ProcPath = std::array<char, 64>;

inline ProcPath proc_path(int pid, const char* file) {
  ProcPath path;
  std::snprintf(path.data(), path.size(), "/proc/%d/%s", pid, file);
  return path;
}

/// Number of times that this thread could not look at a process for want of descriptors or memory. A look during which
/// it has grown has left out processes that run.
inline thread_local std::uint64_t failed_opens = 0;

/// To be called when something of /proc, or a process, could not be opened, with errno.
inline void note_failed_open(int error) {
  if (error == EMFILE || error == ENFILE || error == ENOMEM) ++failed_opens;
}

/// At most `limit` bytes of a file of /proc; nothing when it cannot be opened.
inline std::optional<std::string> read_file(const ProcPath& path, std::size_t limit) {
  const UniqueFd file(::open(path.data(), O_RDONLY | O_CLOEXEC));
  if (!file) {
    note_failed_open(errno);
    return std::nullopt;
  }
  std::string text;
  std::array<char, 1024> chunk;
  while (text.size() < limit) {
    const ssize_t count = ::read(file.get(), chunk.data(), std::min(chunk.size(), limit - text.size()));
    if (count <= 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// The number that `text` begins with, behind blanks, and takes it away; 0 where there is none.
template <class Number>
Number take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

}  // namespace ptyd
