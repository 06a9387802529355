# shellcheck shell=bash
# Runs suites, and builds what they need behind them. Sourced by scripts/test, which has needed_by (what each build is for),
# order (of the builds) and suites; needs $root and $results.
#
# Suites wait more than they compute, so builds run beside them, and three suites run beside each other once nothing is left to
# compile. Each starts when what it needs is built.

readonly suite_limit=${PTYD_SUITE_LIMIT:-1500} again_limit=600 # seconds

# --- one suite ------------------------------------------------------------------------------------------------------------

# In the background and waited for, so that a signal is heard meanwhile; after one it still ends in good order.
watched() { # LIMIT LOG RECORD COMMAND...
  local status
  scripts/support/watch.py --limit "$1" --log "$2" --record "$3" "${@:4}" &
  watcher=$!
  while
    status=0
    wait "$watcher" || status=$?
    kill -0 "$watcher" 2>/dev/null
  do :; done
  watcher=
  return "$status"
}

suite() { # NAME
  local name=$1
  say "--- $name"
  run_changed_parts "$name"
  scripts/support/results.py "$results" --suite "$name"
}

# Parts that have passed before, and that nothing has changed for, do not run again. Where that cannot be told, all run.
run_changed_parts() { # SUITE
  local parts stale
  parts=$(scripts/support/run_suite "$1" --parts | tr '\n' ' ')
  if ! stale=$(scripts/support/test_cache.py plan "$1" "$results" <<<"$parts" | tr '\n' ' '); then
    stale=$parts
    rm -f "$results/$1.cached"
  fi
  if [[ $parts == *[^\ ]* && $stale != *[^\ ]* ]]; then
    printf '{"status": "cached"}' >"$results/$1.json"
    return
  fi
  PTYD_PARTS=$stale watched "$suite_limit" "$log_folder/test-$1.log" "$results/$1.json" scripts/support/run_suite "$1" "$results/$1.xml" ||
    run_failures_again "$1"
  scripts/support/test_cache.py keep "$1" "$results"
}

run_failures_again() { # SUITE
  local test file
  while IFS=$'\t' read -r test file; do
    ! passes_alone "$1" "$test" "$file" || echo "$test" >>"$results/$1.unsteady"
  done < <(scripts/support/results.py "$results" --again "$1")
}

passes_alone() { # SUITE TEST FILE: twice
  local turn place=$results/alone log=$log_folder/alone-$1.log
  mkdir -p "$place"
  for turn in 1 2; do
    say "    once more, alone: $2"
    rm -f "$place/$1.xml"
    watched "$again_limit" "$log" "$place/$1.json" scripts/support/run_suite "$1" "$place/$1.xml" "$2" "$3" || return 1
    scripts/support/results.py "$place" --alone "$1" --test "$2" || return 1
  done
}

# A suite that could not be built is a failed suite, and the others still run.
suite_not_built() { # NAME
  printf '{"status": "not built"}' >"$results/$1.json"
  scripts/support/results.py "$results" --suite "$1"
}

# A suite that never came to its turn has failed as well.
say_what_did_not_run() {
  local name
  for name in "${suites[@]}"; do
    [[ -e $results/$name.json ]] || printf '{"status": "not run"}' >"$results/$name.json"
  done
}

# --- all of them ----------------------------------------------------------------------------------------------------------

is_for() { [[ " ${needed_by[$1]} " == *" $2 "* ]]; } # BUILD SUITE

is_wanted() { # BUILD: for one of the suites
  local name
  for name in "${suites[@]}"; do ! is_for "$1" "$name" || return 0; done
  return 1
}

build_one() { # BUILD: leaves BUILD.built, with its status, and BUILD.took, with its seconds
  local status=0 begun=$SECONDS
  "build_$1" || status=$?
  echo "$((SECONDS - begun))" >"$results/$1.took"
  echo "$status" >"$results/$1.built"
}

# Behind everything else; and plain lines, since others write to this terminal as well.
build_all() {
  local build
  renice -n 5 "$BASHPID" >/dev/null
  for build in "${order[@]}"; do
    [[ ! -e $results/cut ]] || return 1
    [[ $build == image ]] || ! is_wanted "$build" || build_one "$build"
  done
} 2> >(cat >&2)

# The image mostly waits for the network: beside the other builds, once the release has filled the compiler's cache.
build_image_aside() {
  is_wanted image || return 0
  while is_wanted release && [[ ! -s $results/release.built && ! -e $results/cut ]]; do sleep 1; done
  [[ -e $results/cut ]] || build_one image
} 2> >(cat >&2)

await_builds() {
  local build
  for build in "${order[@]}"; do
    while is_wanted "$build" && [[ ! -s $results/$build.built && ! -e $results/cut ]]; do sleep 1; done
  done
}

unbuilt() { # SUITE: a build that it needs is yet to come
  local build
  for build in "${order[@]}"; do ! is_for "$build" "$1" || [[ -s $results/$build.built ]] || return 0; done
  return 1
}

misbuilt() { # SUITE: one of them has failed
  local build
  for build in "${order[@]}"; do ! is_for "$build" "$1" || [[ $(cat "$results/$build.built") == 0 ]] || return 0; done
  return 1
}

# The first suite that can run now, as its own: puts it in `mine`. False when all are taken, or no build is left.
take_suite() {
  local name left
  mine=
  while [[ ! -e $results/cut ]] && kill -0 "$builder" 2>/dev/null; do
    left=no
    for name in "${suites[@]}"; do
      [[ ! -e $results/$name.taken ]] || continue
      left=yes
      unbuilt "$name" || ! mkdir "$results/$name.taken" 2>/dev/null || { mine=$name && return; }
    done
    [[ $left == yes ]] || return 1
    sleep 0.5
  done
  return 1
}

run_suites() {
  local mine
  while take_suite; do
    if misbuilt "$mine"; then suite_not_built "$mine"; else suite "$mine"; fi
  done
}

# A worker that is told to end passes that on, and waits.
end_mine() {
  end_step
  [[ -z ${watcher:-} ]] || kill -TERM "$watcher" 2>/dev/null || true
}

run_all() {
  builder=$BASHPID
  { trap end_mine TERM && build_all && run_suites; } &
  workers=($!)
  builder=$!
  { trap end_mine TERM && run_suites; } &
  workers+=($!)
  { trap end_mine TERM && build_image_aside && await_builds && run_suites; } &
  workers+=($!)
  wait "${workers[@]}" || true
  say_what_did_not_run
}

# A run that is ended early has told its failures until then.
end_early() { # STATUS
  trap '' INT TERM HUP
  say "The run was cut."
  touch "$results/cut"
  end_step
  kill -TERM "${workers[@]}" 2>/dev/null || true
  wait || true
  say_what_did_not_run
  scripts/support/results.py "$results" || true
  exit "$1"
}
trap 'end_early 130' INT
trap 'end_early 143' TERM HUP
