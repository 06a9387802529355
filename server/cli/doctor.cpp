#include "server/cli/doctor.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "pty/process/orphans.hpp"
#include "pty/unique_fd.hpp"
#include "server/config/private_file.hpp"
#include "server/config/state_dir.hpp"
#include "server/net/socket/bind.hpp"
#include "server/net/socket/tls.hpp"
#include "server/policy/access.hpp"

namespace ptyd {
namespace {

enum class Finding { good, note, bad };

/// Prints findings and remembers whether one of them stands in the way.
class Report {
 public:
  void add(Finding finding, const std::string& what, const std::string& text) {
    const char* mark = finding == Finding::good ? "ok  " : finding == Finding::note ? "note" : "BAD ";
    std::printf("%s  %-14s %s\n", mark, what.c_str(), text.c_str());
    bad_ = bad_ || finding == Finding::bad;
  }
  bool is_bad() const { return bad_; }

 private:
  bool bad_ = false;
};

/// Descriptors that one running session and its viewer take.
constexpr std::size_t kDescriptorsPerSession = 4;

/// Bytes of one terminal's transcript, rounded up.
constexpr std::uint64_t kJournalBytes = 1400 << 10;

std::string in_mib(std::uint64_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

long number_in(const char* path) {
  std::ifstream file(path);
  long number = -1;
  file >> number;
  return file ? number : -1;
}

void check_ptys(Report& report, const ServeConfig& config) {
  const long most = number_in("/proc/sys/kernel/pty/max"), taken = number_in("/proc/sys/kernel/pty/nr");
  if (most < 0) return report.add(Finding::bad, "ptys", "the kernel tells no limit; is /proc mounted?");
  const auto left = most - taken;
  const bool enough = left >= static_cast<long>(config.sessions.max_sessions);
  report.add(left > 0 ? (enough ? Finding::good : Finding::note) : Finding::bad, "ptys",
             std::to_string(left) + " of " + std::to_string(most) + " are free; --max-sessions is " +
                 std::to_string(config.sessions.max_sessions));
  if (::access("/dev/ptmx", R_OK | W_OK) != 0) report.add(Finding::bad, "/dev/ptmx", "cannot be opened");
}

void check_descriptors(Report& report, const ServeConfig& config) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto most = config.net.max_connections;
  const auto connections = places(Access::full, most) + places(Access::view, most);
  const auto wanted = config.sessions.max_sessions * kDescriptorsPerSession + connections;
  report.add(limit.rlim_max >= wanted ? Finding::good : Finding::note, "descriptors",
             "the hard limit is " + std::to_string(limit.rlim_max) +
                 "; --max-sessions and --max-connections may take " + std::to_string(wanted));
}

void check_kernel(Report& report) {
  const auto fd = static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0));
  report.add(fd >= 0 ? Finding::good : Finding::bad, "pidfd",
             fd >= 0 ? "children are watched without pids" : "needs Linux 5.3, or a sandbox that allows pidfd_open");
  if (fd >= 0) ::close(fd);
  const long tiocsti = number_in("/proc/sys/dev/tty/legacy_tiocsti");
  report.add(tiocsti == 0 ? Finding::good : Finding::note, "TIOCSTI",
             tiocsti == 0 ? "programs cannot put words into a terminal's input"
             : tiocsti == 1
                 ? "is allowed; `sysctl dev.tty.legacy_tiocsti=0` keeps programs from typing into terminals they share"
                 : "this kernel always allows it");
}

/// Adopts as a server would: this process has no children.
void check_orphans(Report& report) {
  const auto adopted = adopt_orphans();
  report.add(adopted ? Finding::good : Finding::note, "orphans",
             adopted ? "subreaper: daemons end with the terminal that they were started in"
                     : "daemons outlive their terminal: " + adopted.error().detail());
}

void check_state(Report& report, const ServeConfig& config) {
  struct stat status {};
  const auto path = config.sessions.state_dir.string();
  if (::lstat(path.c_str(), &status) != 0) return report.add(Finding::good, "state", path + " will be made");
  const auto is_private = StateDir::is_private(path);
  if (!is_private) return report.add(Finding::bad, "state", is_private.error().detail());
  if (!*is_private)
    return report.add(Finding::note, "state", path + " is open to other users; a start closes it to them");
  // For a moment it is ours: a server that starts in it would be told so.
  if (const auto ours = StateDir::open(path); !ours) return report.add(Finding::bad, "state", ours.error().detail());
  report.add(Finding::good, "state", path + " is private");
}

/// Whether room on the disk of `directory` can be reserved, as journals do: tried with a file that has no name.
Finding reserving(const std::string& directory, std::string& text) {
  const UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file) return text = "could not be tried there", Finding::note;
  // A limit on file sizes is then an error of the call, as it is in the server.
  ::signal(SIGXFSZ, SIG_IGN);
  const int error = ::posix_fallocate(file.get(), 0, kJournalBytes);
  text = error == 0 ? "works there" : std::string(std::strerror(error)) + ": transcripts are kept in memory only";
  return error == 0 ? Finding::good : Finding::note;
}

void check_space(Report& report, const ServeConfig& config) {
  auto path = config.sessions.state_dir;
  std::error_code error;
  while (!std::filesystem::is_directory(path, error) && path.has_relative_path()) path = path.parent_path();
  const auto free = std::filesystem::space(path, error).available;
  if (error) return report.add(Finding::note, "space", path.string() + ": " + error.message());
  const auto wanted = config.sessions.max_sessions * kJournalBytes + config.sessions.retention.bytes;
  report.add(
      free >= kJournalBytes ? (free >= wanted ? Finding::good : Finding::note) : Finding::bad, "space",
      in_mib(free) + " are free at " + path.string() + "; all terminals and --retain-size may take " + in_mib(wanted));
  std::string reserves;
  const auto finding = reserving(path.string(), reserves);
  report.add(finding, "posix_fallocate", reserves);
}

/// Bounds of all shells together, and what sandboxes in them need.
void check_confinement(Report& report) {
  const bool has_groups = ::access("/sys/fs/cgroup/cgroup.controllers", R_OK) == 0;
  report.add(has_groups ? Finding::good : Finding::note, "cgroups",
             has_groups ? "version 2: a unit's TasksMax and MemoryMax hold for all shells together"
                        : "no version 2 here: nothing bounds the processes and memory of all shells together");
  const long spaces = number_in("/proc/sys/user/max_user_namespaces");
  report.add(spaces == 0 ? Finding::note : Finding::good, "namespaces",
             spaces == 0  ? "users cannot make their own: sandboxes that programs in a shell set up will fail"
             : spaces < 0 ? "this kernel tells no limit"
                          : "users can make their own, as sandboxes in a shell do");
}

/// Binds as a server would, and lets go.
void check_addresses(Report& report, const ServeConfig& config) {
  for (auto address : config.net.listen) {
    const auto bound = address.is_unix() ? bind_unix(address) : bind_tcp(address);
    if (bound && address.is_unix()) ::unlink(address.path.c_str());
    const auto text = bound ? to_string(address) + " is free" : bound.error().detail();
    report.add(bound ? Finding::good : Finding::bad, "address", text);
  }
}

void check_user(Report& report) {
  const bool is_root = ::geteuid() == 0;
  report.add(is_root ? Finding::note : Finding::good, "user",
             is_root ? "root: every shell of a client with the token is root's" : "is not root");
}

void check_token_file(Report& report, const std::filesystem::path& path) {
  const auto file = load_token_file(path);
  if (!file) return report.add(Finding::bad, "secrets", file.error().detail());
  for (const auto& warning : file->warnings) report.add(Finding::note, "secrets", warning);
}

/// Checks the token in the state directory, which the server made or a person put there.
void check_own_token(Report& report, const std::filesystem::path& state_dir) {
  const auto good = StateDir::check_secret(state_dir, "token");
  if (!good) report.add(Finding::bad, "secrets", good.error().detail());
}

void check_tokens(Report& report, const ServeConfig& config) {
  if (config.net.auth == AuthMode::none) return;
  if (config.token_file.empty()) {
    check_own_token(report, config.sessions.state_dir);
  } else {
    check_token_file(report, config.token_file);
  }
  if (!config.view_token_file.empty()) check_token_file(report, config.view_token_file);
}

void check_key(Report& report, const ServeConfig& config) {
  if (config.tls_key.empty()) return;
  const auto warning = secret_warning(config.tls_key.string());
  if (!warning) return report.add(Finding::bad, "secrets", warning.error().detail());
  if (!warning->empty()) report.add(Finding::note, "secrets", *warning);
}

void check_tls(Report& report, const ServeConfig& config) {
  if (config.tls_cert.empty()) return report.add(Finding::good, "TLS", "off");
  const auto loaded = TlsContext::load(config.tls_cert, config.tls_key);
  if (!loaded) return report.add(Finding::bad, "TLS", loaded.error().detail());
  report.add(Finding::good, "TLS", "certificate and key fit");
}

void check_page(Report& report, const ServeConfig& config) {
  const bool found = std::filesystem::is_regular_file(config.net.web_dir / "index.html");
  report.add(found ? Finding::good : Finding::note, "page",
             found                        ? config.net.web_dir.string()
             : config.net.web_dir.empty() ? "not found beside the program; give --web-dir"
                                          : config.net.web_dir.string() + " has no index.html");
}

}  // namespace

int doctor(const ServeConfig& config) {
  Report report;
  for (const auto& warning : config.warnings) report.add(Finding::note, "options", warning);
  check_user(report);
  check_ptys(report, config);
  check_descriptors(report, config);
  check_kernel(report);
  check_orphans(report);
  check_confinement(report);
  check_state(report, config);
  check_space(report, config);
  check_addresses(report, config);
  check_tokens(report, config);
  check_key(report, config);
  check_tls(report, config);
  check_page(report, config);
  return report.is_bad() ? 1 : 0;
}

}  // namespace ptyd
