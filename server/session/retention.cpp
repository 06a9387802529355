#include "server/session/retention.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "pty/unique_fd.hpp"
#include "server/session/store.hpp"

namespace ptyd {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kBlock = 512;  // what st_blocks counts
constexpr UnixMillis kDay = 24LL * 60 * 60 * 1000;

/// A transcript, whole or set aside as damaged.
struct Kept {
  fs::path file;
  UnixMillis used = 0;
  std::uint64_t bytes = 0;
};

/// Nothing where the file is gone, or is none.
std::optional<Kept> kept(const fs::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Kept{file, UnixMillis{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000,
              static_cast<std::uint64_t>(status.st_blocks) * kBlock};
}

/// While it lives no session begins to use the file. None: one uses it, or it is gone.
UniqueFd unused(const fs::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat ours {};
  struct stat there {};
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return {};
  if (::fstat(fd.get(), &ours) != 0 || ::lstat(file.c_str(), &there) != 0 || ours.st_ino != there.st_ino) return {};
  return fd;
}

bool remove_unused(const fs::path& file) {
  const auto held = unused(file);
  return held && Store::remove_file(file);
}

/// A Screen is parked by a session, and of no use to another.
void remove_parked(const fs::path& file) {
  const auto journal = fs::path(file).replace_extension();
  const auto held = unused(journal);
  if (held || !kept(journal)) Store::remove_file(file);
}

std::vector<Kept> all_unused(const fs::path& folder) {
  std::vector<Kept> found;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    const auto& file = each->path();
    if (file.extension() == Store::kParked) {
      remove_parked(file);
    } else if (auto one = kept(file); one && unused(file)) {
      found.push_back(std::move(*one));
    }
  }
  return found;
}

}  // namespace

Swept sweep(const fs::path& folder, const RetentionLimits& limits, UnixMillis now) {
  auto found = all_unused(folder);
  std::sort(found.begin(), found.end(), [](const Kept& one, const Kept& other) { return one.used < other.used; });
  std::uint64_t left = 0;
  for (const auto& each : found) left += each.bytes;
  Swept swept;
  for (const auto& each : found) {
    const bool is_old = now - each.used >= static_cast<UnixMillis>(limits.days) * kDay;
    if (!is_old && left <= limits.bytes) break;
    if (!remove_unused(each.file)) continue;
    left -= each.bytes;
    swept.transcripts++;
    swept.bytes += each.bytes;
  }
  return swept;
}

Retention::Retention(Loop& loop, Errands& files, fs::path folder, const RetentionLimits& limits)
    : loop_(loop), files_(files), folder_(std::move(folder)), limits_(limits), timer_(loop.make_timer()) {
  due_within(Milliseconds(0));
}

void Retention::due_within(Milliseconds delay) {
  const auto when = loop_.clock().now() + delay;
  if (folder_.empty() || stopped_ || when >= due_) return;
  due_ = when;
  if (!under_way_) timer_->wait_until(due_, [this] { begin(); });
}

/// One at a time: a disk that does not answer keeps one thread of the errands.
void Retention::begin() {
  under_way_ = true;
  due_ = TimePoint::max();
  files_.run(
      loop_, "", {},
      [folder = folder_, limits = limits_, now = loop_.clock().unix_now()] {
        return Result<Swept>(sweep(folder, limits, now));
      },
      [this](const Result<Swept>& swept) { on_swept(swept); });
}

void Retention::on_swept(const Result<Swept>& swept) {
  under_way_ = false;
  if (swept && swept->transcripts > 0)
    spdlog::info("transcripts of closed terminals deleted: {}, {} KiB; kept are {} days and {} MiB", swept->transcripts,
                 swept->bytes >> 10, limits_.days, limits_.bytes >> 20);
  const auto asked_for = std::exchange(due_, TimePoint::max());
  if (asked_for != TimePoint::max())
    due_within(std::chrono::duration_cast<Milliseconds>(std::max(asked_for - loop_.clock().now(), {})));
  due_within(kNowAndThen);
}

void Retention::stop() {
  stopped_ = true;
  timer_->cancel();
}

}  // namespace ptyd
