// vttest's screens are those in vttest/, whatever the pieces that its output comes in.
//
//   PTYD_WRITE_GOLDENS=1 node --test vttest.test.mjs      writes them anew: look at them then
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import "../e2e/support/leave.mjs";
import { probe } from "./support/probe.mjs";
import { kWalks, walk } from "./support/vttest.mjs";

const kSize = { rows: 24, cols: 80 };
const kMargins = { single: " ", "double width": "W", "double top": "T", "double bottom": "B" };
/// Whole, byte by byte, and in pieces that between them cut every sequence everywhere.
const kFeeds = ["native", "native:1", "native:2", "native:3", "native:5", "native:7", "native:61", "vterm", "vterm:1"];

function text({ screen, sizes, caret: [row, column, wrap] }, index) {
  const rows = screen.map((line, at) => `${kMargins[sizes[at]]}|${line}`);
  return [`== ${index + 1}`, ...rows, `at ${row},${column}${wrap ? " wrap" : ""}`, ""].join("\n");
}

for (const [name, choices] of Object.entries(kWalks)) {
  test(`vttest ${name}`, async (context) => {
    const { output, places } = await walk(context, choices);
    const file = new URL(`vttest/${name.replace(/ /g, "_")}.txt`, import.meta.url);
    if (process.env.PTYD_WRITE_GOLDENS) {
      mkdirSync(new URL("vttest/", import.meta.url), { recursive: true });
      writeFileSync(file, (await probe("native", kSize, output, places)).map(text).join("\n"));
    }
    const golden = readFileSync(file, "utf8");
    for (const feed of kFeeds) {
      const screens = (await probe(feed, kSize, output, places)).map(text).join("\n");
      assert.equal(screens, golden, `${feed} shows something else`);
    }
  });
}
