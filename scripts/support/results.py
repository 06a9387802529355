#!/usr/bin/env python3
"""Adds up what the suites of scripts/test left behind.

    results.py FOLDER       prints one line per suite, what failed, and `N passed, N failed`; status 1 when anything failed
    results.py --self-test

FOLDER holds one JUnit file per suite (`NAME.xml`, as ctest, node:test and vitest write it) and one `NAME.status` with
the exit status of its runner. A skipped test counts as failed: nothing here may be left out silently. So does a runner
that failed without naming a test, or that ran none.
"""
import pathlib
import sys
import tempfile
import xml.etree.ElementTree as ElementTree


def cases(xml):
    """(name, passed) of every test of a JUnit file; none when there is no such file, or half of one."""
    try:
        root = ElementTree.parse(xml).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    bad = ("failure", "error", "skipped")
    return [(c.get("name", "?"), not any(c.find(tag) is not None for tag in bad)) for c in root.iter("testcase")]


def suite(status_file):
    """(passed, [failed names]) of one suite."""
    status = status_file.read_text().strip()
    found = cases(status_file.with_suffix(".xml"))
    failed = [name for name, good in found if not good]
    if status != "0" and not failed:
        failed.append("the suite itself ended with status " + status)
    if status == "0" and not found:
        failed.append("the suite ran no test")
    return sum(good for _, good in found), failed


def report(folder):
    suites = {f.stem: suite(f) for f in sorted(folder.glob("*.status"), key=lambda f: f.stat().st_mtime_ns)}
    for name, (passed, failed) in suites.items():
        print("%-12s %5d passed, %d failed" % (name, passed, len(failed)))
        for case in failed:
            print("    failed: " + case)
    passed = sum(p for p, _ in suites.values())
    failed = sum(len(f) for _, f in suites.values()) if suites else 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


def self_test():
    good = '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>'
    mixed = '<testsuites><testsuite><testcase name="a"/><testcase name="b"><failure/></testcase>' \
            '<testcase name="c"><skipped/></testcase></testsuite></testsuites>'
    table = [
        ("all pass", good, "0", (2, [])),
        ("failed and skipped", mixed, "1", (1, ["b", "c"])),
        ("died after its tests", good, "139", (2, ["the suite itself ended with status 139"])),
        ("died before", None, "1", (0, ["the suite itself ended with status 1"])),
        ("ran nothing", "<testsuite/>", "0", (0, ["the suite ran no test"])),
        ("half a file", "<testsuite><testcase", "0", (0, ["the suite ran no test"])),
    ]
    for name, xml, status, expected in table:
        with tempfile.TemporaryDirectory() as folder:
            status_file = pathlib.Path(folder) / "x.status"
            status_file.write_text(status)
            if xml is not None:
                status_file.with_suffix(".xml").write_text(xml)
            assert suite(status_file) == expected, (name, suite(status_file))


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        sys.exit(report(pathlib.Path(sys.argv[1])))
