import { expect, test } from "vitest";
import { unknownEntry } from "../src/entry.ts";
import { NewTerminals } from "../src/new_terminals.ts";
import type { Place } from "../src/route.ts";

/// Starts beside terminals that the server has, and tabs that the page shows; each start becomes a tab.
function setUp(listed: readonly Place[], shown: readonly Place[]) {
  const places = [...shown];
  const threads = () => listed.map((place) => ({ threadId: place.threadId, entries: [unknownEntry(place)] }));
  const starts = new NewTerminals(
    { state: { name: "open" }, welcome: undefined },
    { threads, get: () => undefined },
    { places, active: undefined, activeKey: undefined, start: (place) => void places.push(place) },
    { refresh: async () => undefined, started: () => undefined },
  );
  return { places, starts };
}
const first = { threadId: "main", terminalId: "default" };

test("the first terminal of a thread is its default one", () => {
  const { places, starts } = setUp([{ threadId: "other", terminalId: "default" }], []);
  starts.start("main");
  expect(places).toEqual([first]);
});

test("a terminal that the list has, or a tab that shows one which is gone, keeps its place", () => {
  for (const { places, starts } of [setUp([first], []), setUp([], [first])]) {
    starts.start("main");
    expect(places.at(-1)).toMatchObject({ threadId: "main", terminalId: expect.stringMatching(/^terminal-/) as string });
  }
});

test("two starts before the first is answered have a place each", () => {
  const { places, starts } = setUp([], []);
  starts.start("main");
  starts.start("main");
  expect(new Set(places.map((place) => place.terminalId)).size).toBe(2);
});
