import type { WebSocketLike } from "../src/index.ts";

type Json = Record<string, unknown>;

/// A terminal as the fake keeps it: what was ever said, each at a place one further.
interface FakeTerminal {
  readonly key: string;
  incarnation: string;
  readonly events: Json[];
  pid: number | null;
  size: { cols: number; rows: number };
  written: string;
  acknowledged: number;
}

/// The far end of one socket.
export class FakeSocket implements WebSocketLike {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  binaryType = "blob";
  readyState = 1;
  readonly received: Json[] = [];
  /** The terminals opened here, and whether their output is sent: as said last, until the end of the connection. */
  readonly streams = new Map<string, boolean>();
  open = false;
  sequence = 0;
  greeted = false;

  constructor(
    readonly url: string,
    private readonly server: FakeServer,
  ) {}

  send(text: string): void {
    if (!this.open) throw new Error("sent on a socket that is not open");
    const frame = JSON.parse(text) as { id: string; body: Json };
    this.received.push(frame.body);
    this.server.handle(this, frame.id, frame.body);
  }

  close(): void {
    this.open = false;
  }

  accept(): void {
    this.open = true;
    this.onopen?.({} as never);
  }

  /// The connection ends with `code`; 1006 is a cut.
  end(code: number): void {
    this.open = false;
    this.onclose?.({ code } as never);
  }

  deliver(message: Json): void {
    if (this.open) this.onmessage?.({ data: JSON.stringify(message) } as never);
  }

  push(channel: string, data: Json): void {
    this.deliver({ type: "push", sequence: ++this.sequence, channel, data });
  }

  bodies(tag: string): Json[] {
    return this.received.filter((body) => body._tag === tag);
  }
}

/// A server with memory: journals with cursors, kept across its sockets. Answers at once unless told to be silent.
export class FakeServer {
  readonly sockets: FakeSocket[] = [];
  readonly terminals = new Map<string, FakeTerminal>();
  /// Requests of these methods get no answer (and have no effect).
  readonly silent = new Set<string>();
  /// Answers the next requests of a method with these errors, one each.
  readonly errors = new Map<string, { message: string; code?: string }[]>();
  acceptsAtOnce = true;
  refuses = false;
  private pids = 100;

  readonly webSocket = (url: string): WebSocketLike => {
    const socket = new FakeSocket(url, this);
    this.sockets.push(socket);
    if (this.refuses) queueMicrotask(() => socket.end(1006));
    else if (this.acceptsAtOnce) queueMicrotask(() => socket.accept());
    return socket;
  };

  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (!last) throw new Error("nobody connected yet");
    return last;
  }

  terminal(threadId: string, terminalId = "default"): FakeTerminal {
    const found = this.terminals.get(`${threadId}/${terminalId}`);
    if (!found) throw new Error(`no terminal ${threadId}/${terminalId}`);
    return found;
  }

  /// The terminal says something: kept, and told to those who listen.
  say(threadId: string, event: Json, terminalId = "default"): void {
    const terminal = this.terminal(threadId, terminalId);
    const cursor = `${terminal.incarnation}.${terminal.events.length + 1}`;
    const full = { threadId, terminalId, createdAt: "2026-06-14T08:00:00.000Z", cursor, ...event };
    terminal.events.push(full);
    for (const socket of this.sockets) if (hears(socket, terminal.key, event)) socket.push("terminal.event", full);
  }

  print(threadId: string, data: string): void {
    this.say(threadId, { type: "output", data, byteLength: new TextEncoder().encode(data).length });
  }

  handle(socket: FakeSocket, id: string, body: Json): void {
    const tag = String(body._tag);
    if (this.silent.has(tag)) return;
    if (!socket.greeted) socket.push("server.welcome", { cwd: "/srv", homeDir: "/home/u", projectName: "srv" });
    socket.greeted = true;
    const error = this.errors.get(tag)?.shift() ?? this.refusal(tag, body);
    if (error) return socket.deliver({ id, error });
    this.answer(socket, id, tag, body);
  }

  private refusal(tag: string, body: Json): { message: string; code: string } | undefined {
    const exists = this.terminals.has(`${String(body.threadId)}/${String(body.terminalId ?? "default")}`);
    const needsOne = ["terminal.write", "terminal.resize", "terminal.clear"].includes(tag) || body.attach === true;
    if (exists || !needsOne) return undefined;
    return { message: `Unknown terminal thread: ${String(body.threadId)}, terminal: default`, code: "not_found" };
  }

  private answer(socket: FakeSocket, id: string, tag: string, body: Json): void {
    const key = `${String(body.threadId)}/${String(body.terminalId ?? "default")}`;
    const terminal = this.terminals.get(key);
    switch (tag) {
      case "terminal.open":
        return this.opened(socket, id, key, body);
      case "terminal.list":
        return socket.deliver({ id, result: { terminals: [] } });
      case "terminal.write":
        (terminal as FakeTerminal).written += String(body.data);
        break;
      case "terminal.resize":
        (terminal as FakeTerminal).size = { cols: Number(body.cols), rows: Number(body.rows) };
        break;
      case "terminal.ackOutput":
        if (terminal) terminal.acknowledged += Number(body.bytes);
        break;
      case "terminal.close":
        this.terminals.delete(key);
        for (const each of this.sockets) each.streams.delete(key);
        break;
    }
    socket.deliver({ id });
  }

  private opened(socket: FakeSocket, id: string, key: string, body: Json): void {
    const terminal = this.terminals.get(key) ?? this.spawn(key, body);
    const streams = typeof body.streamOutput === "boolean" ? body.streamOutput : socket.streams.get(key);
    socket.streams.set(key, streams ?? true);
    const after = typeof body.after === "string" ? body.after.split(".") : [];
    const place = Number(after[1]);
    const resumed = after[0] === terminal.incarnation && place <= terminal.events.length;
    const history = terminal.events.map((event) => (event.type === "output" ? String(event.data) : "")).join("");
    const [threadId, terminalId] = key.split("/");
    const cursor = `${terminal.incarnation}.${terminal.events.length}`;
    socket.deliver({
      id,
      result: {
        threadId,
        terminalId,
        cwd: body.cwd,
        status: terminal.pid === null ? "exited" : "running",
        pid: terminal.pid,
        exitCode: null,
        exitSignal: null,
        updatedAt: "2026-06-14T08:00:00.000Z",
        ...terminal.size,
        ...(resumed ? { history: "", cursor: body.after, resumed: true } : { history, cursor }),
      },
    });
    if (!resumed) return;
    for (const event of terminal.events.slice(place)) if (hears(socket, key, event)) socket.push("terminal.event", event);
  }

  private spawn(key: string, body: Json): FakeTerminal {
    const size = { cols: Number(body.cols ?? 120), rows: Number(body.rows ?? 30) };
    const terminal = {
      key,
      incarnation: `i${this.pids}`,
      events: [],
      pid: ++this.pids,
      size,
      written: "",
      acknowledged: 0,
    };
    this.terminals.set(key, terminal);
    return terminal;
  }
}

function hears(socket: FakeSocket, key: string, event: Json): boolean {
  const streams = socket.streams.get(key);
  return streams === true || (streams === false && event.type !== "output");
}
