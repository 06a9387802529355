#!/usr/bin/env python3
"""Keeps the parts of suites that have passed, so that a part that nothing has changed for is not run again.

    test_cache.py plan SUITE FOLDER < PARTS     writes FOLDER/SUITE.cached, the tests that need not run, and FOLDER/SUITE.parts,
                                                the parts that must; prints the latter
    test_cache.py keep SUITE FOLDER             keeps what has passed of FOLDER/SUITE.parts, by the suite's results in FOLDER
    test_cache.py --self-test

A part is a file of tests, or a binary of unit tests. Its key is a digest of all that its result may depend on: the programs
that it runs, byte for byte; every file of the checkout that is not compiled into these, but for the tests of other parts and
the folders that the suite's row names; the user and the machine, the versions of the system's packages and of the kernel, and
the programs that are called from outside of these; and the variables that change how tests run, but for PATH: each program of packages.sh is looked up there. A document counts for a part
whose files, its own and those that its suite shares, name one, and any file whose path stands in them as a text.

build/test_cache/SUITE/ holds one JSON file per part, of the latest time that it passed. PTYD_TEST_CACHE=0 runs everything. So does
a checkout without git, since nothing then tells what belongs to it. A part that was unsteady, a suite that was cut and one that
left processes behind, failed without naming a test or got a sanitizer's report keep nothing, nor does a part of which something
has changed meanwhile.
"""
import argparse
import collections
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import results

FORMAT = "2"  # changes when a key means something else
VARIABLES = re.compile(r"PTYD_(?!PARTS$|SUITE|UNITS$)|(A|L|T|UB)SAN_OPTIONS$|LD_|GTEST_|(CHROMIUM|CC|HOME|TMPDIR|TZ|NODE_OPTIONS)$")
COMPILED = re.compile(r"(pty|protocol|server|tests/(unit|support|fuzz|bench|screens/tool))/.*\.[ch]pp$|(.*/)?CMake(Lists\.txt|Presets\.json)$")
TESTS = re.compile(r".*(\.test\.(mjs|ts)|_test\.cpp)$")
DOCUMENT = re.compile(r".*\.md$")
NAMES_DOCUMENT = re.compile(r"\.md['\"`]")
INCLUDE = re.compile(r"^#include .*$", re.M)
NAMED = re.compile(r"""['"`/](?:\.\./)*/?([\w.-][\w./-]*\.\w+)['"`]""")

# Per suite: the programs beside the part, as patterns of files, and a pattern of the tracked files that it never opens.
Row = collections.namedtuple("Row", "programs ignores")
HARNESS = "cpp|engine|junit_reporter|podman|processes|results|run_files|run_suite|run_units|surroundings|watch"
NEVER = r"\.|Dockerfile|web/pictures/|scripts/(?!deploy/|support/(%s)\b)" % HARNESS
UNIT = NEVER + r"|web/|tests/(e2e|bench|container)/"
END_TO_END = NEVER + r"|web/(app|client|e2e)/|tests/(unit|fuzz|screens|container|transcripts)/"
ROWS = {
    "unit": Row((), UNIT),
    "tsan": Row((), UNIT),
    "e2e": Row(("build/release/ptyd",), END_TO_END),
    "e2e-asan": Row(("build/debug/ptyd",), END_TO_END),
    "e2e-tsan": Row(("build/tsan/ptyd",), END_TO_END),
    "screens": Row(("build/debug/tests/screen_probe", "build/debug/tests/pty_run"),
                   NEVER + r"|web/(client|e2e)/|tests/(unit|fuzz|bench|container|transcripts)/"),
    "browser": Row(("build/release/ptyd", "web/dist/**/*"), NEVER + r"|tests/(unit|fuzz|screens|bench|container|transcripts)/"),
    "container": Row(("build/container/image.stamp", "build/container/image.id"), NEVER + r"|web/|tests/(unit|fuzz|screens|bench|transcripts)/"),
}


# Files that the parts of a folder share, beside those of the checkout that all of them do.
SHARED = (("tests/e2e/", "tests/e2e/support/"), ("tests/container/", "tests/e2e/support/"), ("tests/screens/", "tests/screens/"), ("web/", "web/e2e/"), ("", "tests/support/"))
NEED = re.compile(r"[(\s]([\w+-]+):[\w+-]+(?=[\s)])")  # in packages.sh, `command:package`


# --- keys -----------------------------------------------------------------------------------------------------------------

def output(*command):
    """What a command prints; nothing where there is no such command."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    except OSError:
        return b""


def digest_of(path):
    """A link counts as what it points to; what is gone, as nothing. Whether it may be run counts too."""
    try:
        return hashlib.blake2b(path.read_bytes()).hexdigest() + ("x" if os.access(path, os.X_OK) else "")
    except OSError:
        return "-"


def tracked(root):
    """Every file that belongs to the checkout; also a new one. None where git cannot tell."""
    listed = output("git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z").decode(errors="surrogateescape")
    return sorted(set(filter(None, listed.split("\0"))))


def program(name):
    """Where a command is, and of what size and time: what was put in its place is another one."""
    place = shutil.which(name)
    if not place:
        return name + " -"
    found = os.stat(place)
    return "%s %s %d %d" % (name, os.path.realpath(place), found.st_size, found.st_mtime_ns)


def has_loopback_v6():
    """Whether ::1 is an address here. Other addresses come and go with containers."""
    try:
        return any(line.startswith("0" * 31 + "1 ") for line in open("/proc/net/if_inet6"))
    except OSError:
        return False


def machine(needs):
    """The user, the machine as far as tests see it, the system's packages, the kernel, and the commands of `needs`."""
    about = [os.geteuid(), os.cpu_count(), resource.getrlimit(resource.RLIMIT_NOFILE)[1], os.path.exists("/dev/fuse"),
             has_loopback_v6(), digest_of(pathlib.Path("/proc/sys/user/max_user_namespaces"))]
    commands = (("dpkg-query", "-W", "-f", "${Package} ${Version}\n"), ("uname", "-r"), ("node", "--version"), ("npm", "--version"))
    called = sorted({*NEED.findall(needs), "node", "npm", os.environ.get("CHROMIUM", "chromium")})
    return [str(each) for each in about] + [hashlib.blake2b(output(*command)).hexdigest() for command in commands] + [
        program(name) for name in called]


def variables():
    return sorted("%s=%s" % pair for pair in os.environ.items() if VARIABLES.match(pair[0]))


class Checkout:
    """What keys are made of; each file is read once."""

    def __init__(self, root):
        self.root = root
        self.tracked = tracked(root)
        self.common = [FORMAT, *machine(self.text("scripts/support/packages.sh")), *variables()]
        self.digest = functools.lru_cache(None)(lambda file: digest_of(root / file))

    def own_files(self, part):
        """The sources of a part's tests."""
        if "/" in part:
            return [part]
        room = re.compile(r"tests/unit/(\w+/)*%s/" % re.escape(part.removeprefix("ptyd_").removesuffix("_tests")))
        return [file for file in self.tracked if room.match(file)]

    def text(self, file):
        try:
            return (self.root / file).read_text(errors="replace")
        except OSError:
            return ""

    @functools.lru_cache(None)
    def shared_files(self, part):
        folder = next(shared for parts, shared in SHARED if part.startswith(parts))
        return [file for file in self.tracked if file.startswith(folder) and not TESTS.match(file) and file.endswith((".mjs", ".ts", ".cpp", ".hpp"))]

    @functools.lru_cache(None)
    def texts(self, part):
        """What is included is compiled in."""
        return [INCLUDE.sub("", self.text(file)) for file in [*self.own_files(part), *self.shared_files(part)]]

    def named(self, part):
        """Files of the checkout whose path from its root stands in the part's files as a text."""
        found = {path for text in self.texts(part) for path in NAMED.findall(text)}
        return found & set(self.tracked)

    def counts(self, suite, part):
        """The files that the part's result may depend on."""
        ignored, named = re.compile(ROWS[suite].ignores), self.named(part)
        documents = any(NAMES_DOCUMENT.search(text) for text in self.texts(part))
        for file in self.tracked:
            other = COMPILED.match(file) or TESTS.match(file) or ignored.match(file)
            if file == part or file in named or not (other or (DOCUMENT.match(file) and not documents)):
                yield file

    def programs(self, suite, part):
        """The part's own binary where it is one, with how it is run, and those of the row."""
        build = {"unit": "build/debug/tests", "tsan": "build/tsan/tests"}.get(suite)
        found = [self.root / build / name for name in (part, "units.tsv")] if build else []
        for pattern in ROWS[suite].programs:
            found += sorted(path for path in self.root.glob(pattern) if path.is_file())
        return [str(path.relative_to(self.root)) for path in found]

    def key(self, suite, part):
        lines = [suite, part, *self.common]
        lines += ["%s %s" % (self.digest(file), file) for file in [*self.programs(suite, part), *self.counts(suite, part)]]
        return hashlib.blake2b("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


# --- what has passed ------------------------------------------------------------------------------------------------------

def entry(root, suite, part):
    return root / "build" / "test_cache" / suite / (part.replace("/", ":") + ".json")


def passed_before(root, suite, part, key):
    """The names of the tests that passed; None where the part has to run."""
    try:
        kept = json.loads(entry(root, suite, part).read_text())
        return kept["tests"] if kept["key"] == key else None
    except (OSError, ValueError, KeyError):
        return None


def plan(root, suite, folder, parts):
    """The parts that have to run."""
    checkout, cached, stale = Checkout(root), [], []
    if os.environ.get("PTYD_TEST_CACHE") == "0" or not checkout.tracked:
        return parts
    for part in parts:
        key = checkout.key(suite, part)
        tests = passed_before(root, suite, part, key)
        if tests is None:
            stale.append((key, part))
        else:
            cached += tests
    (folder / (suite + ".cached")).write_text("".join(test + "\n" for test in cached))
    (folder / (suite + ".parts")).write_text("".join("%s\t%s\n" % line for line in stale))
    return [part for _, part in stale]


def is_of(case, part):
    """Vitest names files from the folder that it runs in."""
    return case.file == part or bool(case.file) and part.endswith("/" + case.file)


def keep(root, suite, folder):
    try:
        lines = (folder / (suite + ".parts")).read_text().splitlines()
    except OSError:
        return
    found = results.Suite(folder / (suite + ".json"))
    if not found.may_be_kept():
        return
    bad = found.failed + found.unsteady
    if any(not case.file for case in bad):
        return  # the suite itself
    checkout = Checkout(root)
    for key, part in (line.split("\t") for line in lines):
        cases = [case for case in found.cases if is_of(case, part)]
        if cases and not any(case in bad for case in cases) and checkout.key(suite, part) == key:
            tests = [case.name for case in cases]
            place = entry(root, suite, part)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps({"key": key, "tests": tests}))


# --- checking -------------------------------------------------------------------------------------------------------------

PART, OTHER = "tests/e2e/a.test.mjs", "tests/e2e/b.test.mjs"
FILES = {PART: "test()", OTHER: "read('README.md') + read('../../web/app/src/named.ts')", "web/app/src/named.ts": "1",
         "web/app/src/shared.ts": "1", "README.md": "1", "web/app/src/x.ts": "1", "server/a.cpp": "1", "LICENSE": "1",
         "scripts/support/run_suite": "1", "scripts/support/packages.sh": "needs=(x-y:z tool:tools)", "scripts/run": "1",
         "tests/e2e/support/x.mjs": "read('web/app/src/shared.ts')", "build/release/ptyd": "binary"}


def made(folder):
    root = pathlib.Path(folder)
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    output("git", "-C", folder, "init", "-q")
    (root / ".gitignore").write_text("build\n")
    results_folder = root / "build" / "test"
    results_folder.mkdir(parents=True)
    return root, results_folder


def run_once(root, folder, record='{"status": 0}', bad="", meanwhile=""):
    """One run, as scripts/test does it; the parts that ran."""
    for old in folder.iterdir():
        old.unlink()
    stale = plan(root, "e2e", folder, [PART, OTHER])
    cases = "".join('<testcase name="of %s" file="%s">%s</testcase>' % (part, part, "<failure/>" if part == bad else "") for part in stale)
    (folder / "e2e.xml").write_text("<t>%s</t>" % cases)
    (folder / "e2e.json").write_text(record)
    if meanwhile:
        (root / meanwhile).write_text("2")
    keep(root, "e2e", folder)
    return stale


def test_what_runs_again():
    both = [PART, OTHER]
    rows = [
        ("nothing", "", []),
        ("a source that is compiled", "server/a.cpp", []),
        ("the page", "web/app/src/x.ts", []),
        ("its own file", PART, [PART]),
        ("what tests share", "tests/e2e/support/x.mjs", both),
        ("a script that no test runs", "scripts/run", []),
        ("how tests are run", "scripts/support/run_suite", both),
        ("a new file", "tests/e2e/support/new.mjs", both),
        ("the program", "build/release/ptyd", both),
        ("a document, for what reads one", "README.md", [OTHER]),
        ("a source that a test names", "web/app/src/named.ts", [OTHER]),
        ("a source that what tests share names", "web/app/src/shared.ts", both),
        ("a file that is copied", "LICENSE", both),
    ]
    for title, changed, expected in rows:
        with tempfile.TemporaryDirectory() as place:
            root, folder = made(place)
            assert run_once(root, folder) == both, title
            if changed:
                (root / changed).write_text("2")
            assert run_once(root, folder) == expected, title
            assert run_once(root, folder) == [], title
            assert len(results.Suite(folder / "e2e.json").cached) == 2, title


def test_what_is_not_kept():
    rows = [
        ("a failure", {"record": '{"status": 1}', "bad": PART}, [PART]),
        ("a run that was cut", {"record": '{"status": "cut"}'}, [PART, OTHER]),
        ("a run at its limit", {"record": '{"status": 124}'}, [PART, OTHER]),
        ("a failure without a name", {"record": '{"status": 1}'}, [PART, OTHER]),
        ("what was changed meanwhile", {"meanwhile": "tests/e2e/support/x.mjs"}, [PART, OTHER]),
        ("what left processes", {"record": '{"status": 0, "left": ["sleep 9"]}'}, [PART, OTHER]),
    ]
    for title, how, expected in rows:
        with tempfile.TemporaryDirectory() as place:
            root, folder = made(place)
            run_once(root, folder, **how)
            assert run_once(root, folder) == expected, title


def test_what_is_named():
    text = 'a("web/app/x.ts") b(new URL("../../README.md", here)) c(root + "/server/a.cpp") d("CMakeLists.txt") e("none")'
    assert NAMED.findall(text) == ["web/app/x.ts", "README.md", "server/a.cpp", "CMakeLists.txt"], NAMED.findall(text)


def test_the_environment():
    for name in ("UBSAN_OPTIONS", "NODE_OPTIONS", "LD_PRELOAD", "PTYD_TEST_SCALE"):
        assert VARIABLES.match(name), name
    for name in ("PTYD_PARTS", "PTYD_SUITE_LIMIT", "SHLVL", "PWD", "PATH"):
        assert not VARIABLES.match(name), name
    assert NEED.findall(FILES["scripts/support/packages.sh"]) == ["x-y", "tool"]
    with tempfile.TemporaryDirectory() as place:
        root, folder = made(place)
        tool = root / "build" / "tool"
        tool.write_text("1")
        tool.chmod(0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = "%s:%s" % (tool.parent, path)
        run_once(root, folder)
        assert run_once(root, folder) == []
        tool.write_text("another")
        assert run_once(root, folder) == [PART, OTHER]
        os.environ["PATH"] = path


def test_running_everything():
    with tempfile.TemporaryDirectory() as place:
        root, folder = made(place)
        run_once(root, folder)
        os.environ["PTYD_TEST_CACHE"] = "0"
        assert run_once(root, folder) == [PART, OTHER]
        del os.environ["PTYD_TEST_CACHE"]


def self_test():
    os.environ.pop("PTYD_TEST_CACHE", None)
    test_what_is_named()
    test_the_environment()
    test_running_everything()
    test_what_runs_again()
    test_what_is_not_kept()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("plan", "keep"))
    parser.add_argument("suite", nargs="?")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    root = pathlib.Path(__file__).resolve().parents[2]
    if options.what == "keep":
        return keep(root, options.suite, options.folder)
    parts = sys.stdin.read().split()
    return print("\n".join(plan(root, options.suite, options.folder, parts)))


if __name__ == "__main__":
    sys.exit(main())
