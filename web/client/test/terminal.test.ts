import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { kTimings } from "../src/timings.ts";
import { connected, opened, outcome, reconnect, settled, setUp } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("output", () => {
  test("arrives in order after the snapshot", async () => {
    const { server, seen } = await setUp();
    for (const data of ["a", "b", "c"]) server.print("t", data);
    expect(seen.text).toBe("abc");
  });

  test("that follows the opening reply at once waits for the opener to listen", async () => {
    const { server, client } = await connected();
    await opened(client, "t");
    server.socket.end(1006);
    await reconnect();
    const terminal = await client.open({ threadId: "u", cwd: "/" });
    server.print("u", "early");
    let text = "";
    terminal.onOutput.on((data) => void (text += data));
    await settled();
    expect(text).toBe("early");
  });

  test("missed during a cut follows as it was, nothing twice", async () => {
    const { server, seen } = await setUp();
    server.print("t", "before ");
    server.socket.end(1006);
    server.print("t", "during ");
    await reconnect();
    server.print("t", "after");
    expect(seen.text).toBe("before during after");
    expect(seen.resets).toEqual([]);
  });

  test("is taken from a snapshot when the server cannot resume", async () => {
    const { server, seen } = await setUp();
    server.print("t", "before ");
    server.socket.end(1006);
    server.terminal("t").incarnation = "other";
    server.print("t", "during ");
    await reconnect();
    server.print("t", "after");
    expect(seen.text).toBe("before during after");
    expect(seen.resets).toHaveLength(1);
  });

  test("of the old socket and of lifecycle pushes before the reply is not taken twice", async () => {
    const { server, terminal } = await setUp();
    const exits: unknown[] = [];
    terminal.onExit.on((exit) => exits.push(exit));
    const old = server.socket;
    old.end(1006);
    server.acceptsAtOnce = false;
    await reconnect();
    server.say("t", { type: "exited", exitCode: 3, exitSignal: null });
    const socket = server.socket;
    socket.open = true;
    socket.push("terminal.event", server.terminal("t").events.at(-1) as never);
    socket.accept();
    old.push("terminal.event", server.terminal("t").events.at(-1) as never);
    await settled();
    expect(exits).toEqual([{ exitCode: 3, exitSignal: null }]);
  });

  test("survives a hundred cuts at any place", async () => {
    const { server, seen } = await setUp();
    let expected = "";
    for (let i = 0; i < 100; i++) {
      const line = `${i};`;
      expected += line;
      server.print("t", line);
      if (i % 3 === 0) server.socket.end(i % 2 === 0 ? 1006 : 1001);
      if (i % 3 === 1) await reconnect();
    }
    await reconnect();
    expect(seen.text).toBe(expected);
  });

  test("re-attaching keeps the size and asks for the features", async () => {
    const { server } = await setUp();
    server.socket.end(1006);
    await reconnect();
    const [body] = server.socket.bodies("terminal.open");
    expect(body).toMatchObject({ attach: true, threadId: "t", terminalId: "default", cwd: "/srv" });
    expect(body?.features).toContain("resized");
    expect(body).not.toHaveProperty("cols");
  });
});

describe("input", () => {
  test("is written in order, long and short", async () => {
    const { server, terminal } = await setUp();
    const paste = "😀".repeat(100_000);
    const done = outcome(Promise.all([terminal.write("a"), terminal.write(paste), terminal.write("b")]));
    await settled();
    expect(done.done).toBe(true);
    expect(server.terminal("t").written).toBe(`a${paste}b`);
    for (const body of server.socket.bodies("terminal.write")) {
      expect(String(body.data).length).toBeLessThanOrEqual(65536);
      expect(String(body.data).isWellFormed()).toBe(true);
    }
  });

  test("is sent again after an orderly close", async () => {
    const { server, terminal } = await setUp();
    server.silent.add("terminal.write");
    const first = outcome(terminal.write("one "));
    const second = outcome(terminal.write("two "));
    server.silent.clear();
    server.socket.end(1012);
    const third = outcome(terminal.write("three"));
    await reconnect();
    expect(server.terminal("t").written).toBe("one two three");
    for (const write of [first, second, third]) expect(write).toEqual({ done: true, value: undefined });
  });

  test("fails with an unknown outcome after a cut, and only what was in flight", async () => {
    const { server, terminal } = await setUp();
    server.silent.add("terminal.write");
    const first = outcome(terminal.write("one "));
    server.silent.clear();
    server.socket.end(1006);
    const second = outcome(terminal.write("two"));
    await reconnect();
    expect(first.error).toMatchObject({ code: "outcome_unknown" });
    expect(second).toEqual({ done: true, value: undefined });
    expect(server.terminal("t").written).toBe("two");
  });

  test("is not sent to another shell than the one it was typed for", async () => {
    const { server, terminal } = await setUp();
    server.socket.end(1006);
    const write = outcome(terminal.write("rm -r x\r"));
    server.terminal("t").pid = 4711;
    await reconnect();
    expect(write.error).toMatchObject({ code: "replaced" });
    expect(server.terminal("t").written).toBe("");
  });

  test("that found no connection for 60 seconds is dropped", async () => {
    const { server, terminal } = await setUp();
    server.refuses = true;
    server.socket.end(1006);
    const write = outcome(terminal.write("hello"));
    await vi.advanceTimersByTimeAsync(kTimings.input - 1);
    expect(write.done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(write.error).toMatchObject({ code: "timeout" });
  });

  test("that was written long after the connection had gone is dropped as well, and what is newer waits", async () => {
    const { server, terminal } = await setUp();
    server.refuses = true;
    server.socket.end(1006);
    await vi.advanceTimersByTimeAsync(10 * kTimings.input);
    const late = outcome(terminal.write("late"));
    await vi.advanceTimersByTimeAsync(kTimings.input - 1);
    const newer = outcome(terminal.write("newer"));
    await vi.advanceTimersByTimeAsync(1);
    expect([late.error, newer.done]).toEqual([expect.objectContaining({ code: "timeout" }), false]);
    await vi.advanceTimersByTimeAsync(kTimings.input);
    expect(newer.error).toMatchObject({ code: "timeout" });
  });

  test("is not given to the shell of a restart", async () => {
    const { server, seen, terminal } = await setUp();
    server.silent.add("terminal.write");
    const paste = outcome(terminal.write("p".repeat(200_000)));
    server.say("t", { type: "restarted", snapshot: { ...seen.terminal.snapshot, pid: 7, cursor: "i100.2" } });
    await settled();
    expect(paste.error).toMatchObject({ code: "replaced" });
    expect(server.socket.bodies("terminal.write")).toHaveLength(1);
  });

  test("waits for a shell that is being started", async () => {
    const { server, seen, terminal } = await setUp();
    const snapshot = { ...seen.terminal.snapshot, status: "starting", pid: null, cursor: "i100.2" } as const;
    server.say("t", { type: "restarted", snapshot });
    server.silent.add("terminal.write");
    const paste = outcome(terminal.write("p".repeat(200_000)));
    server.say("t", { type: "started", snapshot: { ...snapshot, status: "running", pid: 7, cursor: "i100.3" } });
    await settled();
    expect(paste.done).toBe(false);
  });

  test("refused as busy is sent again, before what was written later", async () => {
    const { server, terminal } = await setUp();
    server.errors.set("terminal.write", [
      { message: "full", code: "busy" },
      { message: "full", code: "busy" },
    ]);
    const done = outcome(Promise.all([terminal.write("x".repeat(5000)), terminal.write("y")]));
    await settled();
    expect(server.terminal("t").written).toBe("");
    await vi.advanceTimersByTimeAsync(50 + 100);
    expect(server.terminal("t").written).toBe("x".repeat(5000) + "y");
    expect(done.done).toBe(true);
  });

  test("can be cancelled as far as it was not sent", async () => {
    const { server, terminal } = await setUp();
    server.silent.add("terminal.write");
    const paste = outcome(terminal.write("p".repeat(200_000)));
    terminal.cancelInput();
    await settled();
    expect(paste.error).toMatchObject({ code: "cancelled" });
    expect(server.socket.bodies("terminal.write")).toHaveLength(1);
    expect(terminal.pendingInput).toBe(65536);
  });
});

describe("size", () => {
  test("is confirmed by the server, and only the last wanted one is sent", async () => {
    const { server, terminal } = await setUp();
    const sizes = [81, 82, 83].map((cols) => outcome(terminal.resize({ cols, rows: 24 })));
    await settled();
    expect(server.socket.bodies("terminal.resize").map((body) => body.cols)).toEqual([81, 83]);
    expect(sizes.every((size) => size.done && !size.error)).toBe(true);
    expect(terminal.snapshot).toMatchObject({ cols: 83, rows: 24 });
  });

  test("wanted during a cut is sent afterwards", async () => {
    const { server, terminal } = await setUp();
    server.silent.add("terminal.resize");
    const inFlight = outcome(terminal.resize({ cols: 90, rows: 30 }));
    server.silent.clear();
    server.socket.end(1006);
    const later = outcome(terminal.resize({ cols: 91, rows: 31 }));
    await reconnect();
    expect(server.terminal("t").size).toEqual({ cols: 91, rows: 31 });
    expect([inFlight.error, later.error]).toEqual([undefined, undefined]);
  });

  test("that is refused is refused to the one who asked", async () => {
    const { server, terminal } = await setUp();
    server.errors.set("terminal.resize", [{ message: "body.cols: 3 is below 20", code: "bad_request" }]);
    await expect(terminal.resize({ cols: 3, rows: 24 })).rejects.toMatchObject({ code: "bad_request" });
  });

  test("changed by another viewer is told at its place", async () => {
    const { server, terminal } = await setUp();
    const seen: unknown[] = [];
    terminal.onOutput.on((data) => void seen.push(data));
    terminal.onResized.on((size) => seen.push(size));
    server.print("t", "a");
    server.say("t", { type: "resized", cols: 40, rows: 10 });
    server.print("t", "b");
    expect(seen).toEqual(["a", { cols: 40, rows: 10 }, "b"]);
  });
});

describe("a terminal", () => {
  test("that the server forgot is gone, and is not made anew", async () => {
    const { server, terminal } = await setUp();
    server.terminals.clear();
    server.socket.end(1006);
    const write = outcome(terminal.write("x"));
    await reconnect();
    expect(terminal.attachment).toBe("gone");
    expect(write.error).toMatchObject({ code: "not_found" });
    expect(server.terminals.size).toBe(0);
  });

  test("restarted starts anew from the event's snapshot, once", async () => {
    const { server, seen } = await setUp();
    server.print("t", "old");
    const snapshot = { ...seen.terminal.snapshot, pid: 7, history: "", cursor: "i100.2" };
    server.say("t", { type: "restarted", snapshot });
    expect(seen.text).toBe("");
    expect(seen.resets).toHaveLength(1);
    expect(seen.terminal.snapshot.pid).toBe(7);
  });

  test.each(["restart", "clear"] as const)("does not carry out %s once it has waited too long", async (call) => {
    const { server, terminal } = await setUp();
    server.refuses = true;
    server.socket.end(1006);
    await vi.advanceTimersByTimeAsync(2 * kTimings.input);
    const late = outcome(terminal[call]());
    await vi.advanceTimersByTimeAsync(kTimings.input);
    expect(late.error).toMatchObject({ code: "timeout" });
    server.refuses = false;
    await vi.advanceTimersByTimeAsync(kTimings.retries.at(-1) ?? 0);
    expect(terminal.attachment).toBe("attached");
    expect(server.socket.bodies(`terminal.${call}`)).toEqual([]);
  });

  test("keeps its state up to date", async () => {
    const { server, terminal } = await setUp();
    server.say("t", { type: "exited", exitCode: null, exitSignal: 9 });
    expect(terminal.snapshot).toMatchObject({ status: "exited", pid: null, exitCode: null, exitSignal: 9 });
  });

  test("opened twice is one handle, without a replay", async () => {
    const { server, client, seen } = await setUp();
    server.print("t", "x");
    const again = await client.open({ threadId: "t", cwd: "/srv" });
    expect(again).toBe(seen.terminal);
    expect(seen).toMatchObject({ text: "x", resets: [] });
  });

  test("attached without existing is an error and no handle", async () => {
    const { client } = await connected();
    await expect(client.open({ threadId: "no", cwd: "/", attach: true })).rejects.toMatchObject({ code: "not_found" });
  });

  test("started while it is attached in vain is open for the one that starts it", async () => {
    const { server, client } = await connected();
    const answer = server.handle.bind(server);
    server.handle = (...asked) => void setTimeout(() => answer(...asked));
    const attached = outcome(client.open({ threadId: "t", cwd: "/", attach: true }));
    const started = outcome(client.open({ threadId: "t", cwd: "/srv" }));
    await vi.advanceTimersByTimeAsync(10);
    expect([attached.error, started.value?.attachment]).toEqual([expect.objectContaining({ code: "not_found" }), "attached"]);
  });

  test("released tells the server to stop sending", async () => {
    const { server, client, terminal } = await setUp();
    terminal.detach();
    await settled();
    const events: unknown[] = [];
    client.onEvent.on((event) => events.push(event));
    server.print("t", "x");
    expect(events).toEqual([]);
    await expect(terminal.write("x")).rejects.toMatchObject({ code: "closed" });
  });

  test("released and opened again is heard as before", async () => {
    const { server, client, terminal } = await setUp();
    terminal.detach();
    server.print("t", "unheard ");
    const again = await opened(client);
    server.print("t", "heard");
    expect(again.terminal).not.toBe(terminal);
    expect(again.text).toBe("unheard heard");
  });

  test("released by one while another opens it is open for the other", async () => {
    const { server, client, terminal } = await setUp();
    const second = opened(client);
    terminal.detach();
    const { attachment } = (await second).terminal;
    server.print("t", "heard");
    expect(attachment).toBe("attached");
    expect((await second).text).toBe("heard");
  });

  test("opened without its output stays so, until it is asked for: then all of it follows", async () => {
    const { server, client } = await connected();
    const headless = await client.open({ threadId: "t", cwd: "/srv", streamOutput: false });
    let text = "";
    headless.onOutput.on((data) => void (text += data));
    server.print("t", "a");
    await client.open({ threadId: "t", cwd: "/srv" });
    server.print("t", "b");
    server.socket.end(1006);
    await reconnect();
    server.print("t", "c");
    expect(text).toBe("");
    await client.open({ threadId: "t", cwd: "/srv", streamOutput: true });
    server.print("t", "d");
    server.socket.end(1006);
    await reconnect();
    server.print("t", "e");
    expect(text).toBe("abcde");
  });

  test("tells what its emulator looks like now, again after a cut, and replays nothing", async () => {
    const { server, seen, terminal } = await setUp();
    const colors = (ground: string) => ({ foreground: "#111111", background: ground, cursor: "#222222" });
    const told = () => server.socket.bodies("terminal.open").at(-1)?.colors;
    server.print("t", "x");
    await terminal.describe({ colors: colors("#ffffff") });
    expect(told()).toEqual(colors("#ffffff"));
    server.socket.end(1006);
    void terminal.describe({ colors: colors("#000000") });
    await reconnect();
    expect(told()).toEqual(colors("#000000"));
    expect(seen).toMatchObject({ text: "x", resets: [] });
  });

  test("passes over event types of a newer server", async () => {
    const { server, terminal, seen } = await setUp();
    const types: string[] = [];
    terminal.onEvent.on((event) => types.push(event.type));
    server.say("t", { type: "hologram" });
    server.print("t", "on");
    expect(seen.text).toBe("on");
    expect(types).toEqual(["hologram", "output"]);
  });
});
