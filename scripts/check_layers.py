#!/usr/bin/env python3
"""Fails when an arrow of the house points the wrong way, or when one of its few bans is broken.

    check_layers.py [--junit FILE]      checks the tree this script stands in
    check_layers.py --self-test         checks the checks

Rooms and their allowed includes are in support/arrows.py; everything that grep can see is in BANS. A line that must break a ban says
why: `// layers: allow <ban>: <reason>`.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
from arrows import ARROWS  # noqa: E402

SOURCES = ("pty/", "protocol/", "server/")
CODE = (".cpp", ".hpp", ".c", ".h")
SCRIPTED = (".mjs", ".js", ".ts", ".tsx")

# name, pattern, which paths it is for, the reason
BANS = [
    ("detached", r"\bdetached\b", lambda p: p.startswith(SOURCES), "start coroutines with supervise(owner, task)"),
    ("mutex", r"\bstd::(recursive_|shared_|timed_)*mutex\b|\block_guard\b|\bunique_lock\b|\bscoped_lock\b",
     lambda p: p.startswith(SOURCES), "one thread per state: post to its loop"),
    ("vterm", r'#\s*include\s*[<"]vterm', lambda p: p.startswith(SOURCES) and not p.startswith("pty/screen/vterm/"),
     "libvterm stays behind pty/screen/vterm"),
    ("json", r'#\s*include\s*[<"]boost/json',
     lambda p: p.startswith(SOURCES) and not p.startswith(("protocol/", "server/net/", "server/cli/")),
     "JSON is for protocol, and where net and cli speak plain HTTP or files"),
    ("beast", r'#\s*include\s*[<"]boost/beast', lambda p: p.startswith(SOURCES) and not p.startswith("server/net/"),
     "Beast stays in server/net"),
    ("network", r'#\s*include\s*[<"](boost/asio/ip/|netinet/|arpa/)', lambda p: p.startswith(("pty/", "protocol/")),
     "pty and protocol know no network"),
    ("clock", r"\b(steady|system|high_resolution)_clock::now\b|boost/asio/\w*timer\.hpp|\bstd::time\(|\bclock_gettime\b",
     lambda p: p.startswith(("server/session/", "server/execute/", "server/net/access/", "server/net/websocket/", "server/loop/",
                             "tests/unit/server/session/", "tests/unit/server/execute/", "tests/unit/server/net/",
                             "tests/support/server/")),
     "what time it is, the loop's clock says: Loop::clock(), Loop::make_timer(), in tests a ManualClock"),
    ("running-clock", r'#\s*include\s*"server/net/(net_server|http/http_session|socket/(channel|listener))\.hpp"',
     lambda p: p.startswith(("tests/unit/server/", "tests/support/server/")), "its timers run by themselves: test it end to end"),
    ("awaitable-reference", r"awaitable<[^;{]*>\s+[\w:]+\s*\([^)]*&[^)]*\)", lambda p: p.startswith(SOURCES),
     "a coroutine takes values or shared_ptr: a reference outlives its call"),
    ("sleep", r"\bsleep_for\b|\bsleep_until\b|\bu?sleep\s*\(\s*\d|\bnanosleep\b|waitForTimeout|"
              r"setTimeout\([^;\n]*,\s*[\d_]{3,}\s*\)", lambda p: is_test(p), "wait for the event, with one deadline"),
    ("skipped-test", r"\bGTEST_SKIP\b|\bDISABLED_\w|\b(it|test|describe|suite)\.(skip|only|todo)\b", lambda p: is_test(p),
     "a test runs or is not there"),
]

# Written across lines: looked for in the whole text, reported at its first line.
MULTILINE = {"awaitable-reference"}

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
ROOMS_WITH_README = ("pty", "pty/process", "pty/text", "pty/journal", "pty/screen", "pty/shell", "protocol",
                     "protocol/json", "protocol/language", "protocol/acp", "protocol/mcp", "server",
                     "server/loop", "server/policy", "server/config", "server/execute", "server/session",
                     "server/session/recording", "server/session/child", "server/session/delivery",
                     "server/session/context", "server/session/agent", "server/session/routing", "server/net", "web",
                     "tests", "scripts", "scripts/deploy")


def is_test(path):
    return path.startswith("tests/") or bool(re.search(r"(^|/)(test|e2e)/|[._]test\.", path))


def allowed(ban, line):
    return ("layers: allow %s: " % ban) in line


def room_of(path):
    return next((r for r in ARROWS if path.startswith(r)), None)


def is_in(target, rooms):
    """Whether one of `rooms` holds it; a room in a room is another, but for those that may see the whole house."""
    return room_of(target) in rooms or (bool({"tests/", "server/"} & set(rooms)) and target.startswith(tuple(rooms)))


def wrong_arrows(path, text):
    room = room_of(path)
    if room is None:
        return
    rule = ARROWS[room]
    for number, line in enumerate(text.split("\n"), 1):
        found = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if not found or allowed("arrow", line):
            continue
        target = found.group(1)
        own = "/" not in target or room_of(target) == room
        if not own and target not in rule["only"] and not is_in(target, rule["rooms"]):
            yield "%s:%d: %s may not include %s" % (path, number, room, target)


def unit_of(path):
    """A header and its source are one unit; what only the sources of one see is in its `_impl`."""
    return path.rsplit(".", 1)[0].removesuffix("_impl")


def arrows_back(files):
    """Units that include each other, maybe by way of others: none of them can be read, or tried, without all."""
    arrows = {}
    for path, text in files.items():
        if path.startswith(SOURCES) and path.endswith(CODE):
            targets = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
            arrows.setdefault(unit_of(path), set()).update(unit_of(t) for t in targets if t in files)
    reached = {unit: from_there(arrows, unit) for unit in arrows}
    rings = {frozenset(u for u in reached[unit] if unit in reached.get(u, ())) for unit in arrows if unit in reached[unit]}
    for ring in sorted(sorted(ring) for ring in rings):
        yield "an arrow runs back between " + ", ".join(ring)


def from_there(arrows, unit):
    """All units that this one includes, itself only if an arrow runs back."""
    seen, ahead = set(), arrows[unit] - {unit}
    while ahead:
        seen |= ahead
        ahead = {u for a in ahead for u in arrows.get(a, ()) if u != a} - seen
    return seen


def broken_bans(path, text):
    lines = text.split("\n")
    for name, pattern, where, reason in BANS:
        if not where(path):
            continue
        if name in MULTILINE:
            numbers = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(pattern, text)]
        else:
            numbers = [n for n, line in enumerate(lines, 1) if re.search(pattern, line)]
        for n in numbers:
            if not allowed(name, lines[n - 1]):
                yield "%s:%d: %s (%s): %s" % (path, n, name, reason, lines[n - 1].strip()[:80])


def long_file(path, text):
    lines = text.count("\n")
    if path.startswith(SOURCES + ("web/", "tests/", "scripts/")) and lines > MAX_FILE_LINES:
        yield "%s: %d lines, more than %d" % (path, lines, MAX_FILE_LINES)


def per_file(path, text):
    if path.endswith(CODE):
        yield from wrong_arrows(path, text)
    if path.endswith(CODE + SCRIPTED):
        yield from broken_bans(path, text)
    if path.endswith(CODE + SCRIPTED + (".py", ".sh")):
        yield from long_file(path, text)


def websocket_streams(files):
    """Each type of WebSocket stream costs 15 to 60 s of compile time, in every file that names one. Benchmarks are not built
    by the tests."""
    users = [p for p, text in files.items()
             if p.endswith(".cpp") and not p.startswith("tests/bench/") and re.search(r"websocket::stream\s*<", text)]
    if len(users) > 1:
        yield "websocket::stream in more than one .cpp: " + ", ".join(sorted(users))


def missing_readmes(files):
    for room in ROOMS_WITH_README:
        if any(p.startswith(room + "/") for p in files) and room + "/README.md" not in files:
            yield "%s/: no README.md" % room


def long_functions(root, files):
    names = [p for p in files if p.endswith(CODE) and not p.startswith("tests/")]
    if not names or not shutil.which("ctags"):
        return
    out = subprocess.run(["ctags", "-x", "--_xformat=%{line} %{end} %F %N", "--kinds-C++=f", "--kinds-C=f", "--fields=+ne",
                          *names], cwd=root, capture_output=True, text=True).stdout
    for line in out.split("\n"):
        part = line.split(" ")
        if len(part) < 4 or not (part[0].isdigit() and part[1].isdigit()):
            continue
        length = int(part[1]) - int(part[0]) + 1
        if length > MAX_FUNCTION_LINES:
            yield "%s:%s: %s has %d lines, more than %d" % (part[2], part[0], part[3], length, MAX_FUNCTION_LINES)


def types_of(root, names):
    """(name with its scope, file) of every class, struct, enum and alias that others could see. `<...>` of a specialization is
    part of its name: each is a type of its own."""
    out = subprocess.run(["ctags", "-x", "--_xformat=%{scope}::%N%{C++.specialization}\t%F", "--kinds-C++=csgut",
                          "--language-force=C++", "--fields=+s", "--fields-C++=+{specialization}", *names],
                         cwd=root, capture_output=True, text=True).stdout
    return {tuple(line.split("\t")) for line in out.split("\n") if line.startswith("ptyd::") and "__anon" not in line}


def doubled_types(root, files):
    """Two types of one name are one type to the linker, and a file that sees both takes one for the other."""
    names = [p for p in files if p.endswith(CODE) and p.startswith(SOURCES)]
    if not names or not shutil.which("ctags"):
        return
    places = {}
    for name, path in types_of(root, names):
        places.setdefault(name, set()).add(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield "%s is in %s" % (name, " and in ".join(sorted(paths)))


def tree(root):
    """path -> text of every file that is or could be committed."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, capture_output=True, text=True,
                            check=True).stdout.split("\0")
    wanted = CODE + SCRIPTED + (".py", ".sh", "README.md")
    return {p: (root / p).read_text(errors="replace") for p in listed if p.endswith(wanted) and (root / p).is_file()}


def checks(root):
    """(name of the check, its findings)"""
    files = tree(root)
    own = {p: t for p, t in files.items() if p != "scripts/check_layers.py"}
    yield "arrows", [f for p, t in own.items() if p.endswith(CODE) for f in wrong_arrows(p, t)]
    yield "no arrow runs back", list(arrows_back(own))
    found = [f for p, t in own.items() if p.endswith(CODE + SCRIPTED) for f in broken_bans(p, t)]
    for name, *_ in BANS:
        yield "ban " + name, [f for f in found if ": %s (" % name in f]
    yield "one file with a WebSocket stream", list(websocket_streams(own))
    written = {p: t for p, t in own.items() if ".gen." not in p}  # not by a generator
    yield "file length", [f for p, t in written.items() if p.endswith(CODE + SCRIPTED + (".py", ".sh")) for f in long_file(p, t)]
    yield "function length", list(long_functions(root, own))
    yield "two types of one name", list(doubled_types(root, own))
    yield "a README in every room", list(missing_readmes(files))


def write_types(folder):
    """Files in which one name is two types of everybody's, and others that may be."""
    files = {"pty/a.hpp": "namespace ptyd {\nstruct Place {};\nclass Later;\nstruct A { struct Part {}; };\n"
                         "template <>\nstruct Of<A> {};\ntemplate <>\nstruct Of<int> {};\n}\n",
             "pty/b.hpp": "namespace ptyd {\nenum class Place { here };\nclass Later {};\nstruct B { struct Part {}; };\n"
                         "template <>\nstruct Of<B> {};\ntemplate <>\nstruct Of<int> {};\n}\n",
             "pty/c.cpp": "namespace ptyd {\nnamespace {\nstruct Place {};\n}\n}\n"}
    (folder / "pty").mkdir()
    for path, text in files.items():
        (folder / path).write_text(text)
    return files


def self_test():
    table = [
        ("pty/x.cpp", '#include "pty/types.hpp"\n', 0),
        ("pty/x.cpp", '#include "pty/text/utf8.hpp"\n', 1),
        ("pty/process/x.cpp", '#include "pty/types.hpp"\n', 0),
        ("pty/process/x.cpp", '#include "pty/text/utf8.hpp"\n', 1),
        ("pty/process/x.cpp", '#include "protocol/messages.hpp"\n', 1),
        ("pty/process/x.cpp", '#include "server/loop/loops.hpp"\n', 1),
        ("pty/text/x.cpp", "#include <boost/json.hpp>\n", 1),
        ("pty/process/x.cpp", "#include <boost/asio/ip/tcp.hpp>\n", 1),
        ("pty/journal/x.cpp", '#include "pty/text/scanner.hpp"\n', 0),
        ("pty/journal/x.cpp", '#include "pty/screen/screen.hpp"\n', 1),
        ("pty/shell/x.cpp", '#include "pty/text/scanner.hpp"\n', 0),
        ("pty/shell/x.cpp", '#include "pty/process/pty.hpp"\n', 1),
        ("server/execute/x.cpp", '#include "pty/shell/integration.hpp"\n#include "server/loop/clock.hpp"\n', 0),
        ("server/execute/x.cpp", '#include "server/session/session.hpp"\n', 1),
        ("pty/screen/x.cpp", '#include "pty/screen/grid/grid.hpp"\n#include "pty/screen/native/native.hpp"\n', 0),
        ("pty/screen/x.cpp", '#include "pty/screen/serialize/snapshot.hpp"\n', 1),
        ("pty/screen/native/x.cpp", '#include "pty/screen/emulator.hpp"\n', 0),
        ("pty/screen/native/x.cpp", '#include "pty/screen/vterm/vterm.hpp"\n', 1),
        ("pty/screen/grid/x.cpp", '#include "pty/screen/emulator.hpp"\n', 1),
        ("protocol/x.cpp", '#include "pty/types.hpp"\n#include <boost/json.hpp>\n', 0),
        ("protocol/x.cpp", '#include "pty/journal/journal.hpp"\n', 1),
        ("protocol/x.cpp", '#include "server/policy/policy.hpp"\n', 1),
        ("protocol/x.cpp", '#include "protocol/acp/acp_live.hpp"\n', 1),
        ("protocol/json/x.cpp", '#include "protocol/messages.hpp"\n', 1),
        ("protocol/mcp/x.cpp", '#include "protocol/messages.hpp"\n#include "protocol/json/schema.hpp"\n', 0),
        ("server/session/x.cpp", '#include "pty/journal/journal.hpp"\n#include "protocol/messages.hpp"\n', 0),
        ("server/session/x.cpp", '#include "pty/screen/native/native.hpp"\n', 1),
        ("server/session/delivery/x.cpp", '#include "server/session/recording/mark_payload.hpp"\n', 0),
        ("server/session/recording/x.cpp", '#include "server/session/delivery/viewer.hpp"\n', 1),
        ("server/session/x.cpp", '#include "server/session/routing/router.hpp"\n', 1),
        ("server/session/x.cpp", '#include "protocol/language/dialect.hpp"\n', 1),
        ("server/session/x.cpp", '#include "server/policy/policy.hpp"\n', 1),
        ("server/session/x.cpp", '#include "server/net/websocket/peer.hpp"\n', 1),
        ("server/session/x.cpp", "#include <boost/beast/core.hpp>\n", 1),
        ("server/net/websocket/x.cpp", '#include "protocol/language/languages.hpp"\n#include <boost/beast.hpp>\n', 0),
        ("server/net/websocket/x.cpp", '#include "protocol/rows.hpp"\n', 1),
        ("server/net/websocket/x.cpp", '#include "server/session/session.hpp"\n', 1),
        ("server/net/access/x.cpp", '#include "server/net/http/routes.hpp"\n', 1),
        ("server/net/http/x.cpp", '#include "pty/process/unix_pty.hpp"\n', 1),
        ("server/net/http/x.cpp", '#include "server/net/net_server.hpp"\n', 1),
        ("server/app.cpp", '#include "server/net/net_server.hpp"\n#include "pty/process/pty.hpp"\n', 0),
        ("server/session/x.cpp", "auto now = std::chrono::steady_clock::now();\n", 1),
        ("server/session/x.cpp", "#include <boost/asio/steady_timer.hpp>\n", 1),
        ("server/loop/x.cpp", "auto now = std::chrono::steady_clock::now();\n", 1),
        ("server/machine_clock.cpp", "return std::chrono::steady_clock::now();\n", 0),
        ("tests/unit/server/session/x_test.cpp", "auto now = std::chrono::system_clock::now();\n", 1),
        ("server/x.cpp", "co_spawn(a, b, asio::detached);\n", 1),
        ("server/x.cpp", "std::mutex m;\n", 1),
        ("server/x.cpp", "std::mutex m;  // layers: allow mutex: the helper thread\n", 0),
        ("server/x.cpp", "asio::awaitable<void> run(std::string& text);\n", 1),
        ("server/x.cpp", "asio::awaitable<Result<int>> run(int a,\n    const std::string& text);\n", 1),
        ("server/x.cpp", "asio::awaitable<void> run(std::string text);\nvoid f(int& a);\n", 0),
        ("pty/screen/vterm/x.cpp", "#include <vterm.h>\n", 0),
        ("pty/screen/x.cpp", "#include <vterm.h>\n", 1),
        ("tests/e2e/x.test.mjs", "setTimeout(f, 500)\n", 1),
        ("tests/e2e/x.test.mjs", "setTimeout(f, 10)\n", 0),
        ("web/test/x.ts", "await page.waitForTimeout(5)\n", 1),
        ("web/app/x.ts", "setTimeout(f, 5000)\n", 0),
        ("tests/unit/pty/text/x.cpp", "std::this_thread::sleep_for(1s);\n", 1),
        ("tests/unit/pty/text/x.cpp", "TEST(A, DISABLED_b) {}\n", 1),
        ("pty/x.cpp", "\n" * 401, 1),
        ("pty/x.cpp", "\n" * 400, 0),
    ]
    for path, text, expected in table:
        found = list(per_file(path, text))
        assert len(found) == expected, (path, text[:80], found)
    two = {"server/net/a.cpp": "websocket::stream<X> s;", "server/net/b.cpp": "websocket::stream <X> s;"}
    assert len(list(websocket_streams(two))) == 1
    ring = {"pty/a.hpp": "", "pty/a.cpp": '#include "pty/a.hpp"\n#include "pty/b.hpp"\n', "pty/a_impl.hpp": '#include "pty/a.hpp"\n',
            "pty/b.hpp": '#include "pty/c.hpp"\n', "pty/c.hpp": ""}
    assert not list(arrows_back(ring))
    ring["pty/c.cpp"] = '#include "pty/a.hpp"\n'
    assert list(arrows_back(ring)) == ["an arrow runs back between pty/a, pty/b, pty/c"]
    assert list(missing_readmes({"pty/a.cpp": ""})) == ["pty/: no README.md"]
    with tempfile.TemporaryDirectory() as folder:
        long = "void f() {\n" + "  g();\n" * 60 + "}\n"
        (pathlib.Path(folder) / "a.cpp").write_text(long)
        if shutil.which("ctags"):
            assert len(list(long_functions(folder, {"a.cpp": long}))) == 1
            assert sorted(doubled_types(folder, write_types(pathlib.Path(folder)))) == [
                "ptyd::Of<int> is in pty/a.hpp and in pty/b.hpp", "ptyd::Place is in pty/a.hpp and in pty/b.hpp"]


def write_junit(path, results):
    with open(path, "w") as out:
        out.write("<testsuite>\n")
        for name, found in results:
            out.write("<testcase name=%s>%s</testcase>\n" % (quoteattr("layers: " + name), "<failure/>" if found else ""))
        out.write("</testsuite>\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--junit")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    results = list(checks(pathlib.Path(__file__).resolve().parent.parent))
    for name, found in results:
        for line in found:
            print("%s: %s" % (name, line))
    if arguments.junit:
        write_junit(arguments.junit, results)
    return 1 if any(found for _, found in results) else 0


if __name__ == "__main__":
    sys.exit(main())
