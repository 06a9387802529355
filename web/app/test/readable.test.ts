import type { IBuffer } from "@xterm/xterm";
import { expect, test } from "vitest";
import { partsOf, readableOf, wordAt } from "../src/readable.ts";

/// Rows of a buffer; one that begins with `+` goes on with the row before it.
function buffer(rows: string[], viewportY = 0): IBuffer {
  const getLine = (index: number) => {
    const row = rows[index];
    if (row === undefined) return undefined;
    const text = row.replace(/^\+/, "");
    const translateToString = (trim: boolean, from?: number, to?: number) => {
      const part = text.slice(from, to);
      return trim ? part.trimEnd() : part;
    };
    return { isWrapped: row.startsWith("+"), translateToString };
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

test("what was pressed is found in its line, also behind a break at the margin", () => {
  const pressed = (row: number, column: number) => readableOf(buffer(["one ", "+two", "", "x", ""]), { row, column }).pressed;
  expect(pressed(0, 2)).toEqual({ line: 0, offset: 2 });
  expect(pressed(1, 1)).toEqual({ line: 0, offset: 5 });
  expect(pressed(3, 0)).toEqual({ line: 2, offset: 0 });
  expect(pressed(4, 0)).toBeUndefined();
});

test.each([
  ["one two", 0, "one"],
  ["one two", 5, "two"],
  ["one two", 3, undefined],
  ["one", 3, undefined],
])("of %j the word at %d is %j", (text, offset, word) => {
  const found = wordAt(text, offset);
  expect(found && text.slice(found.begin, found.end)).toBe(word);
});
