import type { ToolCall, WebSocketLike } from "../src/index.ts";

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
  /// Lines above the screen; the first of them has this number. Those before `uncleared` were cleared.
  readonly above: { first: number; uncleared: number; readonly lines: string[] };
  readonly program?: FakeProgram;
  toolCall?: ToolCall;
  exit: { exitCode: number | null; exitSignal: number | null };
  updatedAt: string;
}

/// A program that an agent runs in a terminal.
interface FakeProgram {
  readonly commandLine: string;
  readonly takesInput: boolean;
}

/// Methods that are refused for an agent's program, and those that it takes only where it takes input.
const kNeverToPrograms = ["terminal.clear", "terminal.restart"];
const kInput = ["terminal.write", "terminal.resize"];

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
  /// Called with each method before it is answered.
  beforeAnswer: (tag: string) => void = () => undefined;
  acceptsAtOnce = true;
  refuses = false;
  /** As its clock stands. */
  now = "2026-06-14T08:00:00.000Z";
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

  /// The terminal says something: kept, and told to those who listen. All are told of what agents' programs do, but not
  /// what they print.
  say(threadId: string, event: Json, terminalId = "default"): void {
    const terminal = this.terminal(threadId, terminalId);
    const cursor = `${terminal.incarnation}.${terminal.events.length + 1}`;
    const plain = { threadId, terminalId, createdAt: this.now, ...event };
    const full = { ...plain, cursor };
    terminal.events.push(full);
    for (const socket of this.sockets) {
      if (hears(socket, terminal.key, event)) socket.push("terminal.event", full);
      else if (terminal.program && event.type !== "output") socket.push("terminal.event", plain);
    }
  }

  /// An agent starts a program of its session, in a terminal of its own.
  run(sessionId: string, terminalId: string, program: FakeProgram): void {
    const threadId = `acp/${sessionId}`;
    const terminal = this.spawn(`${threadId}/${terminalId}`, { cols: 120, rows: 40 }, program);
    const snapshot = { ...this.stateOf(terminal), history: "", cursor: `${terminal.incarnation}.1`, resumed: false };
    this.say(threadId, { type: "started", snapshot }, terminalId);
  }

  /// The program ends; its terminal stays until its agent releases it.
  exit(sessionId: string, terminalId: string, exitCode: number | null, exitSignal: number | null = null): void {
    const threadId = `acp/${sessionId}`;
    Object.assign(this.terminal(threadId, terminalId), {
      pid: null,
      exit: { exitCode, exitSignal },
      updatedAt: this.now,
    });
    this.say(threadId, { type: "exited", exitCode, exitSignal }, terminalId);
  }

  /// The agent tells more of the tool call that shows the program.
  tell(sessionId: string, terminalId: string, toolCall: ToolCall): void {
    const threadId = `acp/${sessionId}`;
    this.terminal(threadId, terminalId).toolCall = toolCall;
    this.say(threadId, { type: "toolCall", toolCall }, terminalId);
  }

  /// An agent asks for what cannot be run: it ends as if a shell had said so, without having started.
  cannotRun(sessionId: string, terminalId: string, program: FakeProgram): void {
    this.spawn(`acp/${sessionId}/${terminalId}`, { cols: 120, rows: 40 }, program);
    this.exit(sessionId, terminalId, 127);
  }

  /// The agent is done with it; nobody is told.
  release(sessionId: string, terminalId: string): void {
    this.terminals.delete(`acp/${sessionId}/${terminalId}`);
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
    this.beforeAnswer(tag);
    this.answer(socket, id, tag, body);
  }

  private refusal(tag: string, body: Json): { message: string; code: string } | undefined {
    const found = this.terminals.get(`${String(body.threadId)}/${String(body.terminalId ?? "default")}`);
    const exists = found !== undefined;
    if (found?.program) return refusalOf(found.program, tag);
    if (String(body.threadId).startsWith("acp/") && tag === "terminal.open" && body.attach !== true)
      return { message: "threadId: no shell starts in a thread that begins with acp/", code: "bad_request" };
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
      case "terminal.snapshot":
        return socket.deliver({ id, result: pageOf(terminal as FakeTerminal, body) });
      case "terminal.list":
        return socket.deliver({ id, result: { terminals: this.list(body.threadId) } });
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
    const cursor = `${terminal.incarnation}.${terminal.events.length}`;
    socket.deliver({
      id,
      result: {
        ...this.stateOf(terminal),
        cwd: body.cwd,
        ...(resumed ? { history: "", cursor: body.after, resumed: true } : { history, cursor }),
        ...(body.historyFormat === "repaint" ? repaintOf(terminal, Number(body.fromLine)) : {}),
      },
    });
    if (!resumed) return;
    const missed = terminal.events.slice(place).filter((event) => hears(socket, key, event));
    for (const event of missed) socket.push("terminal.event", event);
  }

  private stateOf(terminal: FakeTerminal): Json {
    const at = terminal.key.lastIndexOf("/");
    return {
      threadId: terminal.key.slice(0, at),
      terminalId: terminal.key.slice(at + 1),
      cwd: "/srv",
      status: terminal.pid === null ? "exited" : "running",
      pid: terminal.pid,
      ...terminal.exit,
      updatedAt: terminal.updatedAt,
      ...terminal.size,
      ...(terminal.toolCall && { toolCall: terminal.toolCall }),
    };
  }

  private list(threadId: unknown): Json[] {
    return [...this.terminals.values()]
      .map((terminal) => ({
        ...this.stateOf(terminal),
        ...kQuiet,
        ...(terminal.program && asListed(terminal.program)),
      }))
      .filter((info: Json) => threadId === undefined || info.threadId === threadId);
  }

  private spawn(key: string, body: Json, program?: FakeProgram): FakeTerminal {
    const size = { cols: Number(body.cols ?? 120), rows: Number(body.rows ?? 30) };
    const terminal = {
      key,
      incarnation: `i${this.pids}`,
      events: [],
      pid: ++this.pids,
      size,
      written: "",
      acknowledged: 0,
      above: { first: 0, uncleared: 0, lines: [] as string[] },
      program,
      exit: { exitCode: null, exitSignal: null },
      updatedAt: this.now,
    };
    this.terminals.set(key, terminal);
    return terminal;
  }
}

function hears(socket: FakeSocket, key: string, event: Json): boolean {
  const streams = socket.streams.get(key);
  return streams === true || (streams === false && event.type !== "output");
}

/// Of a terminal in which nothing is to be told but that it runs.
const kQuiet = { title: "", hasRunningSubprocess: false, cliKind: null, agentState: null, viewers: 0 };

/// `takesInput` is there where it is false only.
function asListed({ commandLine, takesInput }: FakeProgram): Json {
  return takesInput ? { commandLine } : { commandLine, takesInput };
}

function refusalOf(program: FakeProgram, tag: string): { message: string; code: string } | undefined {
  if (!kNeverToPrograms.includes(tag) && (program.takesInput || !kInput.includes(tag))) return undefined;
  return { message: "An agent runs a program in this terminal: it takes no input", code: "denied" };
}

/// Two lines above the screen, of which each is `scrollback` lines away from the newest at most.
function pageOf({ above, size }: FakeTerminal, { fromLine, scrollback }: Json): Json {
  const end = above.first + above.lines.length;
  const wanted = typeof fromLine === "number" ? fromLine : end - Number(scrollback ?? 5000);
  const firstLine = Math.min(Math.max(wanted, above.first), end);
  const nextLine = Math.min(firstLine + 2, end);
  const lines = above.lines.slice(firstLine - above.first, nextLine - above.first);
  const text = lines.map((line) => `${line}\r\n`).join("");
  const hasEarlier = firstLine > above.uncleared ? true : undefined;
  return { format: "lines", ...size, text, firstLine, nextLine, endLine: end, hasEarlier };
}

function repaintOf({ above }: FakeTerminal, wanted: number): Json {
  const fromLine = Math.max(wanted, above.first);
  const lines = above.lines.slice(fromLine - above.first);
  return { history: `<${lines.map((line) => `${line}|`).join("")}screen>`, fromLine, firstLine: above.first };
}
