#include "pty/process/orphans.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <new>
#include <string>
#include <system_error>

#include "pty/process/proc_file.hpp"

namespace ptyd {
namespace {

/// Process numbers are below this: the kernel's own bound.
constexpr unsigned kNumbers = 1 << 22;
/// Marks are below this, so that they are numbers to every program that prints limits.
constexpr rlim_t kHighest = rlim_t{1} << 62;
/// A limit below this leaves too few marks that no other server has.
constexpr rlim_t kLowest = rlim_t{1} << 32;
/// One look at all children serves many that end together.
constexpr std::chrono::milliseconds kCollectSpacing{100};

/// The mark of a child is this plus its process number; 0 before adopt_orphans().
rlim_t first_mark = 0;

using Word = std::atomic<std::uint64_t>;

/// Shared by this process and its children, also where vfork() copies the memory, as it does under sanitizers.
Word* shared_words() {
  void* const words = ::mmap(nullptr, kNumbers / 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (words == MAP_FAILED) throw std::bad_alloc();
  return static_cast<Word*>(words);
}

/// A bit for each process number. It needs no lock, since a child enters itself before it can end. Made when the
/// program starts, since a child between its fork and its exec must not allocate.
Word* const own = shared_words();

Word& word_of(int pid) {
  return own[static_cast<unsigned>(pid) % kNumbers / 64];
}

std::uint64_t bit_of(int pid) {
  return std::uint64_t{1} << (static_cast<unsigned>(pid) % 64);
}

bool is_own(int pid) {
  return (word_of(pid) & bit_of(pid)) != 0;
}

/// 0 where /proc does not tell, and where there is no limit.
rlim_t lock_limit(int pid) {
  constexpr std::string_view kName = "Max file locks";
  const auto text = read_file(proc_path(pid, "limits"), 4096);
  const auto at = text ? text->find(kName) : std::string::npos;
  if (at == std::string::npos) return 0;
  auto rest = std::string_view(*text).substr(at + kName.size());
  take_number<rlim_t>(rest);  // the soft one
  return take_number<rlim_t>(rest);
}

Error cannot(const std::string& what) {
  return Error(Errc::internal, what + ": " + std::generic_category().message(errno));
}

/// The first mark, at random, so that a server in a terminal of this one has others; below the present limit, since a
/// process can only lower it.
Result<rlim_t> choose_marks() {
  rlimit limit{};
  ::getrlimit(RLIMIT_LOCKS, &limit);
  const rlim_t known = limit.rlim_max == RLIM_INFINITY ? 0 : limit.rlim_max;
  if (lock_limit(::getpid()) != known) return Error(Errc::internal, "/proc does not tell the limits of processes");
  const rlim_t highest = std::min(limit.rlim_max, kHighest);
  if (highest < kLowest) return Error(Errc::internal, "the limit on file locks leaves no room for marks");
  if (::setrlimit(RLIMIT_LOCKS, &limit) != 0) return cannot("Failed to set a limit on file locks");
  rlim_t chance = 0;
  if (::getrandom(&chance, sizeof chance, 0) != sizeof chance) return cannot("Failed to get random bytes");
  const rlim_t half = highest / 2;
  return half + chance % (half - kNumbers);
}

void block_sigchld() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

bool has_ended_unwaited(int pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/// Checks again after the process has ended: before that, a child of ours may not have entered itself yet.
bool collect_if_orphan(int pid) {
  if (is_own(pid) || !has_ended_unwaited(pid) || is_own(pid)) return false;
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG) == 0 && info.si_pid == pid;
}

int sigchld_descriptor() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  const int descriptor = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
  if (descriptor < 0) throw boost::system::system_error(errno, boost::system::system_category(), "signalfd");
  return descriptor;
}

}  // namespace

void own_children::add(int pid) {
  word_of(pid) |= bit_of(pid);
}

void own_children::remove(int pid) {
  word_of(pid) &= ~bit_of(pid);
}

Result<void> adopt_orphans() {
  const auto marks = choose_marks();
  if (!marks) return marks.error();
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return cannot("Failed to become a subreaper");
  first_mark = *marks;
  block_sigchld();
  return {};
}

void become_root() {
  const int pid = ::getpid();
  own_children::add(pid);
  if (first_mark == 0) return;
  const rlim_t mark = first_mark + static_cast<rlim_t>(pid);
  const rlimit limit{mark, mark};
  ::setrlimit(RLIMIT_LOCKS, &limit);
}

int root_of(int pid) {
  const rlim_t mark = lock_limit(pid);
  const bool is_ours = first_mark != 0 && mark > first_mark && mark - first_mark < kNumbers;
  return is_ours ? static_cast<int>(mark - first_mark) : 0;
}

std::vector<int> orphans(ProcessTree& processes) {
  auto children = processes.children(::getpid());
  std::erase_if(children, is_own);
  return children;
}

std::size_t collect_orphans() {
  ProcessTree processes;
  const auto children = processes.children(::getpid());
  return static_cast<std::size_t>(std::count_if(children.begin(), children.end(), collect_if_orphan));
}

OrphanWatch::OrphanWatch(const boost::asio::any_io_executor& executor)
    : children_(executor, sigchld_descriptor()), pause_(executor) {
  wait();
}

void OrphanWatch::wait() {
  children_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code error) {
    if (!error) collect_soon();
  });
}

void OrphanWatch::collect_soon() {
  pause_.expires_after(kCollectSpacing);
  pause_.async_wait([this](boost::system::error_code error) {
    if (!error) collect();
  });
}

/// Collects again after it found some: a list of children that changes while it is read may leave out others.
void OrphanWatch::collect() {
  signalfd_siginfo signal;
  (void)!::read(children_.native_handle(), &signal, sizeof signal);
  if (collect_orphans() > 0) return collect_soon();
  wait();
}

}  // namespace ptyd
