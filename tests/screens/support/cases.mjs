// Reads tests/screens/cases/*.txt; the format is told in tests/screens/README.md.
import { readdirSync, readFileSync } from "node:fs";

const kFolder = new URL("../cases/", import.meta.url);
const kControls = { e: 0x1b, n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, a: 0x07, "\\": 0x5c };

/// The bytes that an escaped text stands for.
export function unescaped(text) {
  const bytes = [];
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at);
    const length = code > 0xffff ? 2 : 1;
    const next = text[at + 1];
    if (code !== 0x5c) {
      bytes.push(...Buffer.from(String.fromCodePoint(code)));
      at += length;
    } else if (next === "x") {
      bytes.push(parseInt(text.slice(at + 2, at + 4), 16));
      at += 4;
    } else if (next === "u") {
      const end = text.indexOf("}", at);
      bytes.push(...Buffer.from(String.fromCodePoint(parseInt(text.slice(at + 3, end), 16))));
      at = end + 1;
    } else if (next in kControls) {
      bytes.push(kControls[next]);
      at += 2;
    } else {
      throw new Error(`no such escape: ${text.slice(at)}`);
    }
  }
  return Buffer.from(bytes);
}

function blank(name, file) {
  return { name, file, rows: 5, cols: 10, input: [], screen: [], scrollback: [], pens: [], links: [], modes: [], not: {} };
}

const kKeys = {
  size: (each, value) => ([each.rows, each.cols] = value.split("x").map(Number)),
  in: (each, value) => each.input.push(unescaped(value)),
  at: (each, value) => {
    const [place, wrap] = value.split(" ");
    each.caret = [...place.split(",").map(Number), wrap === "wrap"];
  },
  reply: (each, value) => (each.reply = value === "none" ? Buffer.alloc(0) : unescaped(value)),
  pen: (each, value) => each.pens.push(value.split(" ")),
  link: (each, value) => each.links.push(value.split(" ")),
  mode: (each, value) => each.modes.push(value.split(" ")),
  wrapped: (each, value) => (each.wrapped = value),
  lines: (each, value) => (each.lines = value),
  buffer: (each, value) => (each.buffer = value),
  title: (each, value) => (each.title = unescaped(value).toString()),
  cwd: (each, value) => (each.cwd = value),
  progress: (each, value) => (each.progress = value),
  keyboard: (each, value) => (each.keyboard = Number(value)),
};

function add(cases, line, file) {
  const each = cases.at(-1);
  if (line.startsWith("== ")) return cases.push(blank(line.slice(3), file));
  if (line.startsWith("|")) return each.screen.push(unescaped(line.slice(1)).toString().trimEnd());
  if (line.startsWith("^")) return each.scrollback.push(unescaped(line.slice(1)).toString().trimEnd());
  const not = line.match(/^not (xterm\.js): (.+)$/);
  if (not) return (each.not[not[1]] = not[2]);
  const [, key, value] = line.match(/^(\w+) +(.*)$/) ?? [];
  if (!(key in kKeys)) throw new Error(`${file}: '${line}' is nothing that a case can say`);
  return kKeys[key](each, value);
}

export function readCases() {
  const cases = [];
  for (const file of readdirSync(kFolder).sort()) {
    for (const line of readFileSync(new URL(file, kFolder), "utf8").split("\n")) {
      if (line !== "" && !line.startsWith("#")) add(cases, line, file);
    }
  }
  return cases;
}
