"""The programs of tests/bench that print one line of JSON a round, as rows: the probes (a .mjs each) and scan_bench."""
import json
import os
import shutil
import subprocess
import sys

from instrument import BUILD, OURS, ROOT, build

SCREEN = "screen"

# Recorded programs; tests/screens says how.
RECORDED = "vim,htop,less,tmux,mc,nano"

# A probe that has come to a halt is ended: s.
PROBE_LIMIT = 900


def note(problem):
    print(problem, file=sys.stderr)


def rounds_of(scenario, command, rounds, environment):
    """Rows of a program that prints one line of JSON; a round that failed is said, and gives none."""
    rows = []
    for _ in range(rounds):
        try:
            run = subprocess.run(command, env=dict(os.environ, **environment), stdout=subprocess.PIPE, text=True, timeout=PROBE_LIMIT)
            rows.append({"scenario": scenario, "name": OURS, **json.loads(run.stdout)})
        except (subprocess.TimeoutExpired, json.JSONDecodeError) as problem:
            note("%s: %s" % (scenario, problem))
    return rows


def probe(scenario, binary, rounds):
    if not (ROOT / "tests/e2e/node_modules/ws").exists():
        sys.exit("The probes need what the end-to-end tests do: (cd tests/e2e && npm ci).")
    return rounds_of(scenario, [shutil.which("node"), ROOT / "tests/bench" / (scenario + ".mjs")], rounds, {"PTYD_BIN": str(binary.resolve())})


def screen(rounds, recordings):
    """Scanner and Screen alone: scan_bench of the preset `bench`, which is the release with the tests' targets."""
    build()
    if not list(recordings.glob("*.bin")):
        tools = {"PTYD_PROBE": "%s/tests/" % BUILD}
        subprocess.run([shutil.which("node"), ROOT / "tests/bench/record.mjs", recordings, RECORDED], check=True, stdout=sys.stderr,
                       env=dict(os.environ, **tools))
    files = sorted(recordings.glob("*.bin"))
    return rounds_of(SCREEN, [BUILD / "tests/scan_bench", "bars", *files], rounds, {})
