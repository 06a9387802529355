import { expect, test } from "vitest";
import { PtydError, type PtydErrorCode } from "../../client/src/index.ts";
import { mayHaveStarted } from "../src/refusal.ts";

test.each<[PtydErrorCode, boolean]>([
  ["timeout", true],
  ["unauthorised", true],
  ["outcome_unknown", true],
  ["internal", true],
  ["bad_request", false],
  ["bad_cwd", false],
  ["denied", false],
  ["limit", false],
  ["spawn_failed", false],
])("a start that was answered by %s may have been carried out: %s", (code, may) => {
  expect(mayHaveStarted(new PtydError(code, ""))).toBe(may);
});
