#include "server/session/surroundings.hpp"

#include <utility>

#include "pty/process/environment.hpp"

namespace ptyd {

void Surroundings::adopt(std::string new_cwd, const Environment& new_env, std::optional<std::uint16_t> cols,
                         std::optional<std::uint16_t> rows) {
  cwd = std::move(new_cwd);
  env = new_env;
  size = {cols.value_or(size.cols), rows.value_or(size.rows)};
}

Size Surroundings::size_for(const Open& asked) const {
  return {asked.cols.value_or(size.cols), asked.rows.value_or(size.rows)};
}

LaunchSpec Surroundings::shell(const HostSettings& settings) const {
  return {settings.shells, cwd, child_environment(settings.server_environment, env, cwd), size};
}

}  // namespace ptyd
