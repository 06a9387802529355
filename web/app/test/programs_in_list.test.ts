import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connected, outcome, settled } from "../../client/test/support.ts";
import type { FakeServer } from "../../client/test/fake_server.ts";
import type { PtydClient } from "../../client/src/index.ts";
import { descriptionOf, keyOf, labelOf, stateOf, type Entry } from "../src/entry.ts";
import { Workspace } from "../src/workspace.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tests = { commandLine: "npm test", takesInput: false };
const prompt = { commandLine: "python3", takesInput: true };

interface Scene {
  readonly server: FakeServer;
  readonly client: PtydClient;
  readonly workspace: Workspace;
}

async function setUp(): Promise<Scene> {
  const { server, client } = await connected();
  const workspace = new Workspace(client);
  await workspace.refresh();
  return { server, client, workspace };
}

/// Entries of the list, thread by thread.
const shown = (workspace: Workspace) =>
  workspace
    .threads()
    .map(({ threadId, entries }) => [threadId, ...entries.map((entry) => `${labelOf(entry)}: ${stateOf(entry)}`)]);

const described = (workspace: Workspace, terminalId: string) =>
  descriptionOf(workspace.get(keyOf({ threadId: "acp/s1", terminalId })) as Entry);

const lists = (server: FakeServer) => server.socket.bodies("terminal.list");

describe("agents' programs in the list", () => {
  test("are there with their command line as soon as they run, and say how they ended", async () => {
    const { server, workspace } = await setUp();
    server.run("s1", "term_a", tests);
    expect(shown(workspace)).toEqual([["acp/s1", "…: running"]]);
    await settled();
    expect(shown(workspace)).toEqual([["acp/s1", "npm test: running"]]);
    server.exit("s1", "term_a", 1);
    expect(shown(workspace)).toEqual([["acp/s1", "npm test: exited with code 1"]]);
  });

  test("say what signal ended them, and that there is no such command", async () => {
    const { server, workspace } = await setUp();
    server.run("s1", "term_a", tests);
    server.run("s1", "term_b", { ...tests, commandLine: "mkae" });
    await settled();
    server.exit("s1", "term_a", null, 9);
    server.exit("s1", "term_b", 127);
    expect(shown(workspace)[0]?.slice(1)).toEqual(["npm test: ended by SIGKILL", "mkae: command not found (code 127)"]);
  });

  test("are called by the title of their tool call, and say its kind and status", async () => {
    const { server, workspace } = await setUp();
    server.run("s1", "term_a", tests);
    await settled();
    server.tell("s1", "term_a", { title: "Run the\u202etests", kind: "execute", status: "in_progress" });
    expect(shown(workspace)).toEqual([["acp/s1", "Run the tests: running"]]);
    expect(described(workspace, "term_a")).toBe("npm test\nexecute: in progress\nrunning");
    server.exit("s1", "term_a", 1);
    server.tell("s1", "term_a", { title: "", kind: "switch_mode", status: "failed" });
    expect(shown(workspace)).toEqual([["acp/s1", "npm test: exited with code 1"]]);
    expect(described(workspace, "term_a")).toBe("switch mode: failed\nexited with code 1");
  });

  test("have their tool call from the list, for a page that comes later", async () => {
    const { server, workspace, client } = await setUp();
    server.run("s1", "term_a", tests);
    server.tell("s1", "term_a", { title: "Test", kind: "execute", status: "completed" });
    await settled();
    const late = new Workspace(client);
    await late.refresh();
    expect(shown(late)).toEqual([["acp/s1", "Test: running"]]);
    expect(shown(workspace)).toEqual(shown(late));
  });

  test("have the tool call that an event told of while the list was on its way, else that of the list", async () => {
    const { server, workspace, client } = await setUp();
    server.run("s1", "term_a", tests);
    await settled();
    const old = await client.list();
    const list = vi.spyOn(client, "list").mockImplementation(async () => {
      server.tell("s1", "term_a", { title: "Test", kind: "execute", status: "completed" });
      return old;
    });
    await workspace.refresh();
    expect(described(workspace, "term_a")).toBe("npm test\nexecute: completed\nrunning");
    const later = { title: "Test again", kind: "execute", status: "pending" } as const;
    list.mockResolvedValue(old.map((info) => ({ ...info, toolCall: later })));
    await workspace.refresh();
    expect(shown(workspace)).toEqual([["acp/s1", "Test again: running"]]);
    expect(described(workspace, "term_a")).toBe("npm test\nexecute: pending\nrunning");
  });

  test("go when their agent is done with them", async () => {
    const { server, workspace } = await setUp();
    server.run("s1", "term_a", tests);
    await settled();
    server.release("s1", "term_a");
    await workspace.refresh();
    expect(shown(workspace)).toEqual([]);
  });

  test("that are gone before anybody could ask are not in the list", async () => {
    const { server, workspace, client } = await setUp();
    vi.spyOn(client, "list").mockResolvedValue([]);
    server.run("s1", "term_a", tests);
    await settled();
    expect(shown(workspace)).toEqual([]);
  });

  test("that could not be started are learnt of by their end, which is all that is told of them", async () => {
    const { server, workspace } = await setUp();
    server.cannotRun("s1", "term_a", tests);
    await settled();
    expect(shown(workspace)).toEqual([["acp/s1", "npm test: command not found (code 127)"]]);
  });

  test("are asked about in their own thread, and once for all that begin at a time", async () => {
    const { server, workspace } = await setUp();
    const before = lists(server).length;
    for (let i = 0; i < 50; i++) server.run("s1", `term_${i}`, tests);
    await settled();
    const asked = lists(server).slice(before);
    expect(asked.map((body) => body.threadId)).toEqual(["acp/s1", "acp/s1"]);
    expect(shown(workspace)[0]).toHaveLength(51);
  });

  test("stay ended, though a list that was made before comes after the end", async () => {
    const { server, workspace, client } = await setUp();
    server.run("s1", "term_a", tests);
    await settled();
    const old = await client.list();
    server.exit("s1", "term_a", 0);
    vi.spyOn(client, "list").mockResolvedValue(old);
    await workspace.refresh();
    expect(shown(workspace)).toEqual([["acp/s1", "npm test: exited with code 0"]]);
  });

  test("come behind the shells, sessions and programs in the order they began", async () => {
    const { server, workspace, client } = await setUp();
    await client.open({ threadId: "zoo", cwd: "/" });
    server.run("s2", "term_z", { ...tests, commandLine: "first" });
    server.now = "2026-06-14T08:00:01.000Z";
    server.run("s2", "term_a", { ...tests, commandLine: "second" });
    server.now = "2026-06-14T08:00:02.000Z";
    server.run("s1", "term_b", { ...tests, commandLine: "third" });
    await workspace.refresh();
    expect(shown(workspace).map(([threadId]) => threadId)).toEqual(["zoo", "acp/s2", "acp/s1"]);
    expect(shown(workspace)[1]?.slice(1)).toEqual(["first: running", "second: running"]);
  });

  test("say whether they take what is typed", async () => {
    const { server, workspace } = await setUp();
    server.run("s1", "term_a", tests);
    server.run("s1", "term_b", prompt);
    await settled();
    const takes = (terminalId: string) => workspace.get(keyOf({ threadId: "acp/s1", terminalId }))?.program?.takesInput;
    expect([takes("term_a"), takes("term_b")]).toEqual([false, true]);
  });
});

describe("a program that takes no input", () => {
  test("is watched by who attaches, at its own size, and refuses all that would change it", async () => {
    const { server, client } = await setUp();
    server.run("s1", "term_a", tests);
    const place = { threadId: "acp/s1", terminalId: "term_a" };
    const terminal = await client.open({ ...place, cwd: "/", attach: true });
    expect(terminal.snapshot).toMatchObject({ cols: 120, rows: 40 });
    await expect(terminal.write("x")).rejects.toMatchObject({ code: "denied" });
    await expect(terminal.resize({ cols: 80, rows: 24 })).rejects.toMatchObject({ code: "denied" });
    await expect(terminal.restart()).rejects.toMatchObject({ code: "denied" });
    expect(server.terminal("acp/s1", "term_a").written).toBe("");
  });

  test("has no shell beside it", async () => {
    const { server, client } = await setUp();
    const opened = outcome(client.open({ threadId: "acp/s1", cwd: "/" }));
    await settled();
    expect(opened.error).toMatchObject({ code: "bad_request" });
    expect(server.terminals.size).toBe(0);
  });
});
