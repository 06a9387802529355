import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { socketUrl } from "../src/client.ts";
import { kMaxQueuedCalls } from "../src/connection.ts";
import { connect, type ConnectionState } from "../src/index.ts";
import { kTimings } from "../src/timings.ts";
import { FakeServer } from "./fake_server.ts";
import { connected, outcome, reconnect, settled, setUp } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const names = (states: ConnectionState[]) => states.map((state) => state.name);

describe("a connection", () => {
  test("waits 0.5, 1, 2, 4, 8, 8 seconds between attempts, and 0.5 again after a success", async () => {
    const { server, client } = await connected();
    server.refuses = true;
    const waits: number[] = [];
    client.onState.on((state) => {
      if (state.name === "reconnecting") waits.push(state.retryAt - Date.now());
    });
    server.socket.end(1006);
    await vi.advanceTimersByTimeAsync(500 + 1000 + 2000 + 4000 + 8000);
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    server.refuses = false;
    await vi.advanceTimersByTimeAsync(8000);
    expect(client.state.name).toBe("open");
    server.socket.end(1006);
    expect(waits.at(-1)).toBe(500);
  });

  test("spreads its attempts by the jitter", async () => {
    const { server, client } = await connected({ random: () => 1 });
    server.socket.end(1006);
    expect(client.state).toMatchObject({ name: "reconnecting", retryAt: Date.now() + 600 });
  });

  test("tells its states in order", async () => {
    const { server, client } = await connected();
    const states: ConnectionState[] = [];
    client.onState.on((state) => states.push(state));
    server.socket.end(1006);
    await vi.advanceTimersByTimeAsync(500);
    client.dispose();
    expect(names(states)).toEqual(["reconnecting", "connecting", "open", "closed"]);
  });

  test("tries at once when told to", async () => {
    const { server, client } = await connected();
    server.socket.end(1006);
    client.retryNow();
    await settled();
    expect(client.state.name).toBe("open");
    expect(server.sockets).toHaveLength(2);
  });

  test("gives up a socket that neither opens nor fails", async () => {
    const server = new FakeServer();
    server.acceptsAtOnce = false;
    const client = connect("http://host/", { webSocket: server.webSocket });
    await vi.advanceTimersByTimeAsync(kTimings.connect - 1);
    expect(client.state.name).toBe("connecting");
    await vi.advanceTimersByTimeAsync(1);
    expect(client.state.name).toBe("reconnecting");
  });

  test("says so when the credential is not accepted, and fails what waits", async () => {
    const server = new FakeServer();
    server.refuses = true;
    const client = connect("http://host/", { webSocket: server.webSocket, checkAccess: async () => "denied" });
    const list = outcome(client.list());
    await settled();
    expect(client.state.name).toBe("unauthorised");
    expect(list.error).toMatchObject({ code: "unauthorised" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.sockets).toHaveLength(1);
    server.refuses = false;
    client.retryNow();
    await settled();
    expect(client.state.name).toBe("open");
  });

  test("is told to who waits for it, once it is there", async () => {
    const server = new FakeServer();
    server.refuses = true;
    const client = connect("http://host/", { webSocket: server.webSocket, checkAccess: async () => "denied" });
    const open = outcome(client.whenOpen());
    await settled();
    expect(open.done).toBe(false);
    server.refuses = false;
    client.retryNow();
    await settled();
    expect(open.done).toBe(true);
    await client.whenOpen();
  });

  test("notices a half-open socket by its silence", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.list");
    await vi.advanceTimersByTimeAsync(kTimings.silence + kTimings.check - 1);
    expect(server.sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await settled();
    expect(server.sockets).toHaveLength(2);
    expect(client.state.name).toBe("open");
  });

  test("is not proved alive by what was on its way before the check", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.list");
    client.check();
    server.socket.push("other", {});
    await vi.advanceTimersByTimeAsync(kTimings.check - 1);
    expect(server.sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.sockets).toHaveLength(2);
  });

  test("is not given up while something comes", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.list");
    client.check();
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(kTimings.check - 1);
      server.socket.push("other", {});
    }
    expect(server.sockets).toHaveLength(1);
  });

  test("is checked anew before terminals ask for their snapshots", async () => {
    const { server } = await setUp();
    server.socket.end(1006);
    await reconnect();
    expect(server.socket.received.map((body) => body._tag)).toEqual(["terminal.list", "terminal.open"]);
  });

  test.each(["open", "snapshot"] as const)("is not given up while its check waits behind terminal.%s", async (method) => {
    const { server, client } = await connected();
    for (const silent of [`terminal.${method}`, "terminal.list"]) server.silent.add(silent);
    const call = outcome<unknown>(client[method]({ threadId: "t", cwd: "/" }));
    await vi.advanceTimersByTimeAsync(kTimings.request - 1);
    expect(server.sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(call.error).toMatchObject({ code: "timeout" });
    expect(server.sockets).toHaveLength(2);
  });

  test.each([0, kTimings.silence + 1])("has no such time when the network changes after %i ms", async (passed) => {
    const { server, client } = await connected();
    for (const silent of ["terminal.open", "terminal.list"]) server.silent.add(silent);
    outcome(client.open({ threadId: "t", cwd: "/" }));
    await vi.advanceTimersByTimeAsync(passed);
    client.check();
    await vi.advanceTimersByTimeAsync(kTimings.check - 1);
    client.check(); // does not put it off
    expect(server.sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.sockets).toHaveLength(2);
  });

  test("is given up as soon for an answer that comes behind its check", async () => {
    const { server, client } = await connected();
    for (const silent of ["terminal.open", "terminal.list"]) server.silent.add(silent);
    client.check();
    outcome(client.open({ threadId: "t", cwd: "/" }));
    await vi.advanceTimersByTimeAsync(kTimings.check);
    expect(server.sockets).toHaveLength(2);
  });

  test("waits as long as it is told to, where it is told", async () => {
    const { server, client } = await connected({ timings: { silence: 40, check: 10, retries: [7] } });
    server.silent.add("terminal.list");
    await vi.advanceTimersByTimeAsync(40 + 10);
    expect(server.sockets).toHaveLength(2);
    server.socket.end(1006);
    expect(client.state).toMatchObject({ name: "reconnecting", retryAt: Date.now() + 7 });
  });

  test("is told of when input has no answer, and given up within 8 seconds", async () => {
    const { server, client, terminal } = await setUp();
    const states: ConnectionState[] = [];
    client.onState.on((state) => states.push(state));
    for (const method of ["terminal.write", "terminal.list"]) server.silent.add(method);
    const typed = Date.now();
    terminal.write("l").catch(() => undefined);
    await vi.advanceTimersByTimeAsync(kTimings.answer - 1);
    expect(states).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(states).toEqual([{ name: "open", unansweredSince: typed }]);
    await vi.advanceTimersByTimeAsync(8000 - kTimings.answer);
    expect(names(states)).toContain("reconnecting");
    expect(server.sockets).toHaveLength(2);
  });

  test("is well again when anything comes", async () => {
    const { server, client, terminal } = await setUp();
    for (const method of ["terminal.write", "terminal.list"]) server.silent.add(method);
    terminal.write("l").catch(() => undefined);
    await vi.advanceTimersByTimeAsync(kTimings.answer);
    const states: ConnectionState[] = [];
    client.onState.on((state) => states.push(state));
    server.socket.push("other", {});
    expect(states).toEqual([{ name: "open" }]);
    await vi.advanceTimersByTimeAsync(kTimings.answer); // what was typed has no answer yet
    expect(states.at(-1)).toMatchObject({ name: "open", unansweredSince: expect.any(Number) as number });
  });

  test("is not doubted for a paste that takes its time, nor for keys behind it", async () => {
    const { server, client, terminal } = await setUp();
    server.silent.add("terminal.write");
    const states: ConnectionState[] = [];
    client.onState.on((state) => states.push(state));
    terminal.write("x".repeat(10_000)).catch(() => undefined);
    terminal.write("l").catch(() => undefined);
    await vi.advanceTimersByTimeAsync(kTimings.silence - 1);
    expect(states).toEqual([]);
  });

  test("is not doubted for a call that takes its time", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.snapshot");
    const before = server.socket.received.length;
    const states: ConnectionState[] = [];
    client.onState.on((state) => states.push(state));
    client.snapshot({ threadId: "t" }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(kTimings.silence - 1);
    expect(states).toEqual([]);
    expect(server.socket.received).toHaveLength(before + 1);
  });

  test("is not checked while the other side talks", async () => {
    const { server } = await connected();
    const before = server.socket.received.length;
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(kTimings.silence - 1);
      server.socket.push("other", {});
    }
    expect(server.socket.received).toHaveLength(before);
  });
});

describe("a call", () => {
  test("made without connection is sent on the next one", async () => {
    const { server, client } = await connected();
    server.socket.end(1006);
    const list = outcome(client.list());
    await vi.advanceTimersByTimeAsync(500);
    expect(list.value).toEqual([]);
  });

  test("times out after 60 seconds", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.close");
    const close = outcome(client.close({ threadId: "t" }));
    for (let waited = 0; waited < kTimings.request - 1000; waited += 1000) {
      server.socket.push("other", {});
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(close.done).toBe(false);
    server.socket.push("other", {});
    await vi.advanceTimersByTimeAsync(1000);
    expect(close.error).toMatchObject({ code: "timeout" });
  });

  test("that may be repeated is sent again when the connection breaks", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.close");
    const close = outcome(client.close({ threadId: "t" }));
    server.silent.clear();
    server.socket.end(1006);
    await vi.advanceTimersByTimeAsync(500);
    expect(close).toEqual({ done: true, value: undefined });
  });

  test("is not sent on a socket that is closing, but on the next", async () => {
    const { server, client } = await connected();
    const closing = server.socket;
    closing.readyState = 2;
    const before = closing.received.length;
    const list = outcome(client.list());
    expect(closing.received).toHaveLength(before);
    closing.end(1006);
    await vi.advanceTimersByTimeAsync(500);
    expect(list.value).toEqual([]);
  });

  test("fails with the server's code and words", async () => {
    const { server, client } = await connected();
    server.errors.set("terminal.list", [{ message: "body.threadId: too long", code: "bad_request" }]);
    const list = outcome(client.list("t"));
    await settled();
    expect(list.error).toMatchObject({ name: "PtydError", code: "bad_request", message: "body.threadId: too long" });
  });

  test("fails as refused when the code is unknown", async () => {
    const { server, client } = await connected();
    server.errors.set("terminal.list", [{ message: "no", code: "a-code-from-2030" }]);
    const list = outcome(client.list());
    await settled();
    expect(list.error).toMatchObject({ code: "refused", message: "no" });
  });

  test("is refused when 1000 wait, not before", async () => {
    const { server, client } = await connected();
    server.socket.end(1006);
    for (let i = 0; i < kMaxQueuedCalls - 1; i++) outcome(client.list());
    const last = outcome(client.list());
    const tooMany = outcome(client.list());
    await settled();
    expect(last.done).toBe(false);
    expect(tooMany.error).toMatchObject({ code: "queue_full" });
    client.dispose();
    await settled();
  });

  test("ends with the client", async () => {
    const { server, client } = await connected();
    server.silent.add("terminal.close");
    const close = outcome(client.close({ threadId: "t" }));
    client.dispose();
    await settled();
    expect(close.error).toMatchObject({ code: "closed" });
    await expect(client.list()).rejects.toMatchObject({ code: "closed" });
  });
});

describe("messages", () => {
  test("that are no JSON, or nobody's, are passed over", async () => {
    const { server, client } = await connected();
    for (const data of ["", "{", "[]", "null", "7", '{"id":"999","result":1}', '{"type":"push","channel":"x"}']) {
      server.socket.onmessage?.({ data } as never);
    }
    expect(client.state.name).toBe("open");
  });

  test("in binary frames are read as text", async () => {
    const { server, client } = await connected();
    const text = JSON.stringify({
      type: "push",
      sequence: 9,
      channel: "server.welcome",
      data: { cwd: "/x", projectName: "x" },
    });
    server.socket.onmessage?.({ data: new TextEncoder().encode(text) } as never);
    expect(client.welcome).toMatchObject({ cwd: "/x" });
  });

  test("welcome is known after the first answer", async () => {
    const { client } = await connected();
    expect(client.welcome).toMatchObject({ cwd: "/srv", homeDir: "/home/u" });
  });
});

test.each([
  ["http://127.0.0.1:7681/", undefined, "ws://127.0.0.1:7681/ws"],
  ["https://box/tools/term/", undefined, "wss://box/tools/term/ws"],
  ["https://box/tools/term/index.html?x=1#/a/b", undefined, "wss://box/tools/term/ws?x=1"],
  ["ws://box/ws", "s/3 cret", "ws://box/ws?token=s%2F3+cret"],
])("the socket of %s (token %s) is %s", (base, token, url) => {
  expect(socketUrl(base, token)).toBe(url);
});
