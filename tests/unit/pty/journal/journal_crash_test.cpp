// The journal of a killed server: everything that it had received, once.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <random>
#include <string>

#include "pty/journal/journal.hpp"
#include "pty/text/scanner.hpp"
#include "pty/unique_fd.hpp"
#include "tests/support/pty/journal/journals.hpp"

namespace ptyd {
namespace {

using test::TemporaryDirectory;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
    out.reset(ends[0]);
    in.reset(ends[1]);
  }
  UniqueFd out, in;
};

/// Treats output as a server does: reads into the inbox, scans, keeps, marks, commits. Never returns.
class Writer final : public TokenSink {
 public:
  Writer(Journal journal, int from) : journal_(std::move(journal)), from_(from) {}

  [[noreturn]] void run() {
    for (unsigned turn = 0;; ++turn) {
      const std::span<char> space = journal_.inbox_space();
      const ssize_t count = ::read(from_, space.data(), space.size());
      if (count <= 0) _exit(1);
      journal_.received(static_cast<std::size_t>(count));
      const std::size_t decided = scanner_.scan(journal_.inbox(), *this);
      if (turn % 3 == 0) journal_.mark(MarkKind::activity, turn, "turn");
      journal_.consume(decided);
      if (turn % 7 != 0) journal_.commit();
    }
  }
  void on_token(const Token& token) override { journal_.append(token.bytes); }

 private:
  Journal journal_;
  Scanner scanner_;
  int from_;
};

/// Output of which every part can be told from every other, with characters and sequences to be cut anywhere.
std::string numbered_output(unsigned from, unsigned count) {
  std::string text;
  for (unsigned i = from; i < from + count; ++i)
    text += "\x1b[3" + std::to_string(i % 8) + "m№" + std::to_string(i) + "\r\n";
  return text;
}

/// Writes as much as the pipe takes and tells how much that was, until `enough` or nothing more is taken.
std::size_t pour(int into, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(into, bytes.data() + done, std::min<std::size_t>(bytes.size() - done, 3001));
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::size_t unread(int pipe) {
  int bytes = 0;
  EXPECT_EQ(ioctl(pipe, FIONREAD, &bytes), 0);
  return static_cast<std::size_t>(bytes);
}

/// True while a child of ours has not ended.
bool lives(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

/// One life: a child writes what it reads from a pipe until it is killed somewhere in the middle. Returns what it read.
std::string one_life(const std::filesystem::path& file, std::mt19937& random, Journal::Options options) {
  Pipe pipe;
  const pid_t child = fork();
  if (child == 0) {
    auto journal = Journal::create(file, "", options);
    if (!journal) _exit(2);
    Writer(std::move(*journal), pipe.out.get()).run();
  }
  fcntl(pipe.in.get(), F_SETFL, O_NONBLOCK);
  std::string given;
  static const std::string stream = numbered_output(0, 12000);
  const std::size_t enough = 1 + random() % stream.size();
  while (given.size() < enough && lives(child)) {
    given.append(stream, given.size(),
                 pour(pipe.in.get(), std::string_view(stream).substr(given.size(), enough - given.size())));
    pollfd wait{pipe.in.get(), POLLOUT, 0};
    poll(&wait, 1, 1000);
  }
  for (auto spins = random() % 3000; spins > 0; --spins) std::atomic_signal_fence(std::memory_order_seq_cst);
  kill(child, SIGKILL);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself: " << status;
  given.resize(given.size() - unread(pipe.out.get()));
  return given;
}

TEST(JournalCrash, KillingTheWriterAtAnyMomentLosesNothingItReceivedAndDoublesNothing) {
  const char* wanted = std::getenv("PTYD_SEED");
  const auto seed =
      wanted == nullptr ? std::random_device{}() : static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
  std::mt19937 random(seed);
  SCOPED_TRACE("PTYD_SEED=" + std::to_string(seed));
  const TemporaryDirectory folder;
  int rounds = 0;
  for (; rounds < 300; ++rounds) {
    const auto file = folder / ("j" + std::to_string(rounds)).c_str();
    const bool small = rounds % 2 == 0;
    const std::string received =
        one_life(file, random, {small ? std::size_t{64} << 10 : std::size_t{1} << 20, 16 << 10});
    ASSERT_FALSE(HasFailure()) << "round " << rounds;
    auto journal = Journal::open(file);
    if (!journal && received.empty()) continue;  // killed before there was a file
    ASSERT_TRUE(journal) << journal.error().detail();
    const std::string kept = test::bytes_of(*journal) + std::string(journal->inbox());
    ASSERT_LE(kept.size(), received.size());
    ASSERT_EQ(kept, received.substr(received.size() - kept.size())) << "round " << rounds;
    if (journal->tail() == 0) {
      ASSERT_EQ(kept.size(), received.size()) << "nothing was overwritten, so nothing may be missing";
    }
    std::filesystem::remove(file);
  }
}

}  // namespace
}  // namespace ptyd
