import { vi } from "vitest";
import { connect, type ClientOptions, type PtydClient } from "../src/index.ts";
import { FakeServer } from "./fake_server.ts";

/// A client of a fake server, connected, on fake timers. The back-off has no jitter.
export async function connected(options: ClientOptions = {}): Promise<{ server: FakeServer; client: PtydClient }> {
  const server = new FakeServer();
  const client = connect("http://host/", { webSocket: server.webSocket, random: () => 0.5, ...options });
  await settled();
  return { server, client };
}

/// Lets everything run that needs no more time to pass.
export async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

/// What a promise has come to, without waiting for it.
export function outcome<T>(promise: Promise<T>): { value?: T; error?: unknown; done: boolean } {
  const result: { value?: T; error?: unknown; done: boolean } = { done: false };
  promise.then(
    (value) => Object.assign(result, { value, done: true }),
    (error: unknown) => Object.assign(result, { error, done: true }),
  );
  return result;
}
