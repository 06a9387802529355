#include "server/execute/command_files.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "pty/shell/shell_marker.hpp"
#include "pty/unique_fd.hpp"
#include "pty/write_all.hpp"

namespace ptyd {
namespace {

Error refused_by_disk(const std::filesystem::path& path) {
  return Error(Errc::internal, "A file for the shell could not be written: " + path.string() + ": " +
                                   std::generic_category().message(errno));
}

/// Puts a new file in place of the old one. A shell that still reads the old file, line by line, finds its end.
Result<void> write_private(const std::filesystem::path& path, std::string_view text) {
  ::unlink(path.c_str());
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0 || !write_all(file.get(), text)) return refused_by_disk(path);
  return {};
}

Result<void> make_private(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  if (::mkdir(folder.c_str(), 0700) != 0) return refused_by_disk(folder);
  return {};
}

}  // namespace

std::string random_hex(std::size_t digits) {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error("there are no random numbers");
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const auto byte : bytes) (text += kDigits[byte >> 4]) += kDigits[byte & 15];
  text.resize(digits);
  return text;
}

CommandFiles::CommandFiles(Loop& loop, BlockingPool& files, const std::filesystem::path& root, std::string theirs)
    : loop_(loop),
      files_(files),
      integration_{random_hex(kNonceDigits), root / ("shell-" + random_hex(16)), std::move(theirs)} {}

void CommandFiles::make(ShellKind kind, Done done) {
  is_made_ = true;
  run(
      [with = integration_, kind]() -> Result<void> {
        if (const auto made = make_private(with.folder); !made) return made.error();
        // Made here, so that the shell's umask does not matter.
        if (const auto made = write_private(with.trap_file(), {}); !made) return made.error();
        return write_private(with.start_file(kind), start_text(kind, with));
      },
      std::move(done));
}

void CommandFiles::write_command(std::string text, Done done) {
  run([file = integration_.command_file(), text = std::move(text)] { return write_private(file, text); },
      std::move(done));
}

void CommandFiles::remove() {
  if (!std::exchange(is_made_, false)) return;
  run(
      [folder = integration_.folder]() -> Result<void> {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        return {};
      },
      [](const Result<void>&) {});
}

void CommandFiles::run(std::function<Result<void>()> work, Done done) {
  files_.run(loop_, integration_.folder.string(),
             BlockingPool::Patience{kPatience, Error(Errc::internal, "The disk with the shell's files did not answer")},
             std::move(work), std::move(done));
}

}  // namespace ptyd
