#!/usr/bin/env python3
"""Runs the unit tests of a build: each binary whole, in as many shards as there are processors.

    run_units.py FOLDER JUNIT                  all of them
    run_units.py FOLDER JUNIT --only TEST      that test alone
    run_units.py FOLDER JUNIT --units NAME...  the tests of those binaries
    run_units.py FOLDER --concerned FILE...    prints the names of the binaries that a change of these files concerns
    run_units.py --self-test

FOLDER holds the binaries and `units.tsv`, a line per binary: `name TAB filter TAB filter TAB rooms`: GoogleTest's filters of
the tests that run real processes and, of these, of those that need a quiet machine (they run behind all others, one by one),
and the folders of what it is linked from. Status 1 when anything failed. JUNIT gets a case per test, with its binary as `file`; beside it, JUNIT's name
with `.processes` lists the first filter's tests.

A test fails also when a sanitizer reports within it, when its binary dies in it and when it takes longer than TEST_LIMIT;
the tests behind it then run in a new process. What goes wrong outside of a test is a case that bears the binary's name.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import results
import test_cache

Unit = collections.namedtuple("Unit", "binary processes alone rooms")
# `verdict` is passed, failed or skipped; `binary` is the unit's name.
Case = collections.namedtuple("Case", "name seconds verdict text binary", defaults=("",))

TEST_LIMIT = 600  # seconds; for what hangs: a wait inside of a test has a shorter deadline of its own
LOOK = 5  # seconds between looks at a running binary
BEGINS = re.compile(r"^\[ RUN      \] (\S+)$", re.M)
ENDS = re.compile(r"\[(       OK |  FAILED  |  SKIPPED )\] (\S+?)(?:, where .*)? \((\d+) ms\)$", re.M)
VERDICTS = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


# --- which tests there are ------------------------------------------------------------------------------------------------

def units(folder):
    for line in (folder / "units.tsv").read_text().splitlines():
        name, processes, alone, rooms = line.split("\t")
        yield Unit(folder / name, processes, alone, rooms.split())


def room_of(file, rooms):
    """The innermost of `rooms` that holds this file or what it tests; none when it may concern all of them."""
    file = re.sub(r"^tests/(unit|support)/", "", file)
    found = [room for room in rooms if file.startswith(room.rstrip("/") + "/")]
    return max(found, key=len, default=None)


def concerned(folder, files, named):
    """The names of the binaries that are linked from rooms of these files, or whose tests name one, as `named` tells of a
    binary; of all where code or data of tests is in no room, but for the program's own code, which no binary is linked
    from."""
    every = list(units(folder))
    rooms = {room for unit in every for room in unit.rooms}
    linked = [file for file in files if not OF_THE_PROGRAM.match(file)]
    changed = {room_of(file, rooms) for file in linked if not file.endswith(".md")} - {None}
    everywhere = any(room_of(file, rooms) is None and OF_ALL.search(file) for file in linked)
    return [unit.binary.name for unit in every
            if everywhere or changed & set(unit.rooms) or named(unit.binary.name) & set(files)]


# The page, end-to-end tests and scripts concern no binary, unless its tests name a file of them.
OF_ALL = re.compile(r"(\.(cpp|hpp|txt|jsonl)|(^|/)CMake(Lists\.txt|Presets\.json))$|^tests/(fuzz|transcripts|screens/cases)/")
OF_THE_PROGRAM = re.compile(r"server/(?!machine_clock)(cli/)?\w+\.[ch]pp$")


def tests_of(binary):
    """The names that GoogleTest's filters take, in the order in which they run."""
    names, suite = [], ""
    listed = subprocess.run([binary, "--gtest_list_tests"], stdout=subprocess.PIPE, text=True, errors="replace", check=True).stdout
    for line in listed.splitlines():
        word = line.split("#")[0].strip()
        if not line.startswith(" "):
            suite = word if word.endswith(".") else ""
        elif suite:
            names.append(suite + word)
    return names


def matching(names, patterns):
    patterns = [p for p in patterns.split(":") if p]
    return [n for n in names if any(fnmatch.fnmatchcase(n, p) for p in patterns)]


# --- one process ----------------------------------------------------------------------------------------------------------

def cases_in(output):
    """The tests that a binary's output tells of, the last perhaps without an end: then it has failed."""
    begun = list(BEGINS.finditer(output))
    for here, following in zip(begun, begun[1:] + [None]):
        text = output[here.end():following.start() if following else len(output)]
        end = next((e for e in ENDS.finditer(text) if e.group(2) == here.group(1)), None)
        if end is None:
            yield Case(here.group(1), 0, "failed", text + "\nthe binary ended, or was ended, in this test")
            continue
        text = text[:end.start()]
        verdict = "failed" if results.REPORTED.search(text) else VERDICTS[end.group(1).strip()]
        yield Case(here.group(1), int(end.group(3)) / 1000, verdict, text)


def await_end(process, log):
    """The status; the process is killed when one test takes too long."""
    current, since = None, time.monotonic()
    while True:
        try:
            return process.wait(LOOK)
        except subprocess.TimeoutExpired:
            latest = BEGINS.findall(log.read_text(errors="replace"))[-1:]
            if latest != current:
                current, since = latest, time.monotonic()
            if time.monotonic() - since > TEST_LIMIT:
                process.kill()


def run_once(binary, names, place):
    """The status, and all output: to a file, since what a test leaves running may hold a pipe open."""
    flags, log = place / "flags", place / "output"
    flags.write_text("--gtest_filter=%s\n--gtest_color=no\n" % ":".join(names))
    with log.open("wb") as output:
        process = subprocess.Popen([binary, "--gtest_flagfile=%s" % flags], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        status = await_end(process, log)
    return status, log.read_text(errors="replace")


def run(unit, names):
    """The cases of `names`, from as many processes as it takes."""
    found, left = [], names
    while left:
        with tempfile.TemporaryDirectory() as place:
            status, output = run_once(unit.binary, left, pathlib.Path(place))
        print(output, flush=True)
        these = list(cases_in(output))
        done = {case.name for case in these}
        found += these
        left = [name for name in left if name not in done]
        explained = any(case.verdict == "failed" for case in these)
        if (status != 0 and not explained) or (left and not these):
            found.append(Case(unit.binary.name, 0, "failed", "%s\nended with status %d" % (output[-4000:], status)))
            break
    found += [Case(name, 0, "failed", "was not run") for name in left]
    return [case._replace(binary=unit.binary.name) for case in found]


# --- all of them ----------------------------------------------------------------------------------------------------------

def run_all(folder, only, workers, chosen=()):
    """All cases, and the names of those that run real processes."""
    shards, quiet, real = [], [], []
    for unit in units(folder):
        if chosen and unit.binary.name not in chosen:
            continue
        names = tests_of(unit.binary)
        real += matching(names, unit.processes)
        if only:
            names = [name for name in names if name == only]
        alone = matching(names, unit.alone)
        quiet += [(unit, [name]) for name in alone]
        names = [name for name in names if name not in set(alone)]
        shards += [(unit, names[shard::workers]) for shard in range(workers) if names[shard::workers]]
    shards.sort(key=lambda shard: -len(shard[1]))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        found = list(pool.map(lambda shard: run(*shard), shards))
    found += [run(*shard) for shard in quiet]
    return [case for cases in found for case in cases], real


def record(junit, cases, real):
    junit.with_suffix(".processes").write_text("".join(name + "\n" for name in real))
    results.write(junit, [results.element(case.name, case.binary, case.verdict, case.text, case.seconds) for case in cases])


# --- checking -------------------------------------------------------------------------------------------------------------

# Says what a binary of GoogleTest says; what its tests do is in their names.
SAMPLE = r'''#!/usr/bin/env python3
import os, sys
names = ["A.passes", "A.fails", "A.dies", "A.after", "A.races", "B.skips", "B/C.last/0"]
if "--gtest_list_tests" in sys.argv:
    print("Running main() from sample\nA.\n  passes\n  fails\n  dies\n  after\n  races\nB.\n  skips\nB/C.\n  last/0  # GetParam() = 1")
    sys.exit()
flags = open(sys.argv[1].split("=", 1)[1]).read().splitlines()
chosen, failed = flags[0].split("=", 1)[1].split(":"), False
for name in [n for n in names if n in chosen]:
    print("[ RUN      ] " + name, flush=True)
    if name == "A.dies": os.abort()
    if name == "A.races": print("WARNING: ThreadSanitizer: data race")
    failed |= name == "A.fails"
    verdict = {"A.fails": "  FAILED  ", "B.skips": "  SKIPPED "}.get(name, "       OK ")
    print("x[%s] %s%s (12 ms)" % (verdict, name, ", where GetParam() = 1" if failed else ""), flush=True)
sys.exit(LEAKS or failed)
'''


def sample(folder, leaks=0, alone=""):
    binary = folder / "sample"
    binary.write_text(SAMPLE.replace("LEAKS", str(leaks)))
    binary.chmod(0o755)
    (folder / "units.tsv").write_text("sample\tB*:A.after\t%s\tpty/text pty\nother\t\t\tpty\n" % alone)
    (folder / "other").write_text("#!/bin/sh\n")
    (folder / "other").chmod(0o755)


def test_concerned():
    rows = [
        (["pty/text/utf8.cpp"], ["sample"]),
        (["pty/types.hpp"], ["sample", "other"]),
        (["tests/unit/pty/text/utf8_test.cpp", "README.md"], ["sample"]),
        (["CMakeLists.txt"], ["sample", "other"]),
        (["web/app/src/app.ts", "server/app.cpp", "pty/README.md"], []),
        (["server/machine_clock.cpp"], ["sample", "other"]),
        (["pty/text/table.sh"], ["sample"]),
        (["CMakePresets.json"], ["sample", "other"]),
        (["tests/fuzz/corpus/utf8/a"], ["sample", "other"]),
        (["web/app/src/named.ts"], ["other"]),
        (["server/named.cpp"], ["other"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        sample(pathlib.Path(folder))
        for files, expected in rows:
            found = concerned(pathlib.Path(folder), files, lambda unit: {"web/app/src/named.ts", "server/named.cpp"} if unit == "other" else set())
            assert found == expected, (files, expected, found)


def test_runs():
    everything = {"A.passes": "passed", "A.fails": "failed", "A.dies": "failed", "A.after": "passed", "A.races": "failed",
                  "B.skips": "skipped", "B/C.last/0": "passed"}
    rows = [
        ("one shard", {}, None, 1, everything),
        ("more shards than tests", {}, None, 9, everything),
        ("one that needs quiet", {"alone": "A.dies"}, None, 2, everything),
        ("one test", {}, "A.after", 2, {"A.after": "passed"}),
        ("what died and said no name", {"leaks": 23}, "A.after", 2, {"A.after": "passed", "sample": "failed"}),
        ("no such test", {}, "A.none", 2, {}),
    ]
    for title, how, only, workers, expected in rows:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            sample(folder, **how)
            with open(os.devnull, "w") as nowhere:
                said, sys.stdout = sys.stdout, nowhere
                try:
                    cases, real = run_all(folder, only, workers)
                finally:
                    sys.stdout = said
            assert {case.name: case.verdict for case in cases} == expected, (title, cases)
            assert len(cases) == len(expected) and real == ["A.after", "B.skips", "B/C.last/0"], (title, cases, real)
            record(folder / "junit.xml", cases, real)
            read = results.cases(folder / "junit.xml")
            assert all(c.file == "sample" for c in read), (title, read)
            assert {c.name for c in read if c.passed} == {n for n, v in expected.items() if v == "passed"}, (title, read)


def self_test():
    test_concerned()
    test_runs()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("junit", nargs="?", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--units", nargs="*", default=[])
    parser.add_argument("--concerned", nargs="*")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")
    if options.self_test:
        return self_test()
    if options.concerned is not None:
        checkout = test_cache.Checkout(pathlib.Path(__file__).resolve().parents[2])
        return print("\n".join(concerned(options.folder, options.concerned, checkout.named)))
    cases, real = run_all(options.folder, options.only, os.cpu_count() or 1, options.units)
    record(options.junit, cases, real)
    return 1 if any(case.verdict != "passed" for case in cases) else 0


if __name__ == "__main__":
    sys.exit(main())
