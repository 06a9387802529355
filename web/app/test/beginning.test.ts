import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connect } from "../../client/src/index.ts";
import { FakeServer } from "../../client/test/fake_server.ts";
import { connected, outcome, settled } from "../../client/test/support.ts";
import { firstInFront, firstList } from "../src/beginning.ts";
import { keyOf, unknownEntry } from "../src/entry.ts";
import { Workspace } from "../src/workspace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/// As the page asks: whether the list has come.
function asking(workspace: Workspace): () => Promise<boolean> {
  return () => workspace.refresh().then(() => true, () => false);
}

describe("the first list", () => {
  test("is asked for until it comes", async () => {
    const { server, client } = await connected();
    const refused = { message: "not now", code: "busy" };
    server.errors.set("terminal.list", [refused, refused]);
    const workspace = new Workspace(client);
    const begun = outcome(firstList(client, asking(workspace)));
    await settled();
    expect(begun.done).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(begun.done).toBe(true);
    expect(server.errors.get("terminal.list")).toEqual([]);
  });

  test("is not asked for before somebody has signed in", async () => {
    const server = new FakeServer();
    server.refuses = true;
    const client = connect("http://host/", { webSocket: server.webSocket, checkAccess: async () => "denied" });
    const refresh = vi.fn(asking(new Workspace(client)));
    const begun = outcome(firstList(client, refresh));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(refresh).not.toHaveBeenCalled();
    server.refuses = false;
    client.retryNow();
    await settled();
    expect(begun.done).toBe(true);
  });
});

test("in front is what is wanted first, else a shell that runs, else one that has ended, and no agent's program", () => {
  const place = (terminalId: string, threadId = "t") => ({ threadId, terminalId });
  const ended = { ...unknownEntry(place("ended")), status: "exited" } as const;
  const runs = { ...unknownEntry(place("runs")), status: "running" } as const;
  const program = { ...unknownEntry(place("program", "acp/s")), status: "running" } as const;
  const first = (entries: Parameters<typeof firstInFront>[0], ...wanted: Parameters<typeof firstInFront>[1]) =>
    firstInFront(entries, wanted)?.key;
  expect(first([program, ended, runs], place("gone"), undefined, ended)).toBe(keyOf(ended));
  expect(first([program, ended, runs], program)).toBe(keyOf(program));
  expect(first([program, ended, runs])).toBe(keyOf(runs));
  expect(first([program, ended])).toBe(keyOf(ended));
  expect(first([program])).toBeUndefined();
});
