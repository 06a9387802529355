#include "pty/process/foreground.hpp"

#include <unistd.h>

#include <array>
#include <climits>
#include <string_view>

#include "pty/process/process_tree.hpp"

namespace ptyd {
namespace {

std::string directory_of(int pid) {
  constexpr std::string_view kRemoved = " (deleted)";  // the kernel's words behind the path
  std::array<char, PATH_MAX> path;
  const auto link = "/proc/" + std::to_string(pid) + "/cwd";
  const ssize_t size = ::readlink(link.c_str(), path.data(), path.size());
  const std::string_view text(path.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return text.ends_with(kRemoved) ? std::string() : std::string(text);
}

}  // namespace

std::optional<Foreground> foreground_of(int pid) {
  auto process = read_process(pid);
  if (!process || process->zombie) return std::nullopt;
  return Foreground{std::move(process->name), directory_of(pid)};
}

std::optional<Foreground> foreground_of_group(int group, int shell) {
  if (auto leader = foreground_of(group)) return leader;
  const auto children = ProcessTree().children(shell);
  for (auto child = children.rbegin(); child != children.rend(); ++child)
    if (::getpgid(*child) == group)
      if (auto member = foreground_of(*child)) return member;
  return std::nullopt;
}

}  // namespace ptyd
