// Terminals that come back: over a line that takes minutes for their snapshots, and where events wait for listeners.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { kTimings } from "../src/timings.ts";
import type { FakeServer } from "./fake_server.ts";
import { connected, opened, outcome, reconnect, settled, setUp, withoutTimers } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/// Answers wait from the first snapshot on, in their order, until go().
function slowDown(server: FakeServer): { go: () => void } {
  const answer = server.handle.bind(server);
  const waiting: (() => void)[] = [];
  server.handle = (...asked) => {
    if (waiting.length > 0 || asked[2]._tag === "terminal.open") waiting.push(() => answer(...asked));
    else answer(...asked);
  };
  const go = () => {
    server.handle = answer;
    for (const each of waiting.splice(0)) each();
  };
  return { go };
}

/// A terminal that is to come back with a snapshot.
async function setUpSlow() {
  const { server, client, seen, terminal } = await setUp();
  const states: string[] = [];
  terminal.onAttachment.on((state) => states.push(state));
  server.print("t", "before ");
  server.socket.end(1006);
  server.terminal("t").incarnation = "other";
  server.print("t", "during");
  const line = slowDown(server);
  await reconnect();
  return { server, client, seen, states, line };
}

/// Something is complete now and then, more seldom than a silent connection is checked.
async function trickle(server: FakeServer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await vi.advanceTimersByTimeAsync(kTimings.silence + kTimings.check + 1);
    server.socket.push("other", {});
  }
}

test("a terminal comes back however long its snapshot takes, while anything comes", async () => {
  const { server, seen, states, line } = await setUpSlow();
  await trickle(server, 10);
  expect([states, server.sockets.length]).toEqual([["detached"], 2]);
  line.go();
  expect(states).toEqual(["detached", "attached"]);
  expect(seen.text).toBe("before during");
});

test("a line on which nothing comes is given up, and no terminal with it", async () => {
  const { server, seen, states, line } = await setUpSlow();
  const { socket } = server;
  await vi.advanceTimersByTimeAsync(kTimings.silence + kTimings.request - 1);
  expect([states, socket.open]).toEqual([["detached"], true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(socket.open).toBe(false);
  line.go();
  expect(states).toEqual(["detached", "attached"]);
  expect(seen.text).toBe("before during");
});

test("calls have their time on a slow link as well", async () => {
  const { server, client, line } = await setUpSlow();
  const snapshot = outcome(client.snapshot({ threadId: "t" }));
  await trickle(server, 2);
  expect(snapshot.error).toMatchObject({ code: "timeout" });
  line.go();
  expect((await opened(client)).text).toBe("before during");
});

test("output that waits for its opener when the connection is cut comes once", async () => {
  const { server, client } = await connected();
  const late = withoutTimers();
  const terminal = await client.open({ threadId: "t", cwd: "/" });
  server.print("t", "once");
  let text = "";
  terminal.onOutput.on((data) => void (text += data));
  server.socket.end(1006);
  client.retryNow();
  await Promise.resolve();
  expect(terminal.attachment).toBe("attached");
  late.run();
  await settled();
  expect(text).toBe("once");
});
