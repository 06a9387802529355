"""The programs that scripts/bench runs: the probes of tests/bench, scan_bench, and an instrument; results as rows."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CEILING = "relay-ceiling"
OURS = "ours"

# Each a file of tests/bench, which prints one line of JSON a round.
PROBES = ("acp-create", "acp-output", "attach", "clock", "ctrl-c", "execute", "mcp-call", "opens", "quiet")
SCREEN = "screen"

# Recorded programs; tests/screens says how.
RECORDED = "vim,htop,less,tmux,mc,nano"

# A probe that has come to a halt is ended: s.
PROBE_LIMIT = 900


def note(problem):
    print(problem, file=sys.stderr)


def instrument_folder():
    """The folder that BENCH_DIR names, or none: it measures any terminal server, and is no part of this repository."""
    folder = os.environ.get("BENCH_DIR")
    return pathlib.Path(folder) if folder else None


class Instrument:
    """The programs of BENCH_DIR, built into build/instrument, and their data."""

    def __init__(self, data):
        self.folder = instrument_folder()
        if not (self.folder / "run.py").exists():
            sys.exit("BENCH_DIR is %s, and there is no run.py in it." % self.folder)
        self.build, self.data = ROOT / "build/instrument", data
        for command in (["cmake", "-S", self.folder, "-B", self.build, "-G", "Ninja"], ["cmake", "--build", self.build]):
            subprocess.run(command, check=True, stdout=sys.stderr)
        # Once: results compare only within one set of data.
        if not all((data / name).exists() for name in ("log.txt", "log20.txt", "unicode.txt")):
            subprocess.run([sys.executable, self.folder / "make_data.py", data], check=True, stdout=sys.stderr)

    def measure(self, binary, scenarios, rounds):
        """Rows of each scenario, round by round: the ceiling's and ours."""
        with tempfile.TemporaryDirectory(prefix="ptyd-bench-") as state:
            ours = "%s serve --listen 127.0.0.1:{port} --auth none --shell {prog} --state-dir %s/state-{port}" % (binary.resolve(), state)
            environment = dict(os.environ, BENCH_OURS=ours, BENCH_RELAY_ceiling="mode=fast threads=2 frame=16384")
            found = pathlib.Path(state) / "rows"
            subprocess.run([sys.executable, self.folder / "run.py", "--build", self.build, "--data", self.data, "--rounds", str(rounds),
                            "--servers", CEILING + "," + OURS, "--scenarios", ",".join(scenarios), "--out", found],
                           check=True, env=environment)
            return [json.loads(line) for line in found.read_text().splitlines()]


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
    build = ROOT / "build/bench"
    for command in (["cmake", "--preset", "bench"], ["cmake", "--build", "--preset", "bench"]):
        subprocess.run(command, check=True, stdout=sys.stderr, cwd=ROOT)
    if not list(recordings.glob("*.bin")):
        tools = {"PTYD_PROBE": "%s/tests/" % build}
        subprocess.run([shutil.which("node"), ROOT / "tests/bench/record.mjs", recordings, RECORDED], check=True, stdout=sys.stderr,
                       env=dict(os.environ, **tools))
    files = sorted(recordings.glob("*.bin"))
    return rounds_of(SCREEN, [build / "tests/scan_bench", "bars", *files], rounds, {})
