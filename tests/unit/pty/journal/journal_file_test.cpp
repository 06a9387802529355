// Journals and their files: found again, refused, grown, moved to memory.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "pty/journal/journal.hpp"
#include "pty/unique_fd.hpp"
#include "tests/support/pty/journal/journals.hpp"

namespace ptyd {
namespace {

using test::TemporaryDirectory;
using test::told;

Journal made(const std::filesystem::path& file, Journal::Options options = {}) {
  auto journal = Journal::create(file, "who", options);
  EXPECT_TRUE(journal) << journal.error().detail();
  return std::move(*journal);
}

Journal opened(const std::filesystem::path& file) {
  auto journal = Journal::open(file);
  EXPECT_TRUE(journal) << journal.error().detail();
  return std::move(*journal);
}

struct stat status_of(const std::filesystem::path& file) {
  struct stat status {};
  EXPECT_EQ(lstat(file.c_str(), &status), 0);
  return status;
}

TEST(JournalFile, KeepsEverythingForTheNextServer) {
  const TemporaryDirectory folder;
  std::uint64_t incarnation = 0;
  {
    Journal journal = made(folder / "j");
    incarnation = journal.incarnation();
    journal.append("text");
    journal.mark(MarkKind::exited, 77, "payload");
    test::receive(journal, "not yet");
    journal.close_in_order();
  }
  Journal journal = opened(folder / "j");
  EXPECT_EQ(journal.identity(), "who");
  EXPECT_EQ(journal.incarnation(), incarnation);
  EXPECT_EQ(told(journal), "text<2:payload>");
  EXPECT_EQ(journal.read(4, 1).mark->time, 77);
  EXPECT_EQ(journal.inbox(), "not yet");
}

/// Whether another owner would have to wait.
bool is_in_use(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0;
}

TEST(JournalFile, HasOneOwnerUntilThatClosesItOrGoes) {
  const TemporaryDirectory folder;
  {
    Journal journal = made(folder / "j");
    EXPECT_TRUE(is_in_use(folder / "j"));
    journal.close_in_order();
    EXPECT_FALSE(is_in_use(folder / "j")) << "though it is still there";
  }
  {
    const Journal journal = opened(folder / "j");
    EXPECT_TRUE(is_in_use(folder / "j"));
  }
  EXPECT_FALSE(is_in_use(folder / "j"));
}

TEST(JournalFile, AFileNotClosedInOrderGetsANewIncarnation) {
  const TemporaryDirectory folder;
  const std::uint64_t before = made(folder / "j").incarnation();
  const std::uint64_t after = opened(folder / "j").incarnation();
  EXPECT_NE(after, before);
  EXPECT_NE(opened(folder / "j").incarnation(), after) << "opening alone does not close in order";
}

TEST(JournalFile, WhatWasAddedAfterTheLastCommitIsNotThere) {
  const TemporaryDirectory folder;
  {
    Journal journal = made(folder / "j");
    journal.append("committed");
    journal.mark(MarkKind::title, 0, "t");
    journal.commit();
    journal.append("lost");
    journal.mark(MarkKind::title, 0, "lost");
  }
  EXPECT_EQ(told(opened(folder / "j")), "committed<6:t>");
}

TEST(JournalFile, BytesBeingMovedBehindAMarkAreNotLost) {
  const TemporaryDirectory folder;
  {
    Journal journal = made(folder / "j");
    journal.append("a\xE4\xBD");
    journal.commit();
    journal.mark(MarkKind::title, 0, "t");
  }
  EXPECT_EQ(told(opened(folder / "j")), "a\xE4\xBD");
}

TEST(JournalFile, ARingThatWentRoundSeveralTimesIsFoundAgain) {
  const TemporaryDirectory folder;
  std::string before;
  {
    Journal journal = made(folder / "j", {4096, 16 << 10});
    for (int i = 0; i < 5000; ++i) {
      journal.append(std::to_string(i));
      journal.mark(MarkKind::activity, i, std::to_string(i));
    }
    journal.commit();
    before = told(journal);
  }
  EXPECT_EQ(told(opened(folder / "j")), before);
}

TEST(JournalFile, IsPrivateAndNeverMadeWhereSomethingIs) {
  const TemporaryDirectory folder;
  const mode_t before = umask(0);
  made(folder / "j");
  umask(before);
  EXPECT_EQ(status_of(folder / "j").st_mode & 07777U, 0600U);
  EXPECT_FALSE(Journal::create(folder / "j", "")) << "exists";
  std::filesystem::create_symlink(folder / "elsewhere", folder / "link");
  EXPECT_FALSE(Journal::create(folder / "link", ""));
  EXPECT_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST(JournalFile, RefusesLinksFoldersDevicesAndStrangersFiles) {
  const TemporaryDirectory folder;
  made(folder / "j").close_in_order();
  EXPECT_EQ(Journal::open(folder / "none").error().code(), Errc::not_found);
  std::filesystem::create_symlink(folder / "j", folder / "link");
  EXPECT_EQ(Journal::open(folder / "link").error().code(), Errc::internal);
  EXPECT_FALSE(Journal::open(folder.path()));
  EXPECT_FALSE(Journal::open("/dev/zero"));
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(Journal::open(folder / "pipe")) << "and it does not wait for a writer";
  std::filesystem::create_hard_link(folder / "j", folder / "other");
  EXPECT_FALSE(Journal::open(folder / "j"));
  std::filesystem::remove(folder / "other");
  EXPECT_TRUE(Journal::open(folder / "j"));
  if (geteuid() == 0) {
    ASSERT_EQ(chown((folder / "j").c_str(), 12345, 12345), 0);
    EXPECT_FALSE(Journal::open(folder / "j")) << "somebody else's";
  }
}

/// Where a file takes the blocks that were written or reserved and no other: on disks some file systems take more
/// beforehand, or count later. Only a machine without shared memory is measured on its disk.
std::filesystem::path where_blocks_are_exact() {
  struct statfs status {};
  const bool is_memory = statfs("/dev/shm", &status) == 0 && status.f_type == TMPFS_MAGIC;
  return is_memory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

TEST(JournalFile, IsSmallWhileLittleIsSaidAndBoundedWhenMuchIs) {
  const TemporaryDirectory folder(where_blocks_are_exact());
  Journal journal = made(folder / "j");
  const auto kilobytes = [&] { return status_of(folder / "j").st_blocks / 2; };
  journal.append("$ ");
  journal.mark(MarkKind::started, 0, "");
  EXPECT_LE(kilobytes(), 64);
  for (int i = 0; i < 3000; ++i) journal.append(std::string(1000, 'x'));
  EXPECT_LE(kilobytes(), 1024 + 256);
  EXPECT_FALSE(journal.in_memory());
}

TEST(JournalFile, ReleasedPagesAreReadAgain) {
  const TemporaryDirectory folder;
  Journal journal = made(folder / "j");
  journal.append("kept");
  journal.release_pages();
  EXPECT_EQ(told(journal), "kept");
}

/// In a child: files may not grow beyond `bytes`, as on a full disk.
class LimitedFiles {
 public:
  explicit LimitedFiles(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~LimitedFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  LimitedFiles(const LimitedFiles&) = delete;
  LimitedFiles& operator=(const LimitedFiles&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_ = SIG_DFL;
};

TEST(JournalFile, AFullDiskMovesItToMemoryWithEverythingInIt) {
  for (const rlim_t limit : {rlim_t{20} << 10, rlim_t{90} << 10, rlim_t{160} << 10, rlim_t{300} << 10}) {
    const TemporaryDirectory folder;
    Journal journal = made(folder / "j");
    test::receive(journal, "waiting");
    std::string expected;
    {
      const LimitedFiles files(limit);
      const char* address = journal.inbox().data();
      for (int i = 0; i < 400; ++i) {
        const std::string line = "line " + std::to_string(i) + std::string(1000, 'x');
        journal.append(line);
        journal.mark(MarkKind::title, i, std::to_string(i));
        expected += line + "<6:" + std::to_string(i) + ">";
      }
      EXPECT_TRUE(journal.in_memory()) << limit;
      EXPECT_EQ(journal.inbox().data(), address) << "views stay what they are";
    }
    EXPECT_EQ(told(journal), expected);
    EXPECT_EQ(journal.inbox(), "waiting");
    test::receive(journal, std::string(50000, 'w'));
    EXPECT_EQ(journal.inbox().size(), 50007U);
  }
}

TEST(JournalFile, AnInboxThatCannotGrowOnDiskGrowsInMemory) {
  const TemporaryDirectory folder;
  Journal journal = made(folder / "j");
  const LimitedFiles files(16 << 10);
  test::receive(journal, std::string(60000, 'w'));
  EXPECT_TRUE(journal.in_memory());
  EXPECT_EQ(journal.inbox(), std::string(60000, 'w'));
}

TEST(JournalFile, WhereForgottenMarksStoodIsKeptInMemoryWhereTheDiskHasNoRoomForIt) {
  const TemporaryDirectory folder;
  Journal journal = made(folder / "j", {4096, 16 << 10});
  {
    const LimitedFiles files(96 << 10);  // up to the end of the ring
    for (int i = 0; i < 300; ++i) {
      journal.append("s");
      journal.commit();
      journal.mark(MarkKind::title, i, std::string(100, 't'));
      journal.commit();
    }
    EXPECT_TRUE(journal.in_memory());
  }
  EXPECT_EQ(journal.tail(), 0U);
  EXPECT_EQ(test::bytes_of(journal), std::string(300, 's'));
}

TEST(JournalFile, MadeOnAFullDiskItLivesInMemoryAndLeavesNoFile) {
  const TemporaryDirectory folder;
  const LimitedFiles files(4096);
  Journal journal = made(folder / "j");
  EXPECT_TRUE(journal.in_memory());
  journal.append("text");
  EXPECT_EQ(told(journal), "text");
  EXPECT_FALSE(std::filesystem::exists(folder / "j"));
}

}  // namespace
}  // namespace ptyd
