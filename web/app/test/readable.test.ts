import type { IBuffer } from "@xterm/xterm";
import { expect, test } from "vitest";
import { partsOf, readableOf } from "../src/readable.ts";

/// Rows of a buffer; one that begins with `+` goes on with the row before it.
function buffer(rows: string[], viewportY = 0): IBuffer {
  const getLine = (index: number) => {
    const row = rows[index];
    if (row === undefined) return undefined;
    const text = row.replace(/^\+/, "");
    return { isWrapped: row.startsWith("+"), translateToString: (trim: boolean) => (trim ? text.trimEnd() : text) };
  };
  return { length: rows.length, viewportY, getLine } as unknown as IBuffer;
}

test("lines that were broken at the margin are one again, with the blanks between", () => {
  expect(readableOf(buffer(["one ", "+two", "three   "])).lines).toEqual(["one two", "three"]);
});

test("empty rows at the end are no lines", () => {
  expect(readableOf(buffer(["a", "", "b", "", ""])).lines).toEqual(["a", "", "b"]);
  expect(readableOf(buffer(["", ""]))).toEqual({ lines: [], first: 0 });
});

test.each([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 2],
])("a screen that begins in row %i begins in line %i", (viewportY, first) => {
  expect(readableOf(buffer(["a", "+a", "b", "c", ""], viewportY)).first).toBe(first);
});

test.each([
  ["plain", [{ text: "plain" }]],
  ["", [{ text: "" }]],
  ["see https://a.example/x.", [{ text: "see " }, { text: "https://a.example/x", target: "https://a.example/x" }, { text: "." }]],
  ["(http://a.example)", [{ text: "(" }, { text: "http://a.example", target: "http://a.example/" }, { text: ")" }]],
  ["javascript:alert(1)", [{ text: "javascript:alert(1)" }]],
])("the addresses of %j are parts of their own", (line, parts) => {
  expect(partsOf(line)).toEqual(parts);
});
