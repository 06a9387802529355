// Trouble for a server under test, preloaded: clocks that jump or go slowly, and folders whose files are slow,
// hang or cannot be read. trouble.mjs builds it.
//
// PTYD_TROUBLE names a file with one `struct trouble`, which a test writes while the server runs. Without it nothing is
// changed.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ZONES = 2, LOOK_AGAIN_MS = 2 };
static const int64_t kSecond = 1000000000;

/// A folder: what is done with it or below it takes `delay_ms`, and does not come back while it hangs. Its files cannot
/// be read from `bad_from` on, unless that is 0.
struct zone {
  int64_t delay_ms;
  int64_t hangs;
  int64_t bad_from;
  char folder[256];
};

struct trouble {
  int64_t calendar_ns;  ///< by so much the time of day is wrong
  int64_t leap_ns;      ///< by so much the steady clocks are ahead; never less than it was
  int64_t slowed;       ///< so many times slower goes the steady clock, and no child has a timer; unless 0
  struct zone zones[ZONES];
};

static const volatile struct trouble* trouble;

__attribute__((constructor)) static void begin(void) {
  const char* name = getenv("PTYD_TROUBLE");
  const int fd = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void* mapped = mmap(NULL, sizeof(struct trouble), PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped != MAP_FAILED) trouble = mapped;
}

// --- clocks

/// Since when the steady clock goes slowly, by the kernel's; 0 while it does not.
static _Atomic int64_t slow_since;

static int64_t shift_of_steady(void) {
  const int64_t slowed = trouble->slowed;
  if (!slowed) {
    slow_since = 0;
    return trouble->leap_ns;
  }
  struct timespec time;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
  const int64_t now = time.tv_sec * kSecond + time.tv_nsec;
  int64_t none = 0;
  atomic_compare_exchange_strong(&slow_since, &none, now);
  const int64_t passed = now - slow_since;
  return trouble->leap_ns + passed / slowed - passed;
}

static int64_t shift_of(clockid_t clock) {
  if (!trouble) return 0;
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return trouble->calendar_ns;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
      return shift_of_steady();
    case CLOCK_BOOTTIME:
      return trouble->leap_ns;
    default:
      return 0;
  }
}

static void shift(struct timespec* time, int64_t by) {
  const int64_t sum = time->tv_sec * kSecond + time->tv_nsec + by;
  time->tv_sec = sum / kSecond;
  time->tv_nsec = sum % kSecond;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  const int failed = (int)syscall(SYS_clock_gettime, clock, time);
  if (failed == 0) shift(time, shift_of(clock));
  return failed;
}

// --- the functions in place of which these are called

#define NEXT(name) next_##name(#name)
#define HAS_NEXT(name)                                      \
  static __typeof__(&name) next_##name(const char* named) { \
    static void* found;                                     \
    if (!found) found = dlsym(RTLD_NEXT, named);            \
    return (__typeof__(&name))found;                        \
  }
HAS_NEXT(pthread_cond_clockwait)
HAS_NEXT(syscall)
HAS_NEXT(open)
HAS_NEXT(openat)
HAS_NEXT(fopen)
HAS_NEXT(opendir)
HAS_NEXT(unlink)
HAS_NEXT(remove)
HAS_NEXT(rename)
HAS_NEXT(stat)
HAS_NEXT(lstat)
HAS_NEXT(readlink)
HAS_NEXT(chdir)
HAS_NEXT(pread)

/// The kernel's clocks have not jumped.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  struct timespec by_kernel = *until;
  shift(&by_kernel, -shift_of(clock));
  return NEXT(pthread_cond_clockwait)(condition, mutex, clock, &by_kernel);
}

/// A child that starts has a timer of the kernel's, whose clock goes as usual.
long syscall(long number, ...) {
  if (number == SYS_timer_create && trouble && trouble->slowed) {
    errno = EAGAIN;
    return -1;
  }
  long of[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) of[i] = va_arg(rest, long);
  va_end(rest);
  return NEXT(syscall)(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}

// --- files

static void rest(int64_t ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  syscall(SYS_nanosleep, &time, NULL);
}

static int lies_in(const char* path, const volatile struct zone* zone) {
  size_t at = 0;
  for (; zone->folder[at]; at++)
    if (path[at] != zone->folder[at]) return 0;
  return at > 0 && (path[at] == '\0' || path[at] == '/');
}

/// Takes as long as `path` does.
static void pass(const char* path) {
  const int kept = errno;
  for (int i = 0; trouble && i < ZONES; i++) {
    const volatile struct zone* zone = &trouble->zones[i];
    if (!lies_in(path, zone)) continue;
    if (zone->delay_ms > 0) rest(zone->delay_ms);
    while (zone->hangs) rest(LOOK_AGAIN_MS);
  }
  errno = kept;
}

static mode_t mode_in(int flags, va_list more) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_in(flags, more);
  va_end(more);
  pass(path);
  return NEXT(open)(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = mode_in(flags, more);
  va_end(more);
  pass(path);
  return NEXT(openat)(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  pass(path);
  return NEXT(fopen)(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return fopen(path, mode);
}

DIR* opendir(const char* path) {
  pass(path);
  return NEXT(opendir)(path);
}

int unlink(const char* path) {
  pass(path);
  return NEXT(unlink)(path);
}

int remove(const char* path) {
  pass(path);
  return NEXT(remove)(path);
}

int rename(const char* from, const char* to) {
  pass(from);
  return NEXT(rename)(from, to);
}

int stat(const char* path, struct stat* found) {
  pass(path);
  return NEXT(stat)(path, found);
}

int lstat(const char* path, struct stat* found) {
  pass(path);
  return NEXT(lstat)(path, found);
}

ssize_t readlink(const char* path, char* target, size_t size) {
  pass(path);
  return NEXT(readlink)(path, target, size);
}

int chdir(const char* path) {
  pass(path);
  return NEXT(chdir)(path);
}

static int is_bad(int file, off_t last) {
  char link[64], path[256];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const long length = syscall(SYS_readlink, link, path, sizeof path - 1);
  path[length > 0 ? length : 0] = '\0';
  for (int i = 0; i < ZONES; i++) {
    const volatile struct zone* zone = &trouble->zones[i];
    if (zone->bad_from > 0 && last > zone->bad_from && lies_in(path, zone)) return 1;
  }
  return 0;
}

ssize_t pread(int file, void* bytes, size_t size, off_t at) {
  if (!trouble || !is_bad(file, at + (off_t)size)) return NEXT(pread)(file, bytes, size, at);
  errno = EIO;
  return -1;
}

ssize_t pread64(int file, void* bytes, size_t size, off_t at) {
  return pread(file, bytes, size, at);
}
