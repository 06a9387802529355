"""The instrument of tests/bench: a fresh server a scenario, with bench_program as its shell, measured by bench_client."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import bench_data

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/bench"
PROGRAMS = BUILD / "tests"
CEILING = "relay"
OURS = "ours"

# Seconds until a server listens, and until a scenario that has come to a halt is ended.
START_LIMIT = 10
RUN_LIMIT = 420


def scenarios(data):
    """Name -> arguments of bench_client."""
    log, small, unicode = data / "log.txt", data / "log20.txt", data / "unicode.txt"
    return {
        "bulk-log": ["throughput", "--file", log],
        "bulk-unicode": ["throughput", "--file", unicode],
        "many-8": ["throughput", "--sessions", "8", "--file", small],
        "echo": ["latency"],
        "echo-flood": ["latency", "--floods", "--keys", "1000"],
        "spawn-1": ["spawn", "--sessions", "200"],
        "spawn-8": ["spawn", "--sessions", "200", "--at-once", "8"],
        "idle-100": ["idle", "--sessions", "100"],
        "idle-500": ["idle", "--sessions", "500"],
        "slow": ["slow"],
    }


SCENARIOS = tuple(scenarios(pathlib.Path()))


def build():
    for command in (["cmake", "--preset", "bench"], ["cmake", "--build", "--preset", "bench"]):
        subprocess.run(command, check=True, stdout=sys.stderr, cwd=ROOT)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def await_listening(port, server):
    end = time.monotonic() + START_LIMIT
    while server.poll() is None and time.monotonic() < end:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("the server does not listen")


def end(server):
    """With all that it has started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(server.pid, sign)
            server.wait(5)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            pass


def run_once(server_command, port, arguments):
    """The result of one scenario, or {"error"}."""
    server = subprocess.Popen(server_command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              start_new_session=True)
    try:
        await_listening(port, server)
        run = subprocess.run([PROGRAMS / "bench_client", "--port", str(port), "--pid", str(server.pid), *map(str, arguments)],
                             capture_output=True, text=True, timeout=RUN_LIMIT)
        return json.loads(run.stdout) if run.returncode == 0 else {"error": run.stderr.strip()}
    except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as problem:
        return {"error": str(problem)}
    finally:
        end(server)


def commands(binary, port, state):
    """Name -> command line of each server: the ceiling first, so that a disturbance falls on both of a pair."""
    program = str(PROGRAMS / "bench_program")
    return {
        CEILING: [str(PROGRAMS / "bench_relay"), str(port), program],
        OURS: [str(binary.resolve()), "serve", "--listen", "127.0.0.1:%d" % port, "--auth", "none", "--shell", program,
               "--state-dir", state],
    }


def measure(binary, names, rounds, data):
    """Rows of each scenario, round by round: the ceiling's and ours. A round that failed is said, and is a row with `error`."""
    build()
    bench_data.make(data)
    plan, rows = scenarios(data.resolve()), []
    for scenario in names:
        print("%s ..." % scenario, file=sys.stderr)
        for _ in range(rounds):
            for name in (CEILING, OURS):
                with tempfile.TemporaryDirectory(prefix="ptyd-bench-") as state:
                    port = free_port()
                    row = run_once(commands(binary, port, state)[name], port, plan[scenario])
                if "error" in row:
                    print("%s on %s: %s" % (scenario, name, row["error"]), file=sys.stderr)
                rows.append({"scenario": scenario, "name": name, **row})
    return rows
