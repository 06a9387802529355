# shellcheck shell=bash
# The tests need Node 20; the page is built with whatever the system has. Sourced after page.sh.

node_platform() { case $(uname -m) in aarch64) echo linux-arm64 ;; *) echo linux-x64 ;; esac; }

# Hashes of that version as it was published. npm itself compares with what the registry says now.
node_integrity() {
  case $(node_platform) in
    linux-arm64) echo 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==' ;;
    *) echo 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==' ;;
  esac
}

# Nothing stays of a package that is not the one whose hash is known here.
check_node() {
  grep -qF "\"$(node_integrity)\"" "$root/build/node/node_modules/.package-lock.json" && return 0
  echo "the package of Node is not the one that was looked at: its hash is another" >&2
  rm -rf "$root/build/node"
  return 1
}

# A package that is nothing but the program, of one version: no install script runs, and the system stays as it is.
fetch_node() { download_node && check_node; }

download_node() {
  again 3 npm install --prefix "$root/build/node" --ignore-scripts --no-save --no-audit --no-fund --fetch-retries=5 \
    --fetch-retry-maxtimeout=120000 "node-$(node_platform)@22.23.3"
}

# Puts a Node of version 20 or later in front of PATH.
use_newer_node() {
  (($(node_version || true) + 0 >= 20)) && return 0
  local bin
  bin=$root/build/node/node_modules/node-$(node_platform)/bin
  [[ -x $bin/node ]] || step node "Fetching a newer Node" fetch_node || return 1
  export PATH=$bin:$PATH
}
