#!/usr/bin/env python3
"""The tables of protocol/*.md: methods and events from protocol/terminal.schema.json, errors from protocol/errors.cpp.

    protocol_table.py           writes each between its two marks
    protocol_table.py --check   fails when one is older than its source
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def name_of(reference):
    return reference.rsplit("/", 1)[-1]


def bounds(field):
    if "enum" in field:
        return " " + "/".join(field["enum"])
    low, high = field.get("minimum", field.get("minLength", field.get("minItems"))), \
        field.get("maximum", field.get("maxLength", field.get("maxItems", field.get("maxProperties"))))
    if low is None and high is None:
        return ""
    if low is None or (low <= 1 and high is not None and "maximum" not in field):
        return " ≤%s" % high
    return " %s-%s" % (low, high) if high is not None else (" ≥%s" % low if low != 1 or "minimum" in field else "")


def parameters(schema):
    """`name` of what must be there, `name?` of what may; bounds where there are any."""
    required = schema.get("required", [])
    return ", ".join("`%s%s`%s" % (name, "" if name in required else "?", bounds(field))
                     for name, field in schema.get("properties", {}).items()) or "none"


def result(schema):
    if schema.get("type") == "null":
        return "nothing"
    return "`%s`" % name_of(schema["$ref"])


def methods(schema):
    yield "| method | does | parameters | result |"
    yield "|---|---|---|---|"
    for name, method in schema["properties"].items():
        fields = method["properties"]
        params = schema["$defs"][name_of(fields["params"]["$ref"])] if "$ref" in fields["params"] else fields["params"]
        yield "| `%s` | %s | %s | %s |" % (name, method.get("description", ""), parameters(params), result(fields["result"]))


ONE_VIEWER = {"clipboard", "resynced"}
BROADCAST = {"started", "restarted", "exited", "error", "cleared", "activity", "process", "shutdown", "toolCall"}


def receivers(kind, needs_feature):
    """Which connections get an event. A shutdown is of the whole server; some are about one viewer alone."""
    reach = "every connection" if kind in BROADCAST else "one viewer" if kind in ONE_VIEWER else "viewers"
    return reach + (", `features:[\"%s\"]`" % kind if needs_feature else "")


def events(schema):
    base = {"type", "threadId", "terminalId", "createdAt", "cursor"}
    yield "| event | carries, besides `threadId`, `terminalId`, `createdAt`, `cursor` | goes to |"
    yield "|---|---|---|"
    for reference in schema["$defs"]["TerminalEvent"]["oneOf"]:
        event = schema["$defs"][name_of(reference["$ref"])]
        fields = event["properties"]
        kind = fields["type"].get("const", (fields["type"].get("enum") or ["?"])[0])
        carries = ", ".join("`%s`" % name for name in fields if name not in base) or "nothing"
        yield "| `%s` | %s | %s |" % (kind, carries, receivers(kind, "features" in event.get("description", "")))


def protocol_lines():
    schema = json.loads((ROOT / "protocol/terminal.schema.json").read_text())
    return [*methods(schema), "", *events(schema)]


def error_lines():
    rows = re.findall(r'ErrorRow\{Errc::\w+, "(\w+)", (-\d+), "([^"]+)"\}', (ROOT / "protocol/errors.cpp").read_text())
    return ["| code | JSON-RPC | means |", "|---|---|---|", *("| `%s` | %s | %s |" % row for row in rows)]


# page, name of the table in its marks, lines of the table
TABLES = [("protocol/terminal.md", "protocol", protocol_lines), ("protocol/README.md", "error", error_lines)]


def written(text, name, lines):
    """`text` with these lines between the marks of the table; nothing where a mark is missing."""
    begin, end = "<!-- %s table -->" % name, "<!-- end of %s table -->" % name
    if begin not in text or end not in text:
        return None
    before, rest = text.split(begin, 1)
    return "\n".join([before + begin, *lines, end]) + rest.split(end, 1)[1]


def main():
    for page, name, lines in TABLES:
        text = (ROOT / page).read_text()
        wanted = written(text, name, lines())
        if wanted is None:
            sys.exit("%s has no place for the %s table: <!-- %s table -->" % (page, name, name))
        if sys.argv[1:] != ["--check"]:
            (ROOT / page).write_text(wanted)
        elif text != wanted:
            sys.exit("%s: the %s table is older than its source: run scripts/support/protocol_table.py" % (page, name))


if __name__ == "__main__":
    main()
