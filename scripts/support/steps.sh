# shellcheck shell=bash
# Short lines for the person who waits, the details in build/log. Sourced; needs $root.

log_folder=$root/build/log
mkdir -p "$log_folder"

readonly step_limit=2400 # seconds; a cold build takes a third of it

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

# again TIMES COMMAND...: until it succeeds, with pauses. For what asks the network, and for nothing else.
again() {
  local times=$1 attempt
  shift
  for ((attempt = 1; ; attempt++)); do
    "$@" && return 0
    ((attempt < times)) || return 1
    echo "Attempt $attempt of $times failed: $*"
    sleep $((attempt == 1 ? 10 : 60))
  done
}

end_group() { # PID: what it leads, gently and then not
  kill -TERM -- "-$1" 2>/dev/null || return 0
  sleep 30
  kill -KILL -- "-$1" 2>/dev/null || true
}

end_after() { # SECONDS PID
  sleep "$1"
  echo "It took longer than $1 s."
  end_group "$2"
}

end_limiter() {
  kill -- "-$step_limiter" 2>/dev/null || true
  wait "$step_limiter" 2>/dev/null || true
}

# step NAME TITLE COMMAND...: runs COMMAND with its output in build/log/NAME.log. One line when it is done, with the
# time it took; when it fails or takes too long, the end of the log, and COMMAND's status. COMMAND leads a group of
# processes of its own, which ends with the step.
step() {
  local name=$1 title=$2 begun=$SECONDS log status=0
  shift 2
  log=$log_folder/$name.log
  [[ -t 2 ]] || say "$title ..."
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  step_group=$!
  end_after "$step_limit" "$step_group" >>"$log" 2>&1 </dev/null &
  step_limiter=$!
  set +m
  watch_log "$step_group" "$log" "$title"
  wait "$step_group" || status=$?
  end_limiter
  step_group=
  if ((status == 0)); then
    say "$title: done ($((SECONDS - begun)) s)"
    return 0
  fi
  say "$title: FAILED ($((SECONDS - begun)) s). The end of $log:"
  tail -n 40 "$log" >&2
  return "$status"
}

# For a script that is cut.
end_step() {
  [[ -n ${step_group:-} ]] || return 0
  kill -TERM -- "-$step_group" 2>/dev/null || true
  end_limiter
}
trap 'end_step; exit 130' INT
trap 'end_step; exit 143' TERM HUP
