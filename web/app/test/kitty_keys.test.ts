import type { Terminal } from "@xterm/xterm";
import { expect, test } from "vitest";
import { kittyBytes, KittyKeys } from "../src/kitty_keys.ts";

/// The parser of an emulator, as far as it is asked.
function keys() {
  const handlers = new Map<string, (parameters: (number | number[])[]) => boolean>();
  const parser = {
    registerCsiHandler: ({ prefix }: { prefix: string }, handler: (parameters: (number | number[])[]) => boolean) =>
      handlers.set(prefix, handler),
    registerEscHandler: (_: unknown, handler: () => boolean) => handlers.set("reset", handler),
  };
  const wanted = new KittyKeys({ parser } as unknown as Terminal);
  return { wanted, say: (prefix: string, ...parameters: number[]) => handlers.get(prefix)?.(parameters) };
}

test("a program that pushes the flag has its keys told apart until it pops it", () => {
  const { wanted, say } = keys();
  expect(wanted.areWanted).toBe(false);
  say(">", 1);
  expect(wanted.areWanted).toBe(true);
  say(">", 0);
  expect(wanted.areWanted).toBe(false);
  say("<", 1);
  expect(wanted.areWanted).toBe(true);
  say("<", 0); // absent is 1
  expect(wanted.areWanted).toBe(false);
  say("<", 9);
  expect(wanted.areWanted).toBe(false);
});

test("flags are set, added and taken away", () => {
  const { wanted, say } = keys();
  say("=", 1, 1);
  expect(wanted.areWanted).toBe(true);
  say("=", 1, 3);
  expect(wanted.areWanted).toBe(false);
  say("=", 3, 2);
  expect(wanted.areWanted).toBe(true);
  say("=", 2, 1);
  expect(wanted.areWanted).toBe(false);
});

test("a reset forgets them, and is still the emulator's", () => {
  const { wanted, say } = keys();
  say(">", 1);
  expect(say("reset")).toBe(false);
  expect(wanted.areWanted).toBe(false);
});

test("the oldest of 33 goes", () => {
  const { wanted, say } = keys();
  say(">", 1);
  for (let number = 0; number < 31; number++) say(">", 0);
  say("<", 31);
  expect(wanted.areWanted).toBe(true);
  for (let number = 0; number < 32; number++) say(">", 0);
  say("<", 31);
  expect(wanted.areWanted).toBe(false);
});

const plain = { key: "Enter", shiftKey: false, ctrlKey: false, altKey: false, metaKey: false };
test.each([
  [{}, undefined],
  [{ shiftKey: true }, "\x1b[13;2u"],
  [{ altKey: true }, "\x1b[13;3u"],
  [{ ctrlKey: true, shiftKey: true }, "\x1b[13;6u"],
  [{ metaKey: true, shiftKey: true }, undefined],
  [{ key: "a", shiftKey: true }, undefined],
])("Enter with %j is %j", (event, bytes) => {
  expect(kittyBytes({ ...plain, ...event })).toBe(bytes);
});
