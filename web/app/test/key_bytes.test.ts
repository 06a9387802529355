import { expect, test } from "vitest";
import { bytesOf, withCtrl } from "../src/key_bytes.ts";

test.each([
  ["Escape", false, false, "\x1b"],
  ["Tab", false, false, "\t"],
  ["ArrowUp", false, false, "\x1b[A"],
  ["ArrowUp", false, true, "\x1bOA"],
  ["ArrowUp", true, true, "\x1b[1;5A"],
  ["End", false, false, "\x1b[F"],
  ["PageUp", false, true, "\x1b[5~"],
  ["PageDown", true, false, "\x1b[6;5~"],
] as const)("%s with ctrl %s and application arrows %s", (key, ctrl, application, bytes) => {
  expect(bytesOf(key, ctrl, application)).toBe(bytes);
});

test.each([
  ["c", "\x03"],
  ["C", "\x03"],
  ["/", "/"],
  [" ", "\0"],
  ["?", "\x7f"],
  ["~", "~"],
])("Ctrl and %s", (text, bytes) => {
  expect(withCtrl(text)).toBe(bytes);
});
