import { describe, expect, test } from "vitest";
import { Emitter } from "../../client/src/emitter.ts";
import type { TerminalEvent, TerminalInfo } from "../../client/src/index.ts";
import { keyOf, labelOf, stateOf } from "../src/entry.ts";
import { Workspace } from "../src/workspace.ts";

class FakeClient {
  readonly onEvent = new Emitter<[TerminalEvent]>();
  terminals: TerminalInfo[] = [];
  asked = 0;

  async list(): Promise<TerminalInfo[]> {
    this.asked += 1;
    return this.terminals;
  }

  say(event: Record<string, unknown>): void {
    this.onEvent.emit({ threadId: "t", terminalId: "default", createdAt: "", ...event } as TerminalEvent);
  }
}

const info = (change: Partial<TerminalInfo>): TerminalInfo => ({
  threadId: "t",
  terminalId: "default",
  status: "running",
  pid: 1,
  cwd: "/srv/app",
  cols: 80,
  rows: 24,
  title: "",
  exitCode: null,
  exitSignal: null,
  hasRunningSubprocess: false,
  cliKind: null,
  agentState: null,
  viewers: 0,
  updatedAt: "",
  ...change,
});

const place = { threadId: "t", terminalId: "default" };

async function setUp(...terminals: TerminalInfo[]): Promise<{ client: FakeClient; workspace: Workspace }> {
  const client = new FakeClient();
  client.terminals = terminals;
  const workspace = new Workspace(client);
  await workspace.refresh();
  return { client, workspace };
}

const state = (workspace: Workspace) => {
  const entry = workspace.get(keyOf(place));
  return entry && stateOf(entry);
};

describe("the workspace", () => {
  test("orders threads by name and terminals by age, the default one first", async () => {
    const { workspace } = await setUp(
      info({ threadId: "thread-10" }),
      info({ threadId: "thread-2", terminalId: "terminal-b" }),
      info({ threadId: "thread-2", terminalId: "default" }),
      info({ threadId: "thread-2", terminalId: "terminal-a" }),
    );
    expect(
      workspace.threads().map(({ threadId, entries }) => [threadId, entries.map((entry) => entry.terminalId)]),
    ).toEqual([
      ["thread-2", ["default", "terminal-a", "terminal-b"]],
      ["thread-10", ["default"]],
    ]);
  });

  test("orders an agent's programs by their start, whichever ended last", async () => {
    const program = (terminalId: string, startedAt: string, updatedAt: string) =>
      info({ threadId: "acp/s", terminalId, startedAt, updatedAt, status: "exited" });
    const { workspace } = await setUp(
      program("a", "2026-01-01T00:00:02.000Z", "2026-01-01T00:00:03.000Z"),
      program("b", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:09.000Z"),
    );
    const entries = workspace.threads()[0]?.entries ?? [];
    expect(entries.map((entry) => [entry.terminalId, entry.until])).toEqual([
      ["b", "2026-01-01T00:00:09.000Z"],
      ["a", "2026-01-01T00:00:03.000Z"],
    ]);
  });

  test("forgets what the server no longer lists", async () => {
    const { client, workspace } = await setUp(info({}));
    client.terminals = [];
    await workspace.refresh();
    expect(workspace.threads()).toEqual([]);
  });

  test("asks once for those who ask at the same time", async () => {
    const { client, workspace } = await setUp();
    await Promise.all([workspace.refresh(), workspace.refresh()]);
    expect(client.asked).toBe(2);
  });

  test("follows the events of a terminal", async () => {
    const { client, workspace } = await setUp(info({}));
    expect(state(workspace)).toBe("idle");
    client.say({ type: "activity", hasRunningSubprocess: true, cliKind: null, agentState: null });
    expect(state(workspace)).toBe("busy");
    client.say({ type: "activity", hasRunningSubprocess: true, cliKind: "claude", agentState: "attention" });
    expect(state(workspace)).toBe("claude asks for you");
    client.say({ type: "exited", exitCode: 2, exitSignal: null });
    expect(state(workspace)).toBe("exited with code 2");
    client.say({ type: "restarted", snapshot: { ...info({}), history: "" } });
    expect(state(workspace)).toBe("idle");
  });

  test.each([
    ["a start again", "exited with code 1", { type: "restarted", snapshot: { ...info({}), history: "" } }, "idle"],
    ["an end", "idle", { type: "exited", exitCode: 2, exitSignal: null }, "exited with code 2"],
    ["a failed start", "idle", { type: "error", message: "" }, "could not be started"],
  ])("keeps %s that was told while the list was on its way, and no longer", async (_, before, event, after) => {
    const old = before === "idle" ? info({ hasRunningSubprocess: false }) : info({ status: "exited", exitCode: 1 });
    const { client, workspace } = await setUp(old);
    expect(state(workspace)).toBe(before);
    const coming = workspace.refresh();
    client.say(event);
    await coming;
    expect(state(workspace)).toBe(after);
    await workspace.refresh();
    expect(state(workspace)).toBe(before);
  });

  test("keeps a terminal that was started while a list without it was on its way", async () => {
    const { client, workspace } = await setUp(info({}));
    client.terminals = [];
    const coming = workspace.refresh();
    client.say({ type: "started", snapshot: { ...info({}), history: "" } });
    await coming;
    expect(state(workspace)).toBe("idle");
  });

  test("asks anew behind the list that is on its way, whatever becomes of that", async () => {
    const { client, workspace } = await setUp();
    const failing = workspace.refresh().catch(() => "failed");
    client.terminals = [info({})];
    await Promise.all([failing, workspace.refreshAnew()]);
    expect(client.asked).toBe(3);
    expect(state(workspace)).toBe("idle");
  });

  test("learns of new terminals by their first event", async () => {
    const { client, workspace } = await setUp();
    client.say({ type: "started", snapshot: { ...info({ cwd: "/tmp" }), history: "" } });
    expect(workspace.get(keyOf(place))).toMatchObject({ cwd: "/tmp", status: "running" });
    client.say({ type: "exited", terminalId: "never seen", exitCode: 0, exitSignal: null });
    expect(workspace.threads()[0]?.entries).toHaveLength(1);
  });

  test("calls a terminal by the program in the foreground, and where that is", async () => {
    const { client, workspace } = await setUp(info({ process: "bash" }));
    client.say({ type: "process", process: "vim", cwd: "/srv/other" });
    expect(labelOf(workspace.get(keyOf(place)) as never)).toBe("vim · other");
  });

  test("calls a terminal by its title, else by its folder", async () => {
    const { client, workspace } = await setUp(info({}));
    const label = () => labelOf(workspace.get(keyOf(place)) as never);
    expect(label()).toBe("app");
    client.say({ type: "title", title: "vim\u0007x" });
    expect(label()).toBe("vim x");
  });

  test("keeps the mark of unread output over a refresh", async () => {
    const { workspace } = await setUp(info({}));
    workspace.setUnread(place, true);
    await workspace.refresh();
    expect(workspace.get(keyOf(place))?.unread).toBe(true);
  });
});
