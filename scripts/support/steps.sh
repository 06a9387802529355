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

# tree_of PID: it and all below it, parents first.
tree_of() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$1" '
    {pid = $1; sub(/^.*\) /, ""); children[$2] = children[$2] " " pid}
    function show(pid, list, count, n) {print pid; count = split(children[pid], list, " "); for (n = 1; n <= count; n++) show(list[n])}
    END {show(root)}'
}

end_tree() { # SIGNAL PID
  local tree
  mapfile -t tree < <(tree_of "$2")
  kill "-$1" "${tree[@]}" 2>/dev/null || true
}

end_after() { # SECONDS PID
  sleep "$1"
  echo "It took longer than $1 s."
  end_tree TERM "$2"
  sleep 30
  end_tree KILL "$2"
}

# step NAME TITLE COMMAND...: runs COMMAND with its output in build/log/NAME.log. One line when it is done, with the
# time it took; when it fails or takes too long, the end of the log, and COMMAND's status.
step() {
  local name=$1 title=$2 begun=$SECONDS log status=0
  shift 2
  log=$log_folder/$name.log
  [[ -t 2 ]] || say "$title ..."
  : >"$log"
  "$@" >>"$log" 2>&1 </dev/null &
  step_process=$!
  end_after "$step_limit" "$step_process" >>"$log" 2>&1 </dev/null &
  step_limiter=$!
  watch_log "$step_process" "$log" "$title"
  wait "$step_process" || status=$?
  end_tree TERM "$step_limiter"
  step_process=
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
  [[ -n ${step_process:-} ]] || return 0
  end_tree TERM "$step_limiter"
  end_tree TERM "$step_process"
}
trap 'end_step; exit 130' INT
trap 'end_step; exit 143' TERM HUP
