#include "server/session/context/launch_config.hpp"

#include <array>
#include <utility>

#include "pty/process/environment.hpp"

namespace ptyd {

namespace {

/// Programs that show a page wait for a key, which no agent presses.
constexpr std::array kPagers{"PAGER", "MANPAGER", "SYSTEMD_PAGER", "GIT_PAGER", "GH_PAGER"};

}  // namespace

void LaunchConfig::adopt(std::string new_cwd, const Environment& new_env, std::optional<std::uint16_t> cols,
                         std::optional<std::uint16_t> rows) {
  cwd = std::move(new_cwd);
  env = new_env;
  size = {cols.value_or(size.cols), rows.value_or(size.rows)};
  is_fresh = false;
}

void LaunchConfig::adopt(const Execute& asked, const HostSettings& settings) {
  size = size_for(asked);
  if (!asked.env.empty()) env = asked.env;
  if (!asked.cwd.empty()) {
    cwd = asked.cwd;
  } else if (is_fresh) {
    cwd = settings.cwd;
  }
  is_fresh = false;
}

Size LaunchConfig::size_for(const Open& asked) const {
  return {asked.cols.value_or(size.cols), asked.rows.value_or(size.rows)};
}

Size LaunchConfig::size_for(const Execute& asked) const {
  const Size otherwise = is_fresh ? kAgentSize : size;
  return {asked.cols.value_or(otherwise.cols), asked.rows.value_or(otherwise.rows)};
}

LaunchSpec LaunchConfig::shell_for_commands(const HostSettings& settings, const std::vector<Program>& shells,
                                            const Integration& with) const {
  Environment asked;
  for (const char* pager : kPagers) asked.emplace_back(pager, "cat");
  asked.insert(asked.end(), env.begin(), env.end());
  LaunchSpec spec{shells, cwd, agent_environment(settings.server_environment, asked, cwd), size};
  integrate(spec, shell_kind(shells.front().path), with);
  return spec;
}

LaunchSpec LaunchConfig::shell(const HostSettings& settings) const {
  return {settings.shells, cwd, child_environment(settings.server_environment, env, cwd), size};
}

}  // namespace ptyd
