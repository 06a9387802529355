#!/usr/bin/env python3
"""The protocol table of README.md, from protocol/terminal.schema.json.

    protocol_table.py           writes it between its two marks
    protocol_table.py --check   fails when what stands there is older than the schema
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BEGIN, END = "<!-- protocol table -->", "<!-- end of protocol table -->"


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


def events(schema):
    base = {"type", "threadId", "terminalId", "createdAt", "cursor"}
    yield "| event | carries, besides `threadId`, `terminalId`, `createdAt`, `cursor` | who hears it |"
    yield "|---|---|---|"
    for reference in schema["$defs"]["TerminalEvent"]["oneOf"]:
        event = schema["$defs"][name_of(reference["$ref"])]
        fields = event["properties"]
        kind = fields["type"].get("const", (fields["type"].get("enum") or ["?"])[0])
        carries = ", ".join("`%s`" % name for name in fields if name not in base) or "nothing"
        asked = event.get("description", "")
        hears = "who asked: `features:[\"%s\"]`" % kind if "features" in asked else "everybody who may"
        yield "| `%s` | %s | %s |" % (kind, carries, hears)


def table():
    schema = json.loads((ROOT / "protocol/terminal.schema.json").read_text())
    return "\n".join([BEGIN, *methods(schema), "", *events(schema), END])


def main():
    readme = ROOT / "README.md"
    text = readme.read_text()
    if BEGIN not in text or END not in text:
        sys.exit("README.md has no place for the protocol table: %s ... %s" % (BEGIN, END))
    before, rest = text.split(BEGIN, 1)
    wanted = before + table() + rest.split(END, 1)[1]
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if text == wanted else "README.md's protocol table is older than the schema: run scripts/support/protocol_table.py")
    readme.write_text(wanted)


if __name__ == "__main__":
    main()
