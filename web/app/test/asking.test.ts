import { expect, test, vi } from "vitest";
import { PtydError } from "../../client/src/index.ts";
import { Asking } from "../src/asking.ts";

const attach = { threadId: "t", cwd: "/", attach: true };
const start = { threadId: "t", cwd: "/", attach: false };
const unknown = new PtydError("not_found", "Unknown.");

/// A server that answers when it is told to.
function setUp() {
  const input = { hold: vi.fn(), refuse: vi.fn(() => "ls") };
  const answers: { resolve: () => void; reject: (error: PtydError) => void }[] = [];
  const take = vi.fn(() => new Promise<void>((resolve, reject) => answers.push({ resolve, reject })));
  return { input, answers, take, asking: new Asking(input, take) };
}

test("asks for one thing at a time", async () => {
  const { asking, take, answers } = setUp();
  const first = asking.once(attach);
  expect(asking.isUnderWay).toBe(true);
  expect(await asking.once(start)).toBeUndefined();
  answers[0]?.resolve();
  expect(await first).toBeUndefined();
  expect(asking.isUnderWay).toBe(false);
  expect(take).toHaveBeenCalledExactlyOnceWith(attach);
});

test("a refusal has the input that was meant for what was asked for", async () => {
  const { asking, answers, input } = setUp();
  const asked = asking.once(attach);
  answers[0]?.reject(unknown);
  expect(await asked).toEqual({ error: unknown, lost: "ls" });
  expect(asking.owesShell).toBe(false);
  expect(input.hold).toHaveBeenCalledOnce();
});

test("a shell that was wanted meanwhile is owed once the attach is refused, with the input, and only once", async () => {
  const { asking, answers, input } = setUp();
  const asked = asking.once(attach);
  asking.wantShell();
  expect(asking.owesShell).toBe(false);
  answers[0]?.reject(unknown);
  expect(await asked).toEqual({ error: unknown, lost: "" });
  expect(input.refuse).not.toHaveBeenCalled();
  expect(asking.owesShell).toBe(true);
  const started = asking.once(start);
  asking.wantShell(); // it is being started
  answers[1]?.reject(unknown);
  expect(await started).toEqual({ error: unknown, lost: "ls" });
  expect(asking.owesShell).toBe(false);
});

test("no shell is owed where the attach went well, or none is asked for", async () => {
  const { asking, answers } = setUp();
  asking.wantShell();
  expect(asking.owesShell).toBe(false);
  const asked = asking.once(attach);
  asking.wantShell();
  answers[0]?.resolve();
  await asked;
  expect(asking.owesShell).toBe(false);
});
