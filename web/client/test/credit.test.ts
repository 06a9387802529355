import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { kAckBytes, kAckDelay } from "../src/acks.ts";
import { reconnect, settled, setUp } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("credit", () => {
  test("goes back in portions once output is processed", async () => {
    const { server, terminal } = await setUp();
    const finish: (() => void)[] = [];
    terminal.onOutput.on(() => new Promise((resolve) => finish.push(resolve)));
    server.print("t", "x".repeat(kAckBytes - 1));
    server.print("t", "é");
    await vi.advanceTimersByTimeAsync(kAckDelay);
    expect(server.terminal("t").acknowledged).toBe(0);
    finish[0]?.();
    await settled();
    expect(server.terminal("t").acknowledged).toBe(0);
    finish[1]?.();
    await settled();
    expect(server.terminal("t").acknowledged).toBe(kAckBytes + 1);
  });

  test("of little output goes back after a moment", async () => {
    const { server } = await setUp();
    server.print("t", "$ ");
    await vi.advanceTimersByTimeAsync(kAckDelay - 1);
    expect(server.terminal("t").acknowledged).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.terminal("t").acknowledged).toBe(2);
  });

  test("for output of an old connection is not given on the new one", async () => {
    const { server, terminal } = await setUp();
    const finish: (() => void)[] = [];
    terminal.onOutput.on(() => new Promise((resolve) => finish.push(resolve)));
    server.print("t", "x".repeat(kAckBytes));
    server.socket.end(1006);
    await reconnect();
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(kAckDelay);
    expect(server.terminal("t").acknowledged).toBe(0);
  });

  test("for output from before a second open is not given behind its answer", async () => {
    const { server, client, terminal } = await setUp();
    const finish: (() => void)[] = [];
    terminal.onOutput.on(() => new Promise((resolve) => finish.push(resolve)));
    server.print("t", "x".repeat(kAckBytes));
    await client.open({ threadId: "t", cwd: "/srv" });
    finish[0]?.();
    await vi.advanceTimersByTimeAsync(kAckDelay);
    expect(server.terminal("t").acknowledged).toBe(0);
  });

  test("for what a released handle did not process goes back at once", async () => {
    const { server, terminal } = await setUp();
    terminal.onOutput.on(() => new Promise(() => undefined));
    server.print("t", "x".repeat(kAckBytes));
    server.print("t", "é");
    terminal.detach();
    await settled();
    expect(server.terminal("t").acknowledged).toBe(kAckBytes + 2);
  });

  test("for what nobody takes any more goes back at once, and counts against nobody", async () => {
    const { server, client, terminal } = await setUp();
    terminal.detach();
    await settled();
    const late = { type: "output", threadId: "t", terminalId: "default", createdAt: "", data: "é", byteLength: 2 };
    server.socket.push("terminal.event", late);
    await settled();
    expect(server.terminal("t").acknowledged).toBe(2);
    const again = client.open({ threadId: "t", cwd: "/srv" });
    server.socket.push("terminal.event", late);
    await again;
    await vi.advanceTimersByTimeAsync(kAckDelay);
    expect(server.terminal("t").acknowledged).toBe(4);
  });
});
