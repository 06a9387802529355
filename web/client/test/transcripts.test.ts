import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type Push } from "../src/connection.ts";
import type { WebSocketLike } from "../src/index.ts";
import { outcome, settled } from "./support.ts";

/// The protocol's own transcripts, which the server is held to, read by this client: each request is made, each answer
/// settles its request, each push arrives.
const folder = new URL("../../../tests/transcripts/envelope/", import.meta.url);

interface Frame {
  readonly id?: string;
  readonly body?: { readonly _tag?: unknown };
  readonly type?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly code: string };
}

type Line = { readonly in?: Frame; readonly out?: Frame };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function linesOf(file: string): Line[] {
  const lines = readFileSync(new URL(file, folder), "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

/// A connection whose other side is this test.
function connection() {
  const sent: { id: string; body: unknown }[] = [];
  const socket = { binaryType: "", close: () => undefined } as unknown as WebSocketLike;
  socket.send = (text) => void sent.push(JSON.parse(text) as { id: string; body: unknown });
  const made = new Connection({ url: () => "ws://x/ws", webSocket: () => socket });
  made.start();
  socket.onopen?.({} as never);
  const receive = (frame: unknown) => socket.onmessage?.({ data: JSON.stringify(frame) } as never);
  return { made, sent, receive };
}

const isRequest = (frame: Frame | undefined): frame is { id: string; body: { _tag: string } } =>
  typeof frame?.id === "string" && typeof frame.body?._tag === "string";

test.each(readdirSync(folder).filter((name) => name.endsWith(".jsonl")))("%s", async (file) => {
  const { made, sent, receive } = connection();
  const pushes: Push[] = [];
  made.onPush.on((push) => pushes.push(push));
  const open = new Map<string, { id: string; outcome: ReturnType<typeof outcome> }[]>();
  const told: unknown[] = [];
  for (const line of linesOf(file)) {
    if (isRequest(line.in)) {
      const { _tag, ...params } = line.in.body;
      const promise = made.request(_tag as "terminal.list", params, "never");
      expect(sent.at(-1)?.body).toEqual(line.in.body);
      open.set(line.in.id, [...(open.get(line.in.id) ?? []), { id: sent.at(-1)?.id ?? "", outcome: outcome(promise) }]);
    }
    if (line.out?.type === "push") {
      told.push(line.out);
      receive(line.out);
    } else if (line.out) {
      const call = open.get(line.out.id ?? "")?.shift();
      receive({ ...line.out, id: call?.id ?? line.out.id });
      await settled();
      if (!call) continue; // an answer to something that was no request
      if (line.out.error) expect(call.outcome.error).toMatchObject(line.out.error);
      else expect(call.outcome).toEqual({ done: true, value: line.out.result });
    }
  }
  expect(pushes).toEqual(told);
  made.close();
  await settled();
});
