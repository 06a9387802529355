# shellcheck shell=bash
# The project's needs from the distribution (Debian 12, Ubuntu 24.04 or later), and how they get here. Sourced after
# steps.sh; asks nothing.
#
# A need is a package, or `command:package` where any program of that name on PATH will do.

export DEBIAN_FRONTEND=noninteractive

readonly needs_build=(g++:g++ make:make cmake:cmake ninja:ninja-build pkg-config:pkg-config libssl-dev libvterm-dev
  libcli11-dev libspdlog-dev libfmt-dev zlib1g-dev)
readonly needs_speed=(ccache:ccache mold:mold)
readonly needs_check=(git:git python3:python3 clang-format:clang-format ctags:universal-ctags shellcheck:shellcheck)
readonly needs_test=(git:git python3:python3 libgtest-dev libgmock-dev bash:bash dash:dash zsh:zsh fish:fish vim:vim htop:htop less:less nano:nano
  openssl:openssl procps nginx:nginx-light haproxy:haproxy)
readonly needs_screens=(man:man-db tmux:tmux mc:mc dialog:dialog vttest:vttest curl:curl wget:wget pv:pv)
readonly needs_browser=(chromium:chromium fonts-dejavu-core fonts-noto-color-emoji fonts-wqy-microhei)
readonly needs_fuzz=(clang++:clang libclang-rt-14-dev)
readonly needs_container=(buildah:buildah podman:podman runc:runc debootstrap:debootstrap)

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

# Debian 12's default Boost is 1.74; its 1.81 has versioned names and does not live beside another version.
boost_version() { sed -n 's/^#define BOOST_VERSION \([0-9]*\)$/\1/p' /usr/include/boost/version.hpp 2>/dev/null; }
boost_package() {
  local default
  default=$(apt-cache show libboost-dev 2>/dev/null | sed -n 's/^Version: \([0-9.]*\).*/\1/p' | head -n 1)
  if dpkg --compare-versions "${default:-0}" ge 1.81; then echo libboost-dev; else echo libboost1.81-dev; fi
}

# The run-time library of the sanitizers belongs to the version of clang that is here.
clang_runtime() {
  local version
  version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1)
  echo "libclang-rt-${version:-14}-dev"
}

node_version() { node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/'; }

# missing NEED...: the packages of those needs that are not met.
missing() {
  local need
  for need in "$@"; do
    case $need in
      boost) (($(boost_version || true) + 0 >= 108100)) || echo boost ;;
      node) (($(node_version || true) + 0 >= 18)) || echo nodejs ;;
      libclang-rt-*) ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a >/dev/null 2>&1 || echo clang-rt ;;
      *:*) command -v "${need%%:*}" >/dev/null || echo "${need#*:}" ;;
      *) installed "$need" || echo "$need" ;;
    esac
  done
}

# A bad answer of a mirror is asked again, and another installation is waited for.
readonly patient=(-o Acquire::Retries=5 -o DPkg::Lock::Timeout=600)

as_root() { if ((EUID == 0)); then "$@"; else sudo -n "$@"; fi; }

# Names that depend on the release can be resolved only once the package lists are here.
resolve() {
  local name
  for name in "$@"; do
    case $name in
      boost) boost_package ;;
      clang-rt) clang_runtime ;;
      *) echo "$name" ;;
    esac
  done
}

apt_install() {
  local packages
  again 3 as_root apt-get "${patient[@]}" update || return 1
  mapfile -t packages < <(resolve "$@")
  again 3 as_root apt-get "${patient[@]}" install -y --no-install-recommends "${packages[@]}"
}

# need_packages TITLE NEED...: installs what is missing, or says plainly what it lacks and ends the script.
need_packages() {
  local title=$1 lacking
  shift
  mapfile -t lacking < <(missing "$@")
  ((${#lacking[@]} == 0)) && return 0
  if ! command -v apt-get >/dev/null; then
    say "This machine lacks ${lacking[*]}, and it has no apt-get: install them, then run this again."
    exit 1
  fi
  if ! as_root true 2>/dev/null; then
    say "This machine lacks packages, and this user may not install them without a password. As root:"
    say "  apt-get update && apt-get install $(resolve "${lacking[@]}" | tr '\n' ' ')"
    exit 1
  fi
  step "packages-$title" "Installing ${#lacking[@]} packages for $title" apt_install "${lacking[@]}" || exit 1
}
