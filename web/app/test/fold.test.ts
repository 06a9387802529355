import { expect, test } from "vitest";
import type { Entry } from "../src/entry.ts";
import { hasFailed, unknownEntry } from "../src/entry.ts";
import { FailedPrograms } from "../src/failed_programs.ts";
import { durationInWords, timesOf } from "../src/plain.ts";
import { endedEarlier } from "../src/views/fold.ts";

const program = (terminalId: string, change: Partial<Entry>): Entry => ({
  ...unknownEntry({ threadId: "acp/s", terminalId }),
  status: "running",
  program: { commandLine: "make", takesInput: false },
  ...change,
});

test("a program has failed that has no code of success", () => {
  expect(hasFailed({ status: "exited", exitCode: 0 })).toBe(false);
  expect(hasFailed({ status: "exited", exitCode: 1 })).toBe(true);
  expect(hasFailed({ status: "exited", exitCode: null })).toBe(true);
  expect(hasFailed({ status: "error", exitCode: null })).toBe(true);
  expect(hasFailed({ status: "running", exitCode: null })).toBe(false);
});

test("a program that fails is told once, and one that had failed before is not", () => {
  const failed = new FailedPrograms();
  const look = (...entries: Entry[]) => failed.newIn([{ threadId: "acp/s", entries }]).map((each) => each.terminalId);
  const old = program("old", { status: "exited", exitCode: 1 });
  expect(look(old, program("a", {}), program("b", {}))).toEqual([]);
  const a = program("a", { status: "exited", exitCode: 2 });
  expect(look(old, a, program("b", { status: "exited", exitCode: 0 }))).toEqual(["a"]);
  expect(look(old, a)).toEqual([]);
  const unknown = program("c", { program: undefined });
  const gone = { ...unknown, status: "exited", exitCode: 3 } as const;
  expect([look(unknown), look(gone), look({ ...gone, program: a.program })]).toEqual([[], [], ["c"]]);
});

test.each([
  [0, "0.0 s"],
  [9_949, "9.9 s"],
  [59_999, "59 s"],
  [60_000, "1 min 0 s"],
  [3_599_999, "59 min 59 s"],
  [3_600_000, "1 h 0 min"],
])("%d ms are %s", (milliseconds, words) => {
  expect(durationInWords(milliseconds)).toBe(words);
});

test("times are those of the server: the start while it runs, the duration once it is over", () => {
  expect(timesOf("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:12.500Z")).toBe("after 12 s");
  expect(timesOf("2026-01-01T00:00:00.000Z", "")).toMatch(/^since \d/);
  expect(timesOf("", "2026-01-01T00:00:12.500Z")).toBe("");
});

test("of ended programs the newest three stay in sight, and the one in front", () => {
  const ended = ["a", "b", "c", "d", "e"].map((id) => program(id, { status: "exited", exitCode: 0 }));
  const running = program("r", {});
  const folded = (front?: string) => endedEarlier([running, ...ended], front).map((entry) => entry.terminalId);
  expect(folded()).toEqual(["a", "b"]);
  expect(folded(ended[0]?.key)).toEqual(["b"]);
  expect(endedEarlier(ended.slice(0, 3), undefined)).toEqual([]);
});
