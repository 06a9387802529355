# shellcheck shell=bash
# The surroundings of the tests: the same on every machine; and one line that says what cannot be. Sourced.

# Files that others may read; a soft limit below the hard one, so that raising it does something; no locale, no terminal and
# no proxy of the person that runs this: a test that needs one says so.
the_same_everywhere() {
  umask 022
  ulimit -Sn 1024 || true
  unset "${!LC_@}" LANGUAGE TERM COLORTERM http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY
  export LANG=C.UTF-8
  export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1:abort_on_error=0}
  export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
  export TSAN_OPTIONS=${TSAN_OPTIONS:-second_deadlock_stack=1}
}

most_processes() { cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null || ulimit -u; }
first_line() { "$@" 2>/dev/null | sed -n 1p; }

describe_machine() {
  printf '%s cores, %s GB free of %s, load %s, kernel %s, umask %s, files %s/%s, processes %s, ::1 %s\n' "$(nproc)" \
    "$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)" "$(awk '/^MemTotal/ {print int($2 / 1048576)}' /proc/meminfo)" \
    "$(cut -d ' ' -f 1-3 /proc/loadavg)" "$(uname -r)" "$(umask)" "$(ulimit -Sn)" "$(ulimit -Hn)" "$(most_processes | sed -n 1p)" \
    "$(grep -q '^0\{31\}1 ' /proc/net/if_inet6 2>/dev/null && echo yes || echo no)"
  printf '%s; node %s; %s\n' "$(first_line c++ --version)" "$(first_line node --version)" "$(first_line chromium --version)"
}
