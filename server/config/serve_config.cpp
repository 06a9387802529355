#include "server/config/serve_config.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace ptyd {

namespace fs = std::filesystem;

namespace {

fs::path home() {
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return home;
  if (const auto* entry = ::getpwuid(::geteuid()); entry != nullptr) return entry->pw_dir;
  return "/";
}

}  // namespace

fs::path default_state_dir() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const bool usable = state != nullptr && *state == '/';
  return (usable ? fs::path(state) : home() / ".local" / "state") / "ptyd";
}

fs::path default_web_dir() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const auto beside = program.parent_path();
  // Installed: <prefix>/bin/ptyd. Built: <tree>/build/<preset>/ptyd.
  for (const auto& place : {beside / "../share/ptyd/web", beside / "web", beside / "../../web/dist"}) {
    if (fs::is_regular_file(place / "index.html", error)) return fs::weakly_canonical(place, error);
  }
  return {};
}

}  // namespace ptyd
