// Terminals that come back where events wait for listeners.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connected, settled, withoutTimers } from "./support.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

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
