# shellcheck shell=bash
# Builds one preset of the C++ side. Sourced after steps.sh.

# Compiled files of one checkout and one build folder serve the others: paths are seen from the root, and the language of the
# compiler's messages does not matter. The image's build has the same settings.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=locale

# How what was built with sanitizers is run: older ones stumble over the random layouts of newer kernels. Where this may not be
# asked for, as it is.
sanitized_launcher() { if setarch -R true 2>/dev/null; then echo setarch -R; fi; }

# A compiler takes up to 2 GB on the heaviest file: no more jobs than cores, nor than memory has room for.
job_count() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
  local room=$((gigabytes / 2 > 1 ? gigabytes / 2 : 1))
  echo $((cores < room ? cores : room))
}

make_preset() { # PRESET [NINJA ARGUMENTS]
  local preset=$1
  shift
  cd "$root" || return 1
  [[ build/$preset/build.ninja -nt CMakePresets.json ]] || cmake --preset "$preset" || return 1
  # At the end of a build its tests are asked for their names.
  $(sanitized_launcher) ninja -C "build/$preset" -j "$(job_count)" "$@"
}

# build_preset PRESET TITLE [TARGET...]
build_preset() {
  local preset=$1 title=$2
  shift 2
  step "build-$preset" "$title" make_preset "$preset" "$@"
}
