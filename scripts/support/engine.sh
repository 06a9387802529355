# shellcheck shell=bash
# buildah and podman with storage of their own below build/container: nothing of the user's is touched. Sourced; needs $root.
#
# runc, because crun refuses hybrid control groups; cgroupfs, because there may be no systemd; vfs, because overlay may not
# be allowed to mount here.

engine_storage=(--storage-driver vfs --root "$root/build/container/storage" --runroot "$root/build/container/run")
engine_buildah() { buildah "${engine_storage[@]}" "$@"; }
engine_podman() { podman "${engine_storage[@]}" --runtime runc --cgroup-manager cgroupfs "$@"; }
