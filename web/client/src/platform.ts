/// The parts of its host that this client needs beside the language, as browsers, Node 20+ and Deno have them. Declared
/// here so that the client compiles without any DOM types and the compiler notices a use of more.

interface Host {
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
  TextDecoder: new (label: "utf-8") => { decode(bytes: ArrayBuffer | ArrayBufferView): string };
  URL: new (url: string, base?: string) => ParsedUrl;
  WebSocket?: new (url: string) => WebSocketLike;
}

interface ParsedUrl {
  protocol: string;
  pathname: string;
  hash: string;
  readonly searchParams: { set(name: string, value: string): void };
  toString(): string;
}

/// The part of the standard WebSocket that is used; the `ws` package has it as well.
export interface WebSocketLike {
  binaryType: string;
  /** 1 while it can be written to. What does not tell always can. */
  readonly readyState?: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
}

export const host = globalThis as unknown as Host;

export type Timer = unknown;

export function after(milliseconds: number, run: () => void): Timer {
  return host.setTimeout(run, milliseconds);
}

export function cancel(timer: Timer): void {
  if (timer !== undefined) host.clearTimeout(timer);
}
