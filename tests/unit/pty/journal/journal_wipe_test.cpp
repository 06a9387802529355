// Forgotten text is not in the file either: every byte of it is looked at.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "pty/journal/journal.hpp"
#include "tests/support/pty/journal/journals.hpp"

namespace ptyd {
namespace {

using test::TemporaryDirectory;
using test::told;

constexpr Journal::Options kSmall{4096, 16 << 10};
constexpr std::string_view kSecret = "sEcReT";

class JournalWipe : public testing::Test {
 protected:
  Journal made(Journal::Options options = {}) const {
    auto journal = Journal::create(file_, "who", options);
    EXPECT_TRUE(journal) << journal.error().detail();
    return std::move(*journal);
  }
  Journal opened() const {
    auto journal = Journal::open(file_);
    EXPECT_TRUE(journal) << journal.error().detail();
    return std::move(*journal);
  }
  /// As a clear does.
  static void forget_all(Journal& journal) {
    journal.consume(journal.inbox().size());
    journal.move_tail(journal.head());
    journal.wipe();
  }
  std::string contents() const {
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Also in pieces: nothing of it is longer than a letter.
  void expect_nothing_of(std::string_view secret) const {
    const auto bytes = contents();
    ASSERT_FALSE(bytes.empty());
    for (std::size_t at = 0; at + 3 <= secret.size(); ++at)
      EXPECT_EQ(bytes.find(secret.substr(at, 3)), bytes.npos) << "the file holds " << secret.substr(at, 3);
  }
  /// `work` is done by a process that is killed at its end.
  void in_a_life_that_is_killed(const std::function<void(Journal&)>& work, Journal::Options options = {}) const {
    const pid_t child = fork();
    if (child == 0) {
      auto journal = std::filesystem::exists(file_) ? Journal::open(file_) : Journal::create(file_, "who", options);
      if (!journal) _exit(1);
      work(*journal);
      raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  TemporaryDirectory folder_;
  std::filesystem::path file_ = folder_ / "j";
};

TEST_F(JournalWipe, TextAndPayloadsAreOverwritten) {
  Journal journal = made();
  journal.append(kSecret);
  journal.mark(MarkKind::title, 0, kSecret);
  journal.commit();
  EXPECT_NE(contents().find(kSecret), std::string::npos);
  forget_all(journal);
  expect_nothing_of(kSecret);
  journal.append("new");
  journal.mark(MarkKind::title, 1, "title");
  EXPECT_EQ(told(journal), "new<6:title>");
}

TEST_F(JournalWipe, WhatMarksPushedOutIsOverwrittenThoughTheTailHadPassedIt) {
  Journal journal = made(kSmall);
  journal.append(kSecret);
  for (int i = 0; i < 400; ++i) journal.mark(MarkKind::activity, i, std::string(100, 'p'));
  journal.commit();
  EXPECT_GT(journal.tail(), kSecret.size());
  EXPECT_NE(contents().find(kSecret), std::string::npos) << "or this shows nothing";
  forget_all(journal);
  expect_nothing_of(kSecret);
}

TEST_F(JournalWipe, AnUnfinishedSequenceIsOverwrittenWhereItWaited) {
  Journal journal = made();
  test::receive(journal, "\x1b]52;c;" + std::string(kSecret));
  forget_all(journal);
  expect_nothing_of(kSecret);
  test::receive(journal, "next");
  EXPECT_EQ(journal.inbox(), "next");
}

TEST_F(JournalWipe, WhatStillWaitsStaysAndWhatWasDecidedBeforeItGoes) {
  {
    Journal journal = made();
    test::receive(journal, std::string(kSecret) + "waits");
    journal.consume(kSecret.size());
    journal.wipe();
    expect_nothing_of(kSecret);
    EXPECT_EQ(journal.inbox(), "waits");
  }
  in_a_life_that_is_killed([](Journal&) {});
  EXPECT_EQ(opened().inbox(), "waits");
}

TEST_F(JournalWipe, WhatIsRememberedStays) {
  for (const Position kept : {Position{1}, Position{3000}, Position{4096}}) {
    std::filesystem::remove(file_);
    std::string before;
    {
      Journal journal = made(kSmall);
      for (int i = 0; i < 2000; ++i) {
        journal.append(std::to_string(i));
        journal.mark(MarkKind::activity, i, std::to_string(i));
      }
      journal.move_tail(std::max(journal.tail(), journal.head() - kept));
      before = told(journal);
      journal.wipe();
      EXPECT_EQ(told(journal), before);
    }
    EXPECT_EQ(told(opened()), before);
  }
}

TEST_F(JournalWipe, WhatAKilledTurnHadNotPublishedIsGoneWhenTheFileIsOpened) {
  in_a_life_that_is_killed([](Journal& journal) {
    journal.append("kept");
    journal.commit();
    journal.append(std::string(20 << 10, '.') + std::string(kSecret));
    journal.mark(MarkKind::title, 0, std::string(4000, '.') + std::string(kSecret));
  });
  EXPECT_NE(contents().find(kSecret), std::string::npos) << "or this shows nothing";
  EXPECT_EQ(told(opened()), "kept");
  expect_nothing_of(kSecret);
}

TEST_F(JournalWipe, AWipeThatWasCutShortIsFinishedWhenTheFileIsOpened) {
  in_a_life_that_is_killed([](Journal& journal) {
    test::receive(journal, kSecret);
    journal.append(kSecret);
    journal.mark(MarkKind::title, 0, kSecret);
    journal.commit();
    journal.consume(kSecret.size());
    journal.move_tail(journal.head());
    journal.commit();  // as far as the killed one came
  });
  EXPECT_NE(contents().find(kSecret), std::string::npos) << "or this shows nothing";
  EXPECT_EQ(told(opened()), "");
  expect_nothing_of(kSecret);
}

/// As on a full disk, in this process.
class NoLongerFiles {
 public:
  NoLongerFiles() {
    getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{16 << 10, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~NoLongerFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  NoLongerFiles(const NoLongerFiles&) = delete;
  NoLongerFiles& operator=(const NoLongerFiles&) = delete;

 private:
  rlimit before_{};
  sighandler_t handler_ = SIG_DFL;
};

TEST_F(JournalWipe, TheFileThatWasLeftForMemoryIsEmptied) {
  {
    Journal journal = made();
    journal.append(kSecret);
    {
      const NoLongerFiles full;
      journal.append(std::string(64 << 10, '.'));
    }
    ASSERT_TRUE(journal.in_memory());
    EXPECT_NE(contents().find(kSecret), std::string::npos) << "or this shows nothing";
    forget_all(journal);
  }
  EXPECT_EQ(std::filesystem::file_size(file_), 0u);
  EXPECT_EQ(Journal::open(file_).error().code(), Errc::not_found) << "an empty file is no damaged one";
}

// --- From where a successor is to hold it

TEST_F(JournalWipe, WhatIsHeldIsFoundAgainAfterAnOrderlyEnd) {
  {
    Journal journal = made();
    EXPECT_EQ(journal.held(), Journal::Held{}) << "nobody asked for that";
    journal.append("text");
    journal.hold({2, 3, {1, 2, 3}});
    journal.hold({2, 3, {4711, 1 << 20}});
    journal.close_in_order();
  }
  EXPECT_EQ(opened().held(), (Journal::Held{2, 3, {4711, 1 << 20}}));
}

TEST_F(JournalWipe, NoMoreNamesAreHeldThanTheirBound) {
  Journal journal = made();
  journal.append("text");
  const std::vector<std::uint64_t> most(Journal::kMaxNamed, 4711);
  journal.hold({2, Journal::kMaxHeld, most});
  EXPECT_EQ(journal.held().names, most);
  auto more = most;
  more.push_back(1);
  journal.hold({2, Journal::kMaxHeld, more});
  EXPECT_EQ(journal.held().names, most);
}

TEST_F(JournalWipe, WhatIsHeldMeansNothingWhereNoCursorIsKnownAnyMore) {
  in_a_life_that_is_killed([](Journal& journal) {
    journal.append("text");
    journal.hold({2, 1});
    journal.commit();
  });
  EXPECT_EQ(opened().held(), Journal::Held{});
}

TEST_F(JournalWipe, WhatIsHeldIsNotBelievedBeyondItsLimits) {
  const Journal::Held at_the_edge{4, Journal::kMaxHeld};
  for (const auto& [held, found] : {std::pair{at_the_edge, at_the_edge},
                                    {Journal::Held{5, 1}, Journal::Held{}},
                                    {Journal::Held{4, Journal::kMaxHeld + 1}, Journal::Held{}}}) {
    std::filesystem::remove(file_);
    {
      Journal journal = made();
      journal.append("text");
      journal.hold(held);
      journal.close_in_order();
    }
    EXPECT_EQ(opened().held(), found) << held.from << " " << held.readers;
  }
}

}  // namespace
}  // namespace ptyd
