import { expect, test } from "vitest";
import { isReport } from "../src/reports.ts";

test.each([
  ["a mouse that moves", "\x1b[<35;12;7M"],
  ["a button that is let go", "\x1b[<0;12;7m"],
  ["a mouse in the oldest form", "\x1b[M #\n"],
  ["a mouse in urxvt's form", "\x1b[32;12;7M"],
  ["the focus that comes", "\x1b[I"],
  ["the focus that goes", "\x1b[O"],
  ["the place of the cursor", "\x1b[12;40R"],
  ["the place of the cursor, DEC's form", "\x1b[?12;40R"],
  ["that all is well", "\x1b[0n"],
  ["colours that changed", "\x1b[?997;1n"],
  ["what it can do", "\x1b[?1;2c"],
  ["its version", "\x1b[>0;276;0c"],
  ["a mode", "\x1b[?2026;2$y"],
  ["its size", "\x1b[8;24;80t"],
  ["a colour", "\x1b]11;rgb:0000/0000/0000\x1b\\"],
  ["a colour that ends with BEL", "\x1b]11;rgb:0000/0000/0000\x07"],
  ["a setting", "\x1bP1$r0m\x1b\\"],
])("%s is a report", (_, data) => {
  expect(isReport(data)).toBe(true);
});

test.each([
  ["a letter", "c"],
  ["Escape", "\x1b"],
  ["a cursor key", "\x1b[A"],
  ["a cursor key with Ctrl", "\x1b[1;5C"],
  ["F3", "\x1bOR"],
  ["F3 with Shift", "\x1b[1;2R"],
  ["Delete", "\x1b[3~"],
  ["Shift+Enter in kitty's form", "\x1b[13;2u"],
  ["Alt+[", "\x1b["],
  ["Alt+]", "\x1b]"],
  ["Alt+Shift+P", "\x1bP"],
  ["a paste", "\x1b[200~\x1b[I\x1b[201~"],
  ["text behind a report", "\x1b[Ils\r"],
])("%s is none", (_, data) => {
  expect(isReport(data)).toBe(false);
});
