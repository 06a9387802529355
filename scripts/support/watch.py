#!/usr/bin/env python3
"""Runs one suite, keeps the time, and leaves nothing of it behind.

    watch.py --log FILE --record FILE --limit SECONDS COMMAND...

COMMAND runs in a session of its own, its output goes to --log. At its end, or at the limit, everything that descends from it
is ended, also what has left its parents: orphans come to this process (it is their subreaper). --record gets, as JSON:

    status      of COMMAND; 124 at the limit, "cut" when this process was told to end
    seconds     on the wall, and `cpu`, what all of it computed
    steal       percent of the machine's time that its host gave to others
    stop        the longest time in seconds that this process was not let run, and `stop_at`, the time of day of its end
    left        the command lines of what was still running after COMMAND had ended
"""
import argparse
import ctypes
import json
import os
import pathlib
import signal
import subprocess
import time

import processes

TICK = 0.05          # how often it looks, and how it notices a stop
LAST_WORDS = 30.0    # from TERM to KILL
LEAVING = 3.0        # what ends by itself this soon after its suite is not left over
PR_SET_CHILD_SUBREAPER = 36


class Machine:
    """What the machine did meanwhile."""

    def __init__(self):
        self.begun = time.monotonic()
        self.ticks = self.read()
        self.stop, self.stop_at = 0.0, ""

    @staticmethod
    def read():
        """(stolen, all) ticks of all processors."""
        fields = [int(n) for n in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return fields[7], sum(fields)

    def sleep(self):
        begun = time.monotonic()
        time.sleep(TICK)
        late = time.monotonic() - begun - TICK
        if late > self.stop:
            self.stop, self.stop_at = late, time.strftime("%H:%M:%S")

    def record(self):
        stolen, ticks = (now - then for now, then in zip(self.read(), self.ticks))
        times = os.times()
        return {"seconds": round(time.monotonic() - self.begun, 1), "cpu": round(times.children_user + times.children_system, 1),
                "steal": round(100 * stolen / max(ticks, 1), 1), "stop": round(self.stop, 2), "stop_at": self.stop_at}


class Suite:
    def __init__(self, command, log, limit):
        self.machine = Machine()
        self.told = None
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self.tell)
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        with open(log, "wb") as output:
            self.child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
        self.ends_at = time.monotonic() + limit

    def tell(self, *_):
        self.told = "cut"

    def bury(self):
        """The status of COMMAND once it has ended, and every orphan that has."""
        status = None
        while True:
            try:
                pid, code = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return status
            if pid == 0:
                return status
            if pid == self.child.pid:
                code = os.waitstatus_to_exitcode(code)
                status = code if code >= 0 else 128 - code

    def until_ended(self, seconds=float("inf")):
        """The status, or None when it takes longer than `seconds`, than its limit, or than anybody wants to wait."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            status = self.bury()
            if status is not None:
                return status
            if seconds == float("inf") and (self.told or time.monotonic() > self.ends_at):
                return None
            self.machine.sleep()
        return None

    def end_early(self):
        """TERM, so that it can say what it knows; what ignores that is killed with the rest."""
        try:
            os.killpg(self.child.pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        self.until_ended(LAST_WORDS)
        return self.told or 124

    def left(self):
        """The command lines of what does not end by itself."""
        until = time.monotonic() + LEAVING
        while processes.descendants(os.getpid()) and time.monotonic() < until:
            self.bury()
            self.machine.sleep()
        return [line for line in map(processes.command_line, processes.descendants(os.getpid())) if line]

    def end_rest(self):
        while found := processes.descendants(os.getpid()):
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.bury()
            self.machine.sleep()

    def run(self):
        status = self.until_ended()
        if status is None:
            status = self.end_early()
        left = self.left()
        self.end_rest()
        return {"status": status, **self.machine.record(), "left": left}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", required=True)
    parser.add_argument("--record", required=True, type=pathlib.Path)
    parser.add_argument("--limit", required=True, type=float)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    record = Suite(options.command, options.log, options.limit).run()
    options.record.write_text(json.dumps(record))
    return record["status"] if isinstance(record["status"], int) else 1


if __name__ == "__main__":
    raise SystemExit(main())
