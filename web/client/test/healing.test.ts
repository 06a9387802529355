import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { outcome, reconnect, settled, setUp, withoutTimers } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/// Text that draws the whole of a terminal with 24 rows.
const whole = (above: string, rest: string) => `\x1bc${above}${"\n".repeat(23)}<${rest}screen>`;

/// A terminal with lines above its screen.
async function withLines(first: number, ...lines: string[]) {
  const made = await setUp();
  const { above } = made.server.terminal("t");
  above.first = first;
  above.lines.push(...lines);
  return { ...made, above };
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const result = outcome(promise);
  await settled();
  return (result.error as { code?: unknown } | undefined)?.code;
}

describe("healing", () => {
  test("is wanted once lines were skipped", async () => {
    const { server, terminal, seen } = await setUp();
    const skipped: number[] = [];
    terminal.onResynced.on((lines) => skipped.push(lines));
    server.say("t", { type: "resynced", skippedLines: 12 });
    server.print("t", "the present");
    expect(skipped).toEqual([12]);
    expect(seen.text).toBe("the present");
  });

  test("gives all lines in pages and the screen below them, before the output that follows", async () => {
    const { server, terminal, seen } = await withLines(7, "a", "b", "c", "d", "e");
    const healed = terminal.heal(4).then((text) => void (seen.text = text));
    await settled();
    server.print("t", "late");
    await healed;
    await settled();
    const kept = "[ptyd: earlier lines are beyond the scrollback]\r\nc\r\nd\r\ne\r\n";
    expect(seen.text).toBe(`${whole(kept, "")}late`);
    const asked = server.socket.bodies("terminal.snapshot").map(({ fromLine, scrollback }) => ({ fromLine, scrollback }));
    expect(asked).toEqual([{ scrollback: 3 }, { fromLine: 11, scrollback: 3 }]);
    const { after, ...opened } = server.socket.bodies("terminal.open").at(-1) ?? {};
    expect(after).toBeUndefined();
    expect(opened).toMatchObject({ threadId: "t", attach: true, streamOutput: true, fromLine: 12 });
  });

  test.each([
    ["there are as many as there is room for", 0, 0, 4, "a\r\nb\r\nc\r\n"],
    ["all before them were cleared", 7, 7, 4, "a\r\nb\r\nc\r\n"],
    ["there is no room at all", 7, 0, 1, ""],
  ])("says nothing of earlier lines where %s", async (_, first, uncleared, scrollback, lines) => {
    const { terminal, above } = await withLines(first, "a", "b", "c");
    above.uncleared = uncleared;
    const healed = outcome(terminal.heal(scrollback));
    await settled();
    expect(healed.value).toBe(whole(lines, ""));
  });

  test.each([undefined, 5000])("says that the server keeps no earlier lines, for a depth of %s", async (scrollback) => {
    const { terminal } = await withLines(7, "a");
    const healed = outcome(terminal.heal(scrollback));
    await settled();
    expect(healed.value).toBe(whole("[ptyd: earlier lines are beyond the scrollback]\r\na\r\n", ""));
  });

  test("leaves the link free between pages for as long as one took", async () => {
    const { server, terminal } = await withLines(0, "a", "b", "c", "d");
    server.beforeAnswer = () => vi.setSystemTime(Date.now() + 80);
    const healed = outcome(terminal.heal());
    const pages = () => server.socket.bodies("terminal.snapshot").length;
    await settled();
    expect(pages()).toBe(1);
    await vi.advanceTimersByTimeAsync(79);
    expect(pages()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(pages()).toBe(2);
    await settled();
    expect(healed.value).toBe(whole("a\r\nb\r\nc\r\nd\r\n", ""));
  });

  test("tells the emulator as it looks when the screen is asked for", async () => {
    const { server, terminal } = await withLines(0, "a");
    const colors = { foreground: "#000000", background: "#ffffff" } as never;
    server.beforeAnswer = (tag) => {
      if (tag === "terminal.snapshot") void terminal.describe({ colors });
    };
    outcome(terminal.heal());
    await settled();
    expect(server.socket.bodies("terminal.open").at(-1)).toMatchObject({ colors, historyFormat: "repaint" });
  });

  test("takes lines that go by meanwhile with the screen", async () => {
    const { server, terminal, above } = await withLines(0, "a", "b", "c");
    const healed = outcome(terminal.heal());
    above.lines.push("d");
    await settled();
    expect(healed.value).toBe(whole("a\r\nb\r\nc\r\nd\r\n", ""));
    expect(server.socket.bodies("terminal.open")).toHaveLength(2);
  });

  test("begins anew when lines go that it has not fetched yet", async () => {
    const { server, terminal, above } = await withLines(0, "a", "b", "c", "d");
    let answers = 0;
    server.beforeAnswer = () => {
      answers += 1;
      if (answers !== 2) return;
      above.first = 3;
      above.lines.splice(0, 3);
    };
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.value).toBe(whole("[ptyd: earlier lines are beyond the scrollback]\r\nd\r\n", ""));
  });

  test("begins anew when the program clears what was fetched", async () => {
    const { server, terminal, above } = await withLines(0, "a", "b");
    let opens = 0;
    server.beforeAnswer = (tag) => {
      if (tag !== "terminal.open" || opens++ > 0) return;
      above.first = above.uncleared = 2;
      above.lines.splice(0, 2);
    };
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.value).toBe(whole("", ""));
  });

  test("goes on where nothing was above the screen", async () => {
    const { terminal, above } = await withLines(3);
    above.uncleared = 3;
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.value).toBe(whole("", ""));
  });

  test("leaves the snapshot that of the reset", async () => {
    const { terminal } = await withLines(0, "a");
    const { history, cursor } = terminal.snapshot;
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.value).toBe(whole("a\r\n", ""));
    expect(terminal.snapshot).toMatchObject({ history, cursor });
  });

  test("leaves all but the state of the program to the snapshot that can be replayed", async () => {
    const { server, terminal } = await withLines(0, "a");
    const modes = { replayPreamble: "\x1b[?7l", history: "raw", cursor: "i100.1", resumed: false };
    server.say("t", { type: "restarted", snapshot: { ...terminal.snapshot, ...modes } });
    const before = terminal.snapshot;
    server.beforeAnswer = (tag) => {
      if (tag !== "terminal.open") return;
      const exit = { exitCode: 3, exitSignal: null };
      Object.assign(server.terminal("t"), { pid: null, exit, size: { cols: 80, rows: 30 } });
    };
    outcome(terminal.heal());
    await settled();
    const state = { status: "exited", pid: null, exitCode: 3, exitSignal: null, cols: 80, rows: 30 };
    expect(terminal.snapshot).toEqual({ ...before, ...state });
  });

  test("takes its place behind what waits for its listeners, and is resumed from there", async () => {
    const { server, terminal, seen, above } = await withLines(0, "a");
    const late = withoutTimers();
    let opens = 0;
    server.beforeAnswer = (tag) => {
      if (tag === "terminal.open" && opens++ === 0) above.first += 10;
      if (tag === "terminal.snapshot" && opens === 1) server.print("t", "before");
    };
    await terminal.heal().then((text) => void (seen.text = text));
    server.print("t", "behind");
    late.run();
    const beyond = "[ptyd: earlier lines are beyond the scrollback]\r\n";
    expect(seen.text).toBe(`${whole(`${beyond}a\r\n`, "")}behind`);
    server.print("t", "last");
    server.socket.end(1006);
    await reconnect();
    expect(seen.text.endsWith("behindlast")).toBe(true);
  });

  test("is done once at a time", async () => {
    const { terminal } = await withLines(0, "a", "b");
    const healed = outcome(terminal.heal());
    expect(await codeOf(terminal.heal())).toBe("busy");
    expect(healed.value).toBe(whole("a\r\nb\r\n", ""));
    const again = outcome(terminal.heal());
    await settled();
    expect(again.value).toBe(healed.value);
  });

  test("that comes too late is given up when that goes on, and nothing is told twice", async () => {
    const { server, terminal, seen, above } = await withLines(0, "a");
    server.print("t", "printed");
    server.beforeAnswer = (tag) => {
      if (tag === "terminal.open") above.first += 10;
    };
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.error).toMatchObject({ code: "busy" });
    expect(seen.text).toBe("printed");
  });

  test("that comes too late is output as any other where some was not told", async () => {
    const { server, terminal, seen, above } = await withLines(0, "a");
    server.beforeAnswer = (tag) => {
      if (tag !== "terminal.open") return;
      above.first += 10;
      server.socket.streams.clear();
      server.print("t", "not told");
    };
    const healed = outcome(terminal.heal());
    await settled();
    expect(healed.error).toMatchObject({ code: "busy" });
    expect(seen.text).toBe("<a|screen>".repeat(3));
    expect(seen.resets).toEqual([]);
  });

  test("ends when it is not wanted any more, at a page or at the reply", async () => {
    const { server, terminal, seen } = await withLines(0, "a", "b", "c");
    let wanted = 1;
    expect(await codeOf(terminal.heal(5000, () => wanted-- > 0))).toBe("cancelled");
    expect(server.socket.bodies("terminal.open")).toHaveLength(1);
    wanted = 2;
    expect(await codeOf(terminal.heal(5000, () => wanted-- > 0))).toBe("cancelled");
    expect(server.socket.bodies("terminal.open")).toHaveLength(2);
    server.print("t", "on it goes");
    await settled();
    expect(seen.text).toBe("on it goes");
  });

  test("ends when its handle is released, of which the server hears nothing more", async () => {
    const { server, terminal } = await withLines(0, "a", "b", "c");
    server.beforeAnswer = (tag) => {
      if (tag === "terminal.snapshot") terminal.detach();
    };
    expect(await codeOf(terminal.heal())).toBe("cancelled");
    expect(server.socket.bodies("terminal.open").map((body) => body.streamOutput)).toEqual([true, false]);
  });

  test("is not to be had without a connection, and what was missed follows", async () => {
    const { server, seen, terminal } = await setUp();
    server.silent.add("terminal.open");
    const healed = outcome(terminal.heal());
    await settled();
    server.socket.end(1006);
    server.silent.clear();
    await reconnect();
    server.print("t", "after");
    await settled();
    expect(healed.error).toMatchObject({ code: "outcome_unknown" });
    expect(seen.text).toBe("after");
    expect(seen.resets).toEqual([]);
  });
});
