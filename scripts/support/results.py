#!/usr/bin/env python3
"""Says what the suites of scripts/test did.

    results.py FOLDER                  all of it: a line per suite, why each failed test failed, `unsteady: NAME` lines, where
                                       the time went, and `N passed, N failed`; status 1 when anything failed
    results.py FOLDER --suite NAME     the same of one suite
    results.py FOLDER --again NAME     the failed tests that may be run again alone, as `name TAB file`
    results.py FOLDER --alone NAME --test TEST     status 0 when that test has run, and passed
    results.py FOLDER --table          `suite TAB verdict TAB name` of what is not green
    results.py --self-test

FOLDER holds of each suite `NAME.json`, what watch.py recorded (its status at least), `NAME.xml`, a JUnit file as ctest,
run_files.py and vitest write it, `NAME.processes`, the names of tests that run real processes where not all do, `NAME.cached`,
the names of tests that need not run (test_cache.py), and `NAME.unsteady`, the names of failed tests that passed twice when
they were run alone. Logs are in FOLDER/../log/test-NAME.log.
Of each build it holds `NAME.took`, the seconds on the wall.

A skipped test counts as failed: nothing here may be left out silently. So does a runner that failed without naming a test,
or that ran none. Only where real processes run may a test be run again, and never after a crash, a leak or a sanitizer's
report: those are defects however seldom they come.
"""
import argparse
import collections
import contextlib
import html
import io
import json
import pathlib
import re
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import xml.sax.saxutils as saxutils

Case = collections.namedtuple("Case", "name passed message file")

MESSAGE_LINES = 15
MANY = 10  # so many failed tests are no accident

# All of what these suites run is real processes; of another suite, what its list names.
REAL_SUITES = re.compile(r"e2e.*|browser|screens|container")

SANITIZER = r"(?:ERROR|WARNING): (?:Address|Leak|Thread|Memory)Sanitizer|runtime error:|Unhandled Error"
REPORTED = re.compile(SANITIZER)
CRASH = re.compile(SANITIZER + r"|\bSIG(?:SEGV|ABRT|BUS|ILL|FPE)\b|Segmentation fault|SEGFAULT|Subprocess aborted|core dumped|"
                   r"Assertion `|terminate called")
NO_NEWS = re.compile(r"\s*$|\s+at .*\bnode:internal/|Running main\(\)|Note: Google Test filter|\[[=\- ]|\[ RUN|\[ *(OK|PASSED|FAILED) |\s*\d+ FAILED TEST|RUN ")

UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")


# --- reading -------------------------------------------------------------------------------------------------------------

def parsed_case(case):
    bad = [part for part in case if part.tag in ("failure", "error", "skipped")]
    said = [text for part in bad + case.findall("system-out") for text in (part.text or part.get("message") or "",)] if bad else []
    message = "skipped" if bad and bad[0].tag == "skipped" else "\n".join(said)
    return Case(case.get("name", "?"), not bad, message, case.get("file") or case.get("classname") or "")


def torn_case(text):
    """The same by pattern, from the text between two `<testcase`."""
    found = re.match(r'[^>]*?\bname="([^"]*)"', text)
    name = html.unescape(found.group(1)) if found else "?"
    bad = re.search(r"<(?:failure|error|skipped)\b[^>]*>(.*?)(?:</(?:failure|error)>|$)", text, re.S)
    ended = re.match(r"[^>]*/>", text) or "</testcase>" in text
    return Case(name, bool(ended) and not bad, html.unescape(bad.group(1)) if bad else "cut off", "")


def cases(xml):
    """Every test of a JUnit file, also of half of one; none when there is no such file."""
    try:
        text = UNPRINTABLE.sub("", xml.read_bytes().decode(errors="replace"))
    except OSError:
        return []
    try:
        return [parsed_case(case) for case in ElementTree.fromstring(text.encode()).iter("testcase")]
    except ElementTree.ParseError:
        return [torn_case(part) for part in text.split("<testcase")[1:]]


def latest_words(log):
    """The last lines of a log, for a suite that named no test."""
    try:
        return "\n".join(UNPRINTABLE.sub("", log.read_text(errors="replace")).rstrip().split("\n")[-MESSAGE_LINES:])
    except OSError:
        return ""


class Suite:
    def __init__(self, record):
        self.name = record.stem
        self.record = json.loads(record.read_text())
        self.log = record.parent.parent / "log" / ("test-%s.log" % self.name)
        self.folder = record.parent
        self.cases = cases(record.with_suffix(".xml"))
        self.failed = [case for case in self.cases if not case.passed]
        self.cached = self.lines("cached")
        self.passed = len(self.cases) - len(self.failed) + len(self.cached)
        status = self.record["status"]
        if status not in (0, "cached") and (not self.failed or status in (124, "cut")):
            self.failed.append(Case("the suite itself ended with status %s" % status, False, latest_words(self.log), ""))
        if status == 0 and not self.cases:
            self.failed.append(Case("the suite ran no test", False, latest_words(self.log), ""))
        self.forgive()

    def lines(self, what):
        try:
            return (self.folder / ("%s.%s" % (self.name, what))).read_text().splitlines()
        except OSError:
            return []

    def forgive(self):
        """What has passed twice alone is not steady; it has not failed."""
        alone = set(self.lines("unsteady"))
        self.unsteady = [case for case in self.failed if case.name in alone]
        self.failed = [case for case in self.failed if case.name not in alone]
        self.passed += len(self.unsteady)

    def may_run_again(self):
        """The tests whose failure may be the machine's."""
        if self.record["status"] in (124, "cut", "not built", "not run") or len(self.failed) > MANY or REPORTED.search(self.log_text()):
            return []
        listed = set(self.lines("processes"))
        real = [case for case in self.failed if REAL_SUITES.fullmatch(self.name) or case.name in listed]
        return [case for case in real if not CRASH.search(case.message) and case.message != "skipped"
                and not case.name.startswith("the suite ")]

    def may_be_kept(self):
        """Of what has passed here nothing speaks against the next run's passing."""
        return self.record["status"] in (0, 1) and not self.record.get("left") and not REPORTED.search(self.log_text())

    def passed_alone(self, test):
        """`test` passed, or every test of the file that has this name; the others were left out on purpose."""
        found = [case for case in self.cases if case.name == test] or [case for case in self.cases if case.file == test]
        return self.record["status"] == 0 and bool(found) and all(case.passed for case in found)

    def log_text(self):
        try:
            return self.log.read_text(errors="replace")
        except OSError:
            return ""


def suites(folder):
    return [Suite(f) for f in sorted(folder.glob("*.json"), key=lambda f: f.stat().st_mtime_ns)]


# --- writing -------------------------------------------------------------------------------------------------------------

def element(name, file, verdict, text, seconds=0.0):
    """A test as JUnit has it; `verdict` is passed, failed or skipped."""
    head = "<testcase name=%s file=%s time=\"%.3f\"" % (saxutils.quoteattr(name), saxutils.quoteattr(file), seconds)
    if verdict == "passed":
        return head + "/>"
    if verdict == "skipped":
        return head + "><skipped/></testcase>"
    return "%s><failure>%s</failure></testcase>" % (head, saxutils.escape(UNPRINTABLE.sub("", text)))


def write(junit, elements):
    junit.write_text("<testsuite>\n%s\n</testsuite>\n" % "\n".join(elements))


# --- saying --------------------------------------------------------------------------------------------------------------

def machine(record):
    """What the machine did meanwhile; empty for a suite that did not run."""
    if "seconds" not in record:
        return ""
    stop = ", longest stop %.2f s at %s" % (record["stop"], record["stop_at"]) if record["stop_at"] else ""
    return " (%.0f s, %.0f s of CPU, steal %.1f %%%s)" % (record["seconds"], record["cpu"], record["steal"], stop)


def short(message):
    """The first lines that say something."""
    lines = [line.rstrip() for line in message.replace("\r", "").split("\n") if not NO_NEWS.match(line)]
    return lines[:MESSAGE_LINES] + (["..."] if len(lines) > MESSAGE_LINES else [])


def print_line(suite):
    cached = ", %d of them cached" % len(suite.cached) if suite.cached else ""
    print("%s: %d passed, %d failed%s%s" % (suite.name, suite.passed, len(suite.failed), cached, machine(suite.record)))
    for left in suite.record.get("left", []):
        print("    left over, and ended: " + left[:160])


def print_message(case):
    for line in short(case.message):
        print("        " + line[:400])


def print_failures(suite):
    for case in suite.failed:
        print("    failed: %s: %s (%s)" % (suite.name, case.name, suite.log))
        print_message(case)


def print_unsteady(suite):
    """Its failure is said too: it is not likely to be seen again."""
    for case in suite.unsteady:
        print("unsteady: %s: %s" % (suite.name, case.name))
        print_message(case)


def report_suite(suite):
    print_line(suite)
    print_failures(suite)
    print_unsteady(suite)


def durations(folder, found):
    """(seconds, name) of builds and suites, longest first."""
    builds = [(int(took.read_text()), "build " + took.stem) for took in folder.glob("*.took")]
    return sorted(builds + [(round(suite.record.get("seconds", 0)), suite.name) for suite in found], reverse=True)


def report(folder):
    found = suites(folder)
    for part in (print_line, print_failures, print_unsteady):
        for suite in found:
            part(suite)
    print("where the time went, in seconds: " + ", ".join("%s %d" % (name, seconds) for seconds, name in durations(folder, found)))
    cached = sum(len(suite.cached) for suite in found)
    if cached:
        print("cached: %d tests passed before, and nothing that they depend on has changed; PTYD_TEST_CACHE=0 runs them again" % cached)
    failed = sum(len(suite.failed) for suite in found) if found else 1
    print("%d passed, %d failed" % (sum(suite.passed for suite in found), failed))
    return 1 if failed else 0


def table(folder):
    for suite in suites(folder):
        for verdict, found in (("failed", suite.failed), ("unsteady", suite.unsteady)):
            for case in found:
                print(suite.name, verdict, case.name, sep="\t")


# --- checking ------------------------------------------------------------------------------------------------------------

GOOD = '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>'
MIXED = ('<testsuites><testsuite><testcase name="a"/><testcase name="b"><failure>why\nthen</failure></testcase>'
         '<testcase name="c"><skipped/></testcase></testsuite></testsuites>')
CTEST = ('<testsuite><testcase name="HangUp.X" classname="HangUp.X"><failure message=""/><system-out>Running main() from x\n'
         '[ RUN      ] HangUp.X\nx.cpp:3: Failure\nExpected: 1</system-out></testcase></testsuite>')
LEAK = MIXED.replace("why", "ERROR: LeakSanitizer: detected memory leaks")


def made(folder, name, xml, status, unsteady=None):
    record = pathlib.Path(folder) / (name + ".json")
    record.write_text(json.dumps({"status": status}))
    if xml is not None:
        record.with_suffix(".xml").write_text(xml)
    if unsteady is not None:
        record.with_suffix(".unsteady").write_text(unsteady)
    return Suite(record)


def names(found):
    return [case.name for case in found]


def test_counts():
    rows = [
        ("all pass", GOOD, 0, 2, []),
        ("failed and skipped", MIXED, 1, 1, ["b", "c"]),
        ("died after its tests", GOOD, 139, 2, ["the suite itself ended with status 139"]),
        ("died before", None, 1, 0, ["the suite itself ended with status 1"]),
        ("was not built", None, "not built", 0, ["the suite itself ended with status not built"]),
        ("at its limit, with a failure", MIXED, 124, 1, ["b", "c", "the suite itself ended with status 124"]),
        ("ran nothing", "<testsuite/>", 0, 0, ["the suite ran no test"]),
        ("an empty file", "", 0, 0, ["the suite ran no test"]),
        ("needs not run", None, "cached", 0, []),
        ("a test cut off", '<testsuite><testcase name="a"/><testcase name="b"><fail', 1, 1, ["b"]),
        ("the end cut off", MIXED[:-30], 1, 1, ["b", "c"]),
        ("control characters", MIXED.replace("why", "\x1b[1mwhy\x00"), 1, 1, ["b", "c"]),
        ("bad markup", MIXED.replace("why", "<why & >"), 1, 1, ["b", "c"]),
        ("a name with marks", '<testsuite><testcase name="x &amp; &quot;y&quot;"><failure/></testcase>', 1, 0, ['x & "y"']),
    ]
    for title, xml, status, passed, failed in rows:
        with tempfile.TemporaryDirectory() as folder:
            suite = made(folder, "x", xml, status)
            assert (suite.passed, names(suite.failed)) == (passed, failed), (title, suite.passed, suite.failed)


def test_again():
    rows = [
        ("a real process", "e2e", MIXED, 1, ["b"]),
        ("a table", "web", MIXED, 1, []),
        ("a leak", "e2e", LEAK, 1, []),
        ("the whole suite was cut", "e2e", MIXED, 124, []),
        ("a real process among tables", "unit", CTEST, 8, ["HangUp.X"]),
        ("a table among tables", "unit", CTEST.replace("HangUp", "Widths"), 8, []),
        ("everything at once", "e2e", "<t>" + MIXED[12:-13] * 11 + "</t>", 1, []),
    ]
    for title, name, xml, status, expected in rows:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name + ".processes").write_text("HangUp.X\nHangUp.Y\n")
            again = names(made(folder, name, xml, status).may_run_again())
            assert again == expected, (title, again)


def test_durations():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "debug.took").write_text("7\n")
        (folder / "e2e.json").write_text('{"status": 0, "seconds": 9.6}')
        (folder / "unit.json").write_text('{"status": "not built"}')
        assert durations(folder, suites(folder)) == [(10, "e2e"), (7, "build debug"), (0, "unit")]


def test_forgiving():
    with tempfile.TemporaryDirectory() as folder:
        suite = made(folder, "e2e", MIXED, 1, unsteady="b\n")
        assert (suite.passed, names(suite.failed), names(suite.unsteady)) == (2, ["c"], ["b"]), vars(suite)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            print_unsteady(suite)
        assert said.getvalue() == "unsteady: e2e: b\n        why\n        then\n", said.getvalue()


def test_alone():
    chosen = '<t><testcase name="a" file="f"/><testcase name="b" file="g"><skipped/></testcase></t>'
    rows = [("a", 0, True), ("a", 1, False), ("b", 0, False), ("f", 0, True), ("g", 0, False), ("c", 0, False)]
    for test, status, expected in rows:
        with tempfile.TemporaryDirectory() as folder:
            assert made(folder, "e2e", chosen, status).passed_alone(test) == expected, (test, status)


def test_messages():
    with tempfile.TemporaryDirectory() as folder:
        assert short(made(folder, "e2e", MIXED, 1).failed[0].message) == ["why", "then"]
        assert short(made(folder, "unit", CTEST, 8).failed[0].message) == ["x.cpp:3: Failure", "Expected: 1"]
        assert short(made(folder, "e2e", MIXED[:-60], 1).failed[0].message)[0] == "why"
    assert short("\n".join(map(str, range(20)))) == [str(n) for n in range(15)] + ["..."]


def self_test():
    for test in (test_counts, test_durations, test_again, test_forgiving, test_alone, test_messages):
        test()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--suite")
    parser.add_argument("--again")
    parser.add_argument("--alone")
    parser.add_argument("--test")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")
    if options.self_test:
        return self_test()
    suite = options.suite or options.again or options.alone
    if suite:
        suite = Suite(options.folder / (suite + ".json"))
    if options.suite:
        return report_suite(suite)
    if options.again:
        return sys.stdout.writelines("%s\t%s\n" % (case.name, case.file) for case in suite.may_run_again())
    if options.alone:
        return not suite.passed_alone(options.test)
    return table(options.folder) if options.table else report(options.folder)


if __name__ == "__main__":
    sys.exit(main())
