#include "pty/process/mounts.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <sstream>

namespace ptyd {

namespace {

/// As many as the kernel follows in one path.
constexpr int kMaxLinks = 40;

bool is_octal(std::string_view digits) {
  return digits.size() == 3 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '7'; });
}

/// Blanks and backslashes are written as octal numbers.
std::string unescaped(std::string_view field) {
  std::string text;
  for (std::size_t at = 0; at < field.size(); ++at) {
    const auto digits = field.substr(at + 1, 3);
    if (field[at] != '\\' || !is_octal(digits)) {
      text += field[at];
      continue;
    }
    text += static_cast<char>((digits[0] - '0') * 64 + (digits[1] - '0') * 8 + (digits[2] - '0'));
    at += digits.size();
  }
  return text;
}

/// The fifth field of a line of mountinfo: the four before it are numbers, and a path in the drive.
std::string mount_point_in(const std::string& line) {
  std::istringstream fields(line);
  std::string field;
  for (int i = 0; i < 5; ++i)
    if (!std::getline(fields, field, ' ')) return {};
  return unescaped(field);
}

bool lies_below(std::string_view path, std::string_view point) {
  return point == "/" || (path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/'));
}

std::deque<std::string> parts_of(std::string_view path) {
  std::deque<std::string> parts;
  while (!path.empty()) {
    const auto part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (!part.empty() && part != ".") parts.emplace_back(part);
  }
  return parts;
}

/// Where a link at `path` leads; none where there is no link.
std::optional<std::string> link_at(const std::string& path) {
  char target[PATH_MAX];
  const auto size = ::readlink(path.c_str(), target, sizeof target);
  if (size < 0) return std::nullopt;
  return std::string(target, static_cast<std::size_t>(size));
}

}  // namespace

Mounts::Mounts(std::string_view mountinfo) : points_{"/"} {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);)
    if (auto point = mount_point_in(line); !point.empty()) points_.push_back(std::move(point));
  std::stable_sort(points_.begin(), points_.end(),
                   [](const std::string& one, const std::string& other) { return one.size() > other.size(); });
}

Mounts Mounts::now() {
  std::ifstream file("/proc/self/mountinfo");
  return Mounts(std::string(std::istreambuf_iterator<char>(file), {}));
}

const std::string& Mounts::of(std::string_view path) const {
  return *std::find_if(points_.begin(), points_.end(),
                       [path](const std::string& point) { return lies_below(path, point); });
}

std::optional<std::string> barred_mount(const std::string& path, const Mounts& mounts,
                                        const std::function<bool(const std::string& mount)>& may_enter) {
  std::string on = "/", here;  // `here` has no slash at its end: it is empty at the root
  auto rest = parts_of(path);
  for (int links = 0; !rest.empty() && links < kMaxLinks;) {
    const auto part = std::move(rest.front());
    rest.pop_front();
    if (part == "..") {
      here.erase(std::min(here.rfind('/'), here.size()));
      continue;
    }
    const auto there = here + "/" + part;
    if (const auto& mount = mounts.of(there); mount != on) {
      on = mount;
      if (!may_enter(on)) return on;
    }
    const auto target = link_at(there);
    links += target ? 1 : 0;
    if (!target) here = there;
    if (target && target->starts_with('/')) here.clear();
    const auto more = parts_of(target.value_or(""));
    rest.insert(rest.begin(), more.begin(), more.end());
  }
  return std::nullopt;
}

}  // namespace ptyd
