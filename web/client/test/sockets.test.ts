import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { connect, type ClientOptions, type WebSocketLike } from "../src/index.ts";

/// Answers every request with an empty list, in frames of either kind.
let server: WebSocketServer;

beforeEach(async () => {
  server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id } = JSON.parse(String(data)) as { id: string };
      const answer = JSON.stringify({ id, result: { terminals: [] } });
      socket.send(Number(id) % 2 === 0 ? answer : new TextEncoder().encode(answer));
    });
  });
  await once(server, "listening");
});
afterEach(() => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});

const withPackage = (url: string) =>
  new WebSocket(url, { headers: { Authorization: "Bearer x" } }) as unknown as WebSocketLike;
const kinds: [string, ClientOptions][] = [["the ws package", { webSocket: withPackage }]];
if ("WebSocket" in globalThis) kinds.push(["the host's own WebSocket", {}]);

test.each(kinds)("a client over %s calls, is cut, comes back and calls again", async (_name, options) => {
  const { port } = server.address() as AddressInfo;
  const client = connect(`http://127.0.0.1:${port}/`, options);
  expect(await client.list()).toEqual([]);
  const lost = new Promise<void>((resolve) => client.onState.on((state) => state.name === "reconnecting" && resolve()));
  for (const socket of server.clients) socket.terminate();
  await lost;
  client.retryNow();
  expect(await client.list()).toEqual([]);
  client.dispose();
  expect(client.state.name).toBe("closed");
});

test("where there is no WebSocket, the client says that one is needed", () => {
  if ("WebSocket" in globalThis) return;
  expect(() => connect("http://127.0.0.1:1/")).toThrow(/webSocket option/);
});
