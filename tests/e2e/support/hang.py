#!/usr/bin/env python3
"""Runs a command that sees a drive which never answers, as a dead server on the network would be:

    hang.py FOLDER -- COMMAND...

FOLDER is that drive, for COMMAND alone: a FUSE filesystem whose every request stays unread, since nobody reads /dev/fuse.
The mount is in a namespace of COMMAND's own and goes with its last process, however that ends: nothing has to be cleaned up.
Whoever is not root mounts in a user namespace, where the machine lets him.
"""
import ctypes
import os
import stat
import sys

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000

libc = ctypes.CDLL(None, use_errno=True)


def call(what, *arguments):
    """A call of the C library; what fails is said, and ends this."""
    if getattr(libc, what)(*arguments) != 0:
        sys.exit("hang.py: %s: %s" % (what, os.strerror(ctypes.get_errno())))


def enter_namespace():
    uid, gid = os.getuid(), os.getgid()
    if uid == 0:
        return call("unshare", CLONE_NEWNS)
    call("unshare", CLONE_NEWUSER | CLONE_NEWNS)
    for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (uid, uid)), ("gid_map", "%d %d 1" % (gid, gid))):
        with open("/proc/self/" + name, "w") as file:
            file.write(text)


def device(folder):
    """A container may have none; root makes one where the mount will cover it."""
    if os.path.exists("/dev/fuse") or os.getuid() != 0:
        return "/dev/fuse"
    made = os.path.join(folder, "fuse")
    os.mknod(made, 0o600 | stat.S_IFCHR, os.makedev(10, 229))
    return made


def main():
    folder, separator, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    assert separator == "--", __doc__
    enter_namespace()
    call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    fuse = os.open(device(folder), os.O_RDWR)
    options = "fd=%d,rootmode=40000,user_id=%d,group_id=%d" % (fuse, os.getuid(), os.getgid())
    call("mount", b"hang", folder.encode(), b"fuse", 0, options.encode())
    os.set_inheritable(fuse, True)
    os.execvp(command[0], command)


main()
