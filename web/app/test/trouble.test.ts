import { expect, test } from "vitest";
import { PtydError } from "../../client/src/index.ts";
import { shownInput } from "../src/refusal.ts";
import { Trouble } from "../src/trouble.ts";
import type { NoticeContent } from "../src/views/notice.ts";

function told(): { trouble: Trouble; said: (string | undefined)[] } {
  const said: (string | undefined)[] = [];
  return { trouble: new Trouble((content: NoticeContent | undefined) => said.push(content?.text)), said };
}

const unknown = new PtydError("outcome_unknown", "whatever");

test("keys that may be lost are named together, in one sentence", () => {
  const { trouble, said } = told();
  for (const key of ["l", "s", "\r"]) trouble.inputFailed(key, unknown);
  expect(said.at(-1)).toBe("The connection broke: “ls⏎” may not have arrived.");
});

test("keys that were not sent are said so, with the reason", () => {
  const { trouble, said } = told();
  trouble.inputFailed("x", new PtydError("replaced", "The terminal has another shell now."));
  expect(said).toEqual(["“x” was not sent. The terminal has another shell now."]);
});

test("what is typed anew ends it, and is not mixed with what was lost before", () => {
  const { trouble, said } = told();
  trouble.inputFailed("old", unknown);
  trouble.clear();
  trouble.inputFailed("new", unknown);
  expect(said).toEqual([
    "The connection broke: “old” may not have arrived.",
    undefined,
    "The connection broke: “new” may not have arrived.",
  ]);
});

test("what the page gave up itself is no trouble", () => {
  const { trouble, said } = told();
  for (const code of ["closed", "cancelled"] as const) {
    trouble.inputFailed("x", new PtydError(code, ""));
    trouble.failed("Clearing failed", new PtydError(code, ""));
  }
  expect(said).toEqual([]);
});

test("what was lost is named, with the reason or without one that is our own", () => {
  const { trouble, said } = told();
  trouble.failed("Restarting failed", new PtydError("busy", "Not now."), "ls");
  trouble.failed("Restarting failed", new PtydError("closed", "Released."), "ls");
  expect(said).toEqual(["“ls” was not sent. Restarting failed: Not now.", "“ls” was not sent."]);
});

test("words about what is done after all end, and no others", () => {
  const { trouble, said } = told();
  trouble.failed("Restarting failed", new PtydError("busy", "Not now."));
  trouble.done("Clearing failed");
  expect(said).toHaveLength(1);
  trouble.done("Restarting failed");
  expect(said.at(-1)).toBeUndefined();
  trouble.failed("Restarting failed", new PtydError("busy", "Not now."));
  trouble.inputFailed("x", new PtydError("queue_full", "Too much."));
  trouble.done("Restarting failed");
  expect(said.at(-1)).toBe("“x” was not sent. Too much.");
});

test.each([
  ["echo hi\r", "echo hi⏎"],
  ["\x03", "^C"],
  ["\x1b[A", "Esc [A"],
  ["a\x7f", "a⌫"],
  ["y".repeat(40), "y".repeat(40)],
  ["y".repeat(41), `${"y".repeat(40)}…`],
])("input %j is shown as %s", (input, shown) => {
  expect(shownInput(input)).toBe(shown);
});
