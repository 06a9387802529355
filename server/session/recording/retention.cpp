#include "server/session/recording/retention.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "pty/unique_fd.hpp"
#include "server/session/recording/transcript_uses.hpp"

namespace ptyd {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kBlock = 512;  // unit of st_blocks
constexpr std::chrono::hours kDay(24);

/// A transcript, whole or set aside as damaged.
struct Kept {
  fs::path file;
  std::int64_t stamp = 0;  // of its last change, by whatever calendar
  std::uint64_t bytes = 0;
  TranscriptUses::Time unused{};
};

/// Nothing where the file is gone, or is none.
std::optional<Kept> kept(const fs::path& file) {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Kept{file,
              std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
              static_cast<std::uint64_t>(status.st_blocks) * kBlock,
              {}};
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
  if (!held || !Store::remove_file(file)) return false;
  Store::remove_file(fs::path(file).concat(Store::kName));
  return true;
}

/// `file` is of no use but to a session that uses `journal`.
void remove_without_session(const fs::path& file, const fs::path& journal) {
  const auto held = unused(journal);
  if (held || !kept(journal)) Store::remove_file(file);
}

/// A Screen is parked by a session, and of no use to another.
void remove_parked(const fs::path& file) {
  remove_without_session(file, fs::path(file).replace_extension());
}

/// Half of a parked Screen or of a name; the rest comes only where its session is there.
void remove_unfinished(const fs::path& file) {
  remove_without_session(file, fs::path(file).replace_extension().replace_extension());
}

/// It goes with its transcript.
void remove_lone_name(const fs::path& file) {
  if (!kept(fs::path(file).replace_extension())) Store::remove_file(file);
}

std::vector<Kept> all_unused(const fs::path& folder) {
  std::vector<Kept> found;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    const auto& file = each->path();
    if (file.extension() == Store::kNew) {
      remove_unfinished(file);
    } else if (file.extension() == Store::kParked) {
      remove_parked(file);
    } else if (file.extension() == Store::kName) {
      remove_lone_name(file);
    } else if (auto one = kept(file); one && unused(file)) {
      found.push_back(std::move(*one));
    }
  }
  return found;
}

}  // namespace

namespace {

/// The longest unused first; of those that are new to us the calendar tells the order, as far as it is right.
std::vector<Kept> longest_unused_first(const fs::path& folder, TranscriptUses& uses) {
  auto found = all_unused(folder);
  for (auto& each : found) each.unused = uses.note_unused(each.file.filename().string(), each.stamp);
  std::sort(found.begin(), found.end(), [](const Kept& one, const Kept& other) {
    return one.unused != other.unused ? one.unused > other.unused : one.stamp < other.stamp;
  });
  return found;
}

}  // namespace

Swept sweep(const Store& store, const RetentionLimits& limits, std::chrono::milliseconds passed) {
  TranscriptUses uses(store.uses_file());
  uses.pass(passed);
  const auto found = longest_unused_first(store.folder(), uses);
  std::uint64_t left = 0;
  for (const auto& each : found) left += each.bytes;
  Swept swept;
  for (const auto& each : found) {
    const bool is_old = each.unused >= static_cast<int>(limits.days) * kDay;
    if (!is_old && left <= limits.bytes) break;
    if (!remove_unused(each.file)) continue;
    left -= each.bytes;
    swept.transcripts++;
    swept.bytes += each.bytes;
  }
  uses.save(store.uses_file());
  return swept;
}

Retention::Retention(Loop& loop, BlockingPool& files, const Store& store, const RetentionLimits& limits)
    : loop_(loop),
      files_(files),
      store_(store),
      limits_(limits),
      timer_(loop.make_timer()),
      counted_to_(loop.clock().now()) {
  due_within(Milliseconds(0));
}

void Retention::due_within(Milliseconds delay) {
  const auto when = loop_.clock().now() + delay;
  if (!store_.keeps() || stopped_ || when >= due_) return;
  due_ = when;
  if (!under_way_) timer_->wait_until(due_, [this] { begin(); });
}

/// One at a time, also of those that were written off: they have one key, which is no thread's.
void Retention::begin() {
  under_way_ = true;
  due_ = TimePoint::max();
  const auto now = loop_.clock().now();
  files_.run(
      loop_, std::string(1, '\0'),
      BlockingPool::Patience{kPatience, Error(Errc::internal, "The disk with the transcripts did not answer"), true},
      [store = store_, limits = limits_, passed = std::chrono::duration_cast<Milliseconds>(now - counted_to_)] {
        return Result<Swept>(sweep(store, limits, passed));
      },
      [this, now](const Result<Swept>& swept) { on_swept(swept, now); });
}

/// A sweep that was written off may or may not have noted its time. That time is not noted again: a transcript may stay
/// longer, and never goes too early.
void Retention::on_swept(const Result<Swept>& swept, TimePoint begun) {
  counted_to_ = begun;
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
