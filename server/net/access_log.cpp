#include "server/net/access_log.hpp"

#include <spdlog/fmt/fmt.h>

#include <chrono>

namespace ptyd {

std::string_view role_text(std::optional<Access> role) {
  if (!role) return "none";
  return *role == Access::full ? "full" : "view";
}

std::string access_line(const AccessRecord& record, std::string_view what, std::string_view languages, TimePoint now) {
  const std::chrono::duration<double> lasted = now - record.begun;
  return fmt::format("{} {}; role {}, from {}, {}, {} bytes in, {} out, {:.1f} s", record.name, what,
                     role_text(record.role), record.from, languages.empty() ? "no language" : languages,
                     record.bytes_in, record.bytes_out, lasted.count());
}

}  // namespace ptyd
