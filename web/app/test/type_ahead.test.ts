import { expect, test, vi } from "vitest";
import { PtydError } from "../../client/src/index.ts";
import { kMaxWaiting } from "../../client/src/input_queue.ts";
import { kTimings } from "../../client/src/timings.ts";
import { type TakesInput, TypeAhead } from "../src/type_ahead.ts";

/// A terminal that is open, and what was written to it.
function openTerminal(answer: () => Promise<void> = () => Promise.resolve()) {
  const written: string[] = [];
  const terminal: TakesInput = {
    write: (data) => {
      written.push(data);
      return answer();
    },
    pendingInput: 7,
    cancelInput: () => written.push("(cancelled)"),
  };
  return { terminal, written };
}

const code = (write: Promise<void>) => write.then(
  () => "accepted",
  (error: PtydError) => error.code,
);

test("keys that came before the terminal are written to it in order, before those that come later", async () => {
  const input = new TypeAhead();
  const { terminal, written } = openTerminal();
  const early = ["l", "s", "\r"].map((key) => input.write(key));
  expect(input.pendingInput).toBe(3);
  input.passTo(terminal);
  await Promise.all([...early, input.write("later")]);
  expect(written).toEqual(["l", "s", "\r", "later"]);
  expect(input.pendingInput).toBe(7);
});

test("a key that was kept fails as the terminal's write does", async () => {
  const input = new TypeAhead();
  const early = code(input.write("x"));
  input.passTo(openTerminal(() => Promise.reject(new PtydError("exited", ""))).terminal);
  expect(await early).toBe("exited");
});

test("where the terminal cannot be opened the keys are given back, and later ones fail with the reason", async () => {
  const input = new TypeAhead();
  const early = ["l", "s"].map((key) => code(input.write(key)));
  expect(input.refuse(new PtydError("limit", ""))).toBe("ls");
  expect(await Promise.all([...early, code(input.write("later"))])).toEqual(["cancelled", "cancelled", "limit"]);
  expect(input.pendingInput).toBe(0);
});

test.each(["was refused", "is open"])("keys for a terminal that %s are kept from when it is asked for again", async (before) => {
  const input = new TypeAhead();
  const [old, next] = [openTerminal(), openTerminal()];
  if (before === "is open") input.passTo(old.terminal);
  else input.refuse(new PtydError("timeout", ""));
  input.hold();
  const written = code(input.write("ls"));
  input.passTo(next.terminal);
  expect(await written).toBe("accepted");
  expect([old.written, next.written]).toEqual([[], ["ls"]]);
});

test("what is on its way to the old shell counts until another one has the input, and can be dropped", () => {
  const input = new TypeAhead();
  const [old, next] = [openTerminal(), openTerminal()];
  input.passTo(old.terminal);
  input.hold();
  input.hold();
  input.write("ls").catch(() => undefined);
  expect(input.pendingInput).toBe(7 + 2);
  input.cancelInput();
  expect(input.pendingInput).toBe(7);
  input.passTo(next.terminal);
  input.cancelInput();
  expect([old.written, next.written]).toEqual([["(cancelled)"], ["(cancelled)"]]);
});

test("no more is kept than the client keeps without a connection", async () => {
  const input = new TypeAhead();
  const { terminal, written } = openTerminal();
  const paste = "x".repeat(kMaxWaiting - 1);
  void input.write(paste);
  expect(await code(input.write("yz"))).toBe("queue_full");
  void input.write("y");
  input.passTo(terminal);
  expect(written.map(({ length }) => length)).toEqual([paste.length, 1]);
});

test("what is kept can be dropped, and the terminal's own queue as well", async () => {
  const input = new TypeAhead();
  const { terminal, written } = openTerminal();
  const early = code(input.write("x"));
  input.cancelInput();
  expect(await early).toBe("cancelled");
  input.passTo(terminal);
  input.cancelInput();
  expect(written).toEqual(["(cancelled)"]);
});

test("a key that has waited for a minute is not sent any more, and a newer one is", async () => {
  vi.useFakeTimers();
  const input = new TypeAhead();
  const { terminal, written } = openTerminal();
  const early = code(input.write("early"));
  vi.advanceTimersByTime(kTimings.input - 1);
  const newer = code(input.write("newer"));
  vi.advanceTimersByTime(1);
  expect(input.pendingInput).toBe("newer".length);
  input.passTo(terminal);
  vi.advanceTimersByTime(kTimings.input);
  vi.useRealTimers();
  expect(await Promise.all([early, newer])).toEqual(["timeout", "accepted"]);
  expect(written).toEqual(["newer"]);
});
