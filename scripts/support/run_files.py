#!/usr/bin/env python3
"""Runs files of Node's tests, each in a process of its own, two at a time.

    run_files.py JUNIT FILE... [--launcher "WORD..."] [--limit MILLISECONDS] [--only PATTERN]
    run_files.py --self-test

JUNIT gets a case per test, which bears its file as it is named here; it is whole whenever a file has ended. The output of a
file comes in one piece, when it has ended. --launcher comes before `node`; --limit is for one test, and for one file; --only
runs the tests whose name the pattern matches, and the others count as skipped. Status 1 when a test or a file failed, or a test
was skipped without that.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import results

WORKERS = 2  # files at a time: an end-to-end test waits more than it computes, and its server fills a core when it does not
REPORTER = pathlib.Path(__file__).resolve().with_name("junit_reporter.mjs")


def command(options, junit, file):
    chosen = ["--test-name-pattern=" + options.only] if options.only else []
    return [*shlex.split(options.launcher), "node", "--test", "--test-timeout=%d" % options.limit, *chosen,
            "--test-reporter=spec", "--test-reporter-destination=stdout",
            "--test-reporter=%s" % REPORTER, "--test-reporter-destination=%s" % junit, file]


def run(options, file):
    """The cases of one file, and what it printed."""
    with tempfile.TemporaryDirectory() as place:
        junit, log = pathlib.Path(place, "junit.xml"), pathlib.Path(place, "log")
        with log.open("wb") as output:  # a file: what a test leaves running may hold a pipe open
            ended = subprocess.run(command(options, junit, file), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, check=False)
        said = log.read_text(errors="replace")
        found = [case._replace(file=file) for case in results.cases(junit)]
    if ended.returncode != 0 and all(case.passed for case in found):
        found.append(results.Case(file, False, "%s\nended with status %d" % (said[-4000:], ended.returncode), file))
    if not found and not options.only:
        found.append(results.Case(file, False, "ran no test", file))
    return found, said


def verdict(case):
    return "passed" if case.passed else "skipped" if case.message == "skipped" else "failed"


def run_all(options):
    """Status 1 when anything failed."""
    cases = []
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for done in concurrent.futures.as_completed([pool.submit(run, options, file) for file in options.files]):
            found, said = done.result()
            print(said, flush=True)
            cases += found
            results.write(options.junit, [results.element(case.name, case.file, verdict(case), case.message) for case in cases])
    fine = ("passed", "skipped") if options.only else ("passed",)
    return 0 if all(verdict(case) in fine for case in cases) else 1


# --- checking -------------------------------------------------------------------------------------------------------------

# Stands for `node` in front of everything: the last argument names what the file does, the one before it the results.
SAMPLE = r'''#!/bin/sh
for junit in "$@"; do case $junit in --test-reporter-destination=/*) to=${junit#*=} ;; esac; done
shift $(($# - 1))
case $1 in
  good) echo '<t><testcase name="a" file="elsewhere"/></t>' >"$to" ;;
  bad) echo '<t><testcase name="b"><failure>why</failure></testcase><testcase name="c"><skipped/></testcase></t>' >"$to"; exit 1 ;;
  left_out) echo '<t><testcase name="a"/><testcase name="c"><skipped/></testcase></t>' >"$to" ;;
  dies) echo '<t><testcase name="d"/>' >"$to"; echo last words; exit 7 ;;
esac
'''


def test_runs():
    rows = [
        (["good"], 0, {"a": ("good", True)}),
        (["good", "bad"], 1, {"a": ("good", True), "b": ("bad", False), "c": ("bad", False)}),
        (["dies"], 1, {"d": ("dies", True), "dies": ("dies", False)}),
        (["empty"], 1, {"empty": ("empty", False)}),
    ]
    only = (["left_out"], 0, {"a": ("left_out", True), "c": ("left_out", False)})
    for files, status, expected in rows + [only]:
        with tempfile.TemporaryDirectory() as folder:
            node, junit = pathlib.Path(folder, "node"), pathlib.Path(folder, "junit.xml")
            node.write_text(SAMPLE)
            node.chmod(0o755)
            options = argparse.Namespace(files=files, junit=junit, launcher=str(node), limit=1000,
                                         only="a" if files == only[0] else "")
            with open(os.devnull, "w", encoding="utf8") as nowhere:
                said, sys.stdout = sys.stdout, nowhere
                try:
                    got = run_all(options)
                finally:
                    sys.stdout = said
            cases = {case.name: (case.file, case.passed) for case in results.cases(junit)}
            assert (got, cases) == (status, expected), (files, got, cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("junit", nargs="?", type=pathlib.Path)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--launcher", default="")
    parser.add_argument("--limit", type=int, default=300_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")
    return test_runs() if options.self_test else run_all(options)


if __name__ == "__main__":
    sys.exit(main())
