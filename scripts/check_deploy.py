#!/usr/bin/env python3
"""Fails when a file that a server is deployed with says one thing and does another.

    check_deploy.py                checks the tree this script stands in
    check_deploy.py --self-test    checks the checks

units       a unit that says NoNewPrivileges=no has no setting that turns it on again, which would take sudo from every shell
options     a PTYD_<NAME> in a unit, a compose file or the Dockerfile is an option of `ptyd serve`
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# systemd.exec(5) at NoNewPrivileges=: "certain settings override this and ignore the value of this setting".
OVERRIDING = ("DynamicUser", "LockPersonality", "MemoryDenyWriteExecute", "PrivateDevices", "ProtectClock", "ProtectHostname",
              "ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "RestrictAddressFamilies",
              "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "SystemCallArchitectures", "SystemCallFilter",
              "SystemCallLog")


def unit_faults(path, text):
    if not re.search(r"^NoNewPrivileges=(no|false|off|0)$", text, re.M):
        return
    for name, value in re.findall(r"^(\w+)=(.*)$", text, re.M):
        if name in OVERRIDING and value not in ("", "no", "false", "off", "0"):
            yield "%s: %s=%s turns on NoNewPrivileges, which the unit says is off" % (path, name, value)


def option_faults(path, text, options):
    for name in sorted(set(re.findall(r"\bPTYD_[A-Z]\w*", text)) - options):
        yield "%s: %s is no option of ptyd serve" % (path, name)


def options_of(readme):
    """The environment's names of the options in the table of server/config."""
    flags = re.findall(r"^\| `--([\w-]+)` \|", readme, re.M)
    return {"PTYD_" + flag.upper().replace("-", "_") for flag in flags}


def faults():
    options = options_of((ROOT / "server/config/README.md").read_text())
    deployed = [p for p in (ROOT / "scripts/deploy").iterdir() if p.suffix in (".service", ".yaml")]
    for path in [ROOT / "Dockerfile", *sorted(deployed)]:
        name, text = str(path.relative_to(ROOT)), path.read_text()
        yield from option_faults(name, text, options)
        if path.suffix == ".service":
            yield from unit_faults(name, text)


def self_test():
    units = [("NoNewPrivileges=no\nProtectClock=yes\n", 1), ("NoNewPrivileges=no\nProtectClock=no\nUser=a\n", 0),
             ("NoNewPrivileges=no\n# ProtectClock=yes\n", 0), ("NoNewPrivileges=yes\nProtectClock=yes\n", 0),
             ("SystemCallFilter=@system-service\nNoNewPrivileges=false\nProtectKernelLogs=1\n", 2)]
    for text, expected in units:
        assert len(list(unit_faults("a.service", text))) == expected, text
    options = options_of("| `--state-dir` | here | Directory |\n| `--listen` | x | y |\n")
    assert options == {"PTYD_STATE_DIR", "PTYD_LISTEN"}, options
    for text, expected in [("ENV PTYD_LISTEN=a PTYD_STATE_DIR=b", 0), ("Environment=PTYD_LISTENS=a", 1)]:
        assert len(list(option_faults("a", text, options))) == expected, text


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = list(faults())
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
