# shellcheck shell=bash
# Short lines for the person who waits, the details in build/log. Sourced; needs $root.

log_folder=$root/build/log
mkdir -p "$log_folder"

say() { printf '%s\n' "$*" >&2; }

# The last line of a log that says something, short enough for one line of a terminal.
latest_line() { tail -n 1 "$1" 2>/dev/null | tr -d '\r\033' | cut -c 1-70; }

watch_log() { # PID LOG TITLE: on a terminal, shows how far it is until PID ends
  [[ -t 2 ]] || return 0
  while kill -0 "$1" 2>/dev/null; do
    printf '\r\033[K%s ... %s' "$3" "$(latest_line "$2")" >&2
    sleep 1
  done
  printf '\r\033[K' >&2
}

# step NAME TITLE COMMAND...: runs COMMAND with its output in build/log/NAME.log. One line when it is done, with the
# time it took; when it fails, the end of the log, and COMMAND's status.
step() {
  local name=$1 title=$2 begun=$SECONDS log status=0
  shift 2
  log=$log_folder/$name.log
  [[ -t 2 ]] || say "$title ..."
  "$@" >"$log" 2>&1 </dev/null &
  watch_log $! "$log" "$title"
  wait $! || status=$?
  if ((status == 0)); then
    say "$title: done ($((SECONDS - begun)) s)"
    return 0
  fi
  say "$title: FAILED ($((SECONDS - begun)) s). The end of $log:"
  tail -n 40 "$log" >&2
  return "$status"
}
