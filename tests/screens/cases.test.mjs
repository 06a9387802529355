// The table of control sequences is right: xterm.js, which shows what the server has drawn, agrees with it. Where it
// does not, the case says why, and then xterm.js must really differ, so that no excuse outlives its reason.
import assert from "node:assert/strict";
import test from "node:test";
import { readCases } from "./support/cases.mjs";
import { Oracle } from "./support/xterm.mjs";

function range(place) {
  const [row, columns] = place.split(",");
  const [first, last = first] = columns.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => [Number(row), first + index]);
}

function trimmed(rows) {
  const lines = rows.slice();
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/// The pens that the case asks for, as the oracle has them.
function pensOf(oracle, each) {
  return each.pens.map(([place, want]) => {
    const found = range(place).map(([row, column]) => oracle.pen(row - 1, column - 1));
    return [place, found.every((pen) => pen === want) ? want : found.join(" ")];
  });
}

function wrappedRows(oracle) {
  const rows = [];
  for (let row = 1; row < oracle.terminal.rows; row += 1) if (oracle.line(row).isWrapped) rows.push(row);
  return rows.join(",") || "none";
}

async function seen(each) {
  const oracle = new Oracle(each.rows, each.cols);
  await oracle.write(Buffer.concat(each.input));
  const alternate = oracle.buffer.type === "alternate";
  return {
    screen: oracle.screen(),
    scrollback: oracle.scrollback(),
    caret: oracle.caret(),
    pens: pensOf(oracle, each),
    wrapped: each.wrapped && wrappedRows(oracle),
    buffer: each.buffer && (alternate ? "alternate" : "primary"),
  };
}

function expected(each) {
  const { scrollback, caret, pens, wrapped, buffer } = each;
  return { screen: trimmed(each.screen), scrollback, caret, pens, wrapped, buffer };
}

for (const each of readCases()) {
  test(`${each.file}: ${each.name}`, async () => {
    const [found, wanted] = [await seen(each), expected(each)];
    if (each.not["xterm.js"]) assert.notDeepEqual(found, wanted);
    else assert.deepEqual(found, wanted);
  });
}

test("there are at least 300 cases, each with a name of its own and a caret", () => {
  const cases = readCases();
  assert.ok(cases.length >= 300, `${cases.length}`);
  assert.equal(new Set(cases.map(({ file, name }) => `${file}: ${name}`)).size, cases.length);
  assert.deepEqual(cases.filter(({ caret }) => caret === undefined).map(({ name }) => name), []);
});
