import { vi } from "vitest";
import { connect, replay, type ClientOptions, type PtydClient, type Snapshot, type Terminal } from "../src/index.ts";
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

/// The outcome of a promise so far, without waiting for it.
export function outcome<T>(promise: Promise<T>): { value?: T; error?: unknown; done: boolean } {
  const result: { value?: T; error?: unknown; done: boolean } = { done: false };
  promise.then(
    (value) => Object.assign(result, { value, done: true }),
    (error: unknown) => Object.assign(result, { error, done: true }),
  );
  return result;
}

/// A terminal as a client that opened it sees it.
export interface Seen {
  terminal: Terminal;
  /// The text that a screen would show: resets start it anew.
  text: string;
  resets: Snapshot[];
}

export async function opened(client: PtydClient, threadId = "t"): Promise<Seen> {
  const terminal = await client.open({ threadId, cwd: "/srv", cols: 80, rows: 24 });
  const seen: Seen = { terminal, text: replay(terminal.snapshot), resets: [] };
  terminal.onOutput.on((data) => void (seen.text += data));
  terminal.onReset.on((snapshot) => {
    seen.resets.push(snapshot);
    seen.text = replay(snapshot);
  });
  await settled();
  return seen;
}

/// A client with one terminal open.
export async function setUp() {
  const { server, client } = await connected();
  const seen = await opened(client);
  return { server, client, seen, terminal: seen.terminal };
}

/// The first wait of the back-off.
export const reconnect = () => vi.advanceTimersByTimeAsync(500);

/// Keeps timers that begin from now on until run(), as in a page that is busy or hidden.
export function withoutTimers(): { run: () => void } {
  const late: (() => void)[] = [];
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void) => late.push(run)) as never);
  const run = () => {
    spy.mockRestore();
    for (const each of late.splice(0)) each();
  };
  return { run };
}
