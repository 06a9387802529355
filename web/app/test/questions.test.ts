import { expect, test } from "vitest";
import { previewOf } from "../src/questions.ts";

test.each([
  ["a\nb", "a\nb"],
  ["one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["if x:\n    y\x1b[31m", "if x:\n    y [31m"],
  ["1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\n6"],
  ["1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n…"],
  ["x".repeat(121), `${"x".repeat(119)}…`],
])("of a paste of %j this is shown: %j", (pasted, shown) => {
  expect(previewOf(pasted)).toBe(shown);
});
