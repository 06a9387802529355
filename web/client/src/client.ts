import { Connection, type ConnectionOptions, type ConnectionState, type Push } from "./connection.ts";
import { Emitter } from "./emitter.ts";
import { PtydError } from "./errors.ts";
import type {
  Feature,
  OpenOptions,
  OutputEvent,
  ScreenSnapshot,
  SnapshotOptions,
  TerminalEvent,
  TerminalInfo,
  Welcome,
} from "./messages.ts";
import { host, type WebSocketLike } from "./platform.ts";
import { kFeatures } from "./protocol.gen.ts";
import { sizeOf, Terminal } from "./terminal.ts";
import type { Timings } from "./timings.ts";

export interface ClientOptions {
  /** Credential for clients without cookies; it travels in the query as the reference's clients send it. */
  readonly token?: string;
  /** Makes a socket; by default the host's own WebSocket. With the `ws` package, headers can be given here. */
  readonly webSocket?: (url: string) => WebSocketLike;
  /** Asked when an attempt failed, as browsers do not tell why. */
  readonly checkAccess?: ConnectionOptions["checkAccess"];
  /** 0 <= random() < 1, for the jitter of the back-off. */
  readonly random?: () => number;
  readonly features?: Feature[];
  /** How long is waited for what, where it is not to be as usual. */
  readonly timings?: Partial<Timings>;
}

/// Connects to a server. `url` is its base (`http://127.0.0.1:7681/`, with whatever base path a proxy adds) or the
/// address of the socket itself (`ws://.../ws`). Returns at once; calls wait for the connection.
export function connect(url: string, options: ClientOptions = {}): PtydClient {
  const client = new PtydClient(url, options);
  client.start();
  return client;
}

/// A client of one server: its terminals, over one connection that comes back by itself.
///
/// Owns    the connection and the handles it gave out, one per terminal.
/// Errors  PtydError.
export class PtydClient {
  readonly onState: Emitter<[ConnectionState]>;
  /// Events of all terminals of the server: output only of those that are open here.
  readonly onEvent = new Emitter<[TerminalEvent]>();
  readonly onWelcome = new Emitter<[Welcome]>();

  private readonly connection: Connection;
  private readonly terminals = new Map<string, Terminal>();
  private greeting: Welcome | undefined;

  constructor(
    url: string,
    private readonly options: ClientOptions,
  ) {
    this.connection = new Connection({
      url: () => socketUrl(url, options.token),
      webSocket: options.webSocket ?? hostWebSocket(),
      checkAccess: options.checkAccess,
      random: options.random,
      timings: options.timings,
    });
    this.onState = this.connection.onState;
    this.connection.onOpen.on(() => this.reattachAll());
    this.connection.onLost.on(() => this.terminals.forEach((terminal) => terminal.connectionLost()));
    this.connection.onPush.on((push) => this.received(push));
  }

  get state(): ConnectionState {
    return this.connection.state;
  }

  /// The server's welcome on the last connection.
  get welcome(): Welcome | undefined {
    return this.greeting;
  }

  start(): void {
    this.connection.start();
  }

  /// Fulfilled once there is a connection, however long that takes.
  whenOpen(): Promise<void> {
    if (this.state.name === "open") return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.onState.on((state) => {
        if (state.name !== "open") return;
        stop();
        resolve();
      });
    });
  }

  /// Opens a terminal, with a new shell if there is none; with `attach` only one that exists, at its size. Events that
  /// follow the snapshot are delivered once the caller had the chance to listen. Opening what is open gives the same
  /// handle.
  async open(request: OpenOptions): Promise<Terminal> {
    const full = { terminalId: "default", features: this.options.features ?? kFeatures, ...request };
    const key = keyOf(full);
    const existing = this.terminals.get(key);
    if (existing) {
      await existing.open(full);
      const { attachment } = existing;
      if (attachment !== "closed" && attachment !== "gone") return existing;
      // Meanwhile it was released by the code that opened it first, or its first opening has failed.
      return this.open(attachment === "closed" ? { ...request, attach: true } : request);
    }
    const { threadId, terminalId } = full;
    const terminal = new Terminal(this.connection, threadId, terminalId, () => this.forget(key, terminal));
    this.terminals.set(key, terminal);
    try {
      await terminal.open(full);
    } catch (error) {
      terminal.end("gone", error as PtydError);
      throw error;
    }
    return terminal;
  }

  async list(threadId?: string): Promise<TerminalInfo[]> {
    return (await this.connection.request("terminal.list", { threadId }, "always")).terminals;
  }

  /// How a terminal looks now: text to read, bytes for an emulator, or cells. It need not be open.
  snapshot(target: SnapshotOptions): Promise<ScreenSnapshot> {
    return this.connection.request("terminal.snapshot", target, "always");
  }

  /// Ends one terminal, or all of a thread.
  async close(target: { threadId: string; terminalId?: string; deleteHistory?: boolean }): Promise<void> {
    for (const terminal of [...this.terminals.values()]) {
      const meant = target.terminalId === undefined || target.terminalId === terminal.terminalId;
      if (terminal.threadId === target.threadId && meant) {
        terminal.end("closed", new PtydError("closed", "This terminal was closed."));
      }
    }
    await this.connection.request("terminal.close", target, "always");
  }

  /// Gives a terminal a name, which the server keeps; "" takes it away. Every client that asks for the feature `renamed`
  /// is told.
  async rename(target: { threadId: string; terminalId?: string; name: string }): Promise<void> {
    await this.connection.request("terminal.rename", target, "always");
  }

  /// Makes sure the server still answers and connects anew if not; call it when the page becomes visible or the network
  /// comes back.
  check(): void {
    this.connection.check(true);
  }

  retryNow(): void {
    this.connection.retryNow();
  }

  /// Ends the connection. Terminals live on.
  dispose(): void {
    for (const terminal of [...this.terminals.values()]) {
      terminal.end("closed", new PtydError("closed", "This client was closed."));
    }
    this.connection.close();
  }

  private reattachAll(): void {
    for (const terminal of this.terminals.values()) void terminal.reattach();
  }

  private received(push: Push): void {
    if (push.channel === "server.welcome") {
      this.greeting = push.data as Welcome;
      this.onWelcome.emit(this.greeting);
    } else if (push.channel === "terminal.event") {
      const event = push.data as TerminalEvent;
      const taken = this.terminals.get(keyOf(event))?.receive(event) ?? false;
      if (!taken && event.type === "output") this.passOver(event);
      this.onEvent.emit(event);
    }
  }

  /// Output that was on its way when its handle was released. Unacknowledged, it would count against the next handle.
  private passOver(output: OutputEvent): void {
    const { threadId, terminalId } = output;
    const bytes = sizeOf(output);
    if (bytes === 0) return;
    this.connection.request("terminal.ackOutput", { threadId, terminalId, bytes }, "never").catch(() => undefined);
  }

  private forget(key: string, terminal: Terminal): void {
    if (this.terminals.get(key) === terminal) this.terminals.delete(key);
  }
}

function keyOf(of: { readonly threadId: string; readonly terminalId?: string }): string {
  return `${of.threadId}\0${of.terminalId ?? "default"}`;
}

/// The socket of the server at `base`. Exported for its test.
export function socketUrl(base: string, token?: string): string {
  const url = new host.URL(base);
  url.protocol = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:";
  url.hash = "";
  if (!url.pathname.endsWith("/ws")) url.pathname = url.pathname.replace(/[^/]*$/, "") + "ws";
  if (token !== undefined) url.searchParams.set("token", token);
  return url.toString();
}

function hostWebSocket(): (url: string) => WebSocketLike {
  const Constructor = host.WebSocket;
  if (Constructor === undefined) {
    throw new PtydError("internal", "This host has no WebSocket; give one by the webSocket option.");
  }
  return (url) => new Constructor(url);
}
