"""Descent of processes, as /proc tells it. For watch.py and bully.py."""
import collections
import os
import pathlib


def parents():
    """{pid: parent} of everything that runs, the dead but unburied left out."""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = pathlib.Path("/proc", entry, "stat").read_text(errors="replace")
        except OSError:
            continue
        state, parent = stat[stat.rindex(")") + 2:].split()[:2]
        if state != "Z":
            found[int(entry)] = int(parent)
    return found


def descendants(root, of=None):
    """All below `root`, nearest first."""
    children = collections.defaultdict(list)
    for pid, parent in (parents() if of is None else of).items():
        children[parent].append(pid)
    found, rest = [], collections.deque(children[root])
    while rest:
        pid = rest.popleft()
        found.append(pid)
        rest.extend(children[pid])
    return found


def command_line(pid):
    """As `ps` has it; empty when there is no such process any more."""
    try:
        return pathlib.Path("/proc", str(pid), "cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
