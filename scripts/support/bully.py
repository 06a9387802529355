#!/usr/bin/env python3
"""Makes the machine a bad one for the tests below a process, until that process ends.

    bully.py PID SEED       PID is a scripts/test; what was stopped, and for how long, is printed

While one of its suites runs, every processor has something else to compute, and every few seconds a random process of the
tests stands still for half a second to two: a server, a shell, a browser's part, a test file, not their runners. Whatever ends
this one, each stopped process goes on: the process that stops it wakes it, and is no child that could be ended with us.

A job of an interactive shell is left alone: its shell would see the stop, and take it for what Ctrl-Z does.
"""
import collections
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import processes

PAUSE = (1.0, 4.0)   # seconds between two stops
STOP = (0.5, 2.0)
RUNNER = re.compile(r"\S*(bash|sh|python3?) \S*scripts/|\S*ctest |\S*node .*--test(?: |$)|npm exec|npm run|\S*npx |sh -c vitest|\S*node .*/\.bin/vitest |"
                    r"setarch |\S*flock ")
SHELLS = ("bash", "sh", "dash", "zsh", "fish", "busybox")
BURN = "while True: pass"


def state(pid):
    """(name, state, process group); None when it has gone."""
    try:
        text = pathlib.Path("/proc", str(pid), "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = text[text.rindex(")") + 2:].split()
    return text[text.index("(") + 1:text.rindex(")")], fields[0], fields[2]


def is_job(pid, parents):
    child, parent = state(pid), state(parents.get(pid, 0))
    return bool(child and parent and parent[0] in SHELLS and child[2] != parent[2])


def watchers(root, parents):
    """The suites that run now."""
    return [pid for pid in processes.descendants(root, parents) if "support/watch.py" in processes.command_line(pid)]


def may_stop(pid, parents):
    found = state(pid)
    return (found is not None and found[1] not in "TtZX" and not RUNNER.match(processes.command_line(pid))
            and not is_job(pid, parents))


def victims(root):
    """By kind, so that one shell among two hundred is no likelier than the one server."""
    parents, kinds = processes.parents(), collections.defaultdict(list)
    for watcher in watchers(root, parents):
        for pid in processes.descendants(watcher, parents):
            if may_stop(pid, parents):
                kinds[(state(pid) or ("",))[0]].append(pid)
    return kinds


def stop(pid, seconds):
    print("%s %.1f s %d %s" % (time.strftime("%H:%M:%S"), seconds, pid, processes.command_line(pid)[:100]), flush=True)
    subprocess.Popen(["sh", "-c", "kill -STOP %d; sleep %.1f; kill -CONT %d" % (pid, seconds, pid)],
                     stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


class Burners:
    """Something to compute for every processor, while it is wanted."""

    def __init__(self):
        self.children = []

    def want(self, wanted):
        if wanted and not self.children:
            self.children = [subprocess.Popen([sys.executable, "-c", BURN]) for _ in range(os.cpu_count() or 1)]
        elif not wanted and self.children:
            for child in self.children:
                child.kill()
                child.wait()
            self.children = []


def alive(pid):
    found = state(pid)
    return found is not None and found[1] != "Z"


def bully(root, dice, burners):
    while alive(root):
        time.sleep(dice.uniform(*PAUSE))
        burners.want(bool(watchers(root, processes.parents())))
        kinds = victims(root)
        if kinds:
            stop(dice.choice(kinds[dice.choice(sorted(kinds))]), dice.uniform(*STOP))


def main():
    root, seed = int(sys.argv[1]), int(sys.argv[2])
    burners = Burners()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(0))
    try:
        bully(root, random.Random(seed), burners)
    finally:
        burners.want(False)


if __name__ == "__main__":
    main()
