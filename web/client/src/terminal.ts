import { Acks } from "./acks.ts";
import { Lost, type Connection, type Limit } from "./connection.ts";
import { Emitter } from "./emitter.ts";
import { PtydError } from "./errors.ts";
import { heal } from "./healing.ts";
import { InputQueue } from "./input_queue.ts";
import type { OpenOptions, OutputEvent, RestartOptions, Size, Snapshot, TerminalEvent } from "./messages.ts";
import { after } from "./platform.ts";
import { utf8Length } from "./text.ts";
import { WaitingCalls } from "./waiting_calls.ts";
import { WantedSize } from "./wanted_size.ts";

export type Attachment =
  /** The first open is not answered yet. */
  | "opening"
  | "attached"
  /** No connection; comes back by itself. */
  | "detached"
  /** The server does not know this terminal any more. */
  | "gone"
  /** close() or detach() was called. */
  | "closed";

/// How the program ended: exactly one is a number, unless the server does not know.
export interface Exit {
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
}

/// One terminal on the server: what it says, in order and exactly once, and what it is told.
///
/// Order   after each reset, output goes on exactly where the snapshot ends; input and sizes arrive as they were given.
/// Errors  calls fail with a PtydError. While there is no connection they wait, for so long as Timings.input says.
export class Terminal {
  /// Output. It counts as processed, which lets the server send more, once all that listeners return has settled.
  readonly onOutput = new Emitter<[data: string], void | Promise<void>>();
  /// Start anew from this snapshot: write replay(snapshot) to an empty screen of its size.
  readonly onReset = new Emitter<[Snapshot]>();
  /// Empty the screen; modes stay and follow as output.
  readonly onCleared = new Emitter<[]>();
  readonly onExit = new Emitter<[Exit]>();
  /// The shell could not be started.
  readonly onError = new Emitter<[message: string]>();
  /// A client (maybe this one) changed the size.
  readonly onResized = new Emitter<[Size]>();
  /// The present follows, without so many lines of the past, which the scrollback of the emulator lacks: see heal().
  readonly onResynced = new Emitter<[skippedLines: number]>();
  /// Any event of this terminal, after those above were told.
  readonly onEvent = new Emitter<[TerminalEvent]>();
  readonly onAttachment = new Emitter<[Attachment]>();

  private snap: Snapshot | undefined;
  private cursor: string | undefined;
  private state: Attachment = "opening";
  /// Whether output is to come, as asked for last. Said each time: the server keeps what an earlier handle said.
  private streamOutput = true;
  /// As told last; said again with each attach.
  private wishes: Partial<OpenOptions> = {};
  private held: TerminalEvent[] | undefined;
  private isHealing = false;
  private reason: PtydError | undefined;
  private readonly input: InputQueue;
  private readonly size: WantedSize;
  private readonly waiting: WaitingCalls;
  private readonly acks: Acks;

  constructor(
    private readonly connection: Connection,
    readonly threadId: string,
    readonly terminalId: string,
    private readonly left: () => void,
  ) {
    this.input = new InputQueue((data) => connection.request("terminal.write", { ...this.key, data }, "never"));
    this.size = new WantedSize((size) => this.sendSize(size), () => this.state === "attached");
    this.waiting = new WaitingCalls(this.input, connection.timings.input);
    this.acks = new Acks((bytes) => {
      connection.request("terminal.ackOutput", { ...this.key, bytes }, "never").catch(() => undefined);
    });
  }

  /// As of the last reset, with status, pid, size and exit kept up to date. The history is that of the reset.
  get snapshot(): Snapshot {
    if (this.snap === undefined) throw new PtydError("not_found", "This terminal is not open yet.");
    return this.snap;
  }

  get attachment(): Attachment {
    return this.state;
  }

  /// UTF-16 units of input that the server has not confirmed.
  get pendingInput(): number {
    return this.input.pending;
  }

  /// Fulfilled once the server has accepted all of it. Of any length; long input goes in pieces, in order.
  write(data: string): Promise<void> {
    if (this.reason) return Promise.reject(this.reason);
    const written = this.input.write(data);
    if (this.state === "detached") this.waiting.limitTime();
    return written;
  }

  /// Drops the input that was not sent yet; its writes fail with `cancelled`.
  cancelInput(): void {
    this.input.fail(new PtydError("cancelled", "The rest of the input was dropped."));
  }

  /// Fulfilled once the server confirmed this size or a later one. Sizes that a later one overtook are not sent.
  resize(size: Size): Promise<void> {
    if (this.reason) return Promise.reject(this.reason);
    return this.size.want(size);
  }

  /// Text that recreates this terminal as it is now, with the newest `scrollback` lines above its screen, all that the
  /// server keeps by default; where there were more, the first of them says so. Written to an emulator of its size it
  /// takes the place of everything until now, the lines that were skipped included; output that follows waits until the
  /// caller had its turn to write it. It is fetched in pages, beside which output goes on. Fails with `busy` when lines
  /// go by faster, and with `cancelled` as soon as it is not wanted any more; then nothing is to be written.
  async heal(scrollback?: number, isWanted: () => boolean = () => true): Promise<string> {
    await this.attached();
    if (this.isHealing) throw new PtydError("busy", "The scrollback is being fetched already.");
    this.isHealing = true;
    const isWantedHere = () => this.reason === undefined && isWanted();
    const options = { scrollback, isWanted: isWantedHere };
    try {
      const accept = (snapshot: Snapshot, replacesAll: boolean) => this.acceptRepaint(snapshot, replacesAll);
      return await heal(this.connection, () => this.attachParams(), accept, options);
    } finally {
      this.isHealing = false;
    }
  }

  /// The emulator looks otherwise now: the server answers programs so from the next input on. Without a connection the next
  /// one tells it.
  async describe(emulator: Pick<OpenOptions, "colors" | "cellSize" | "emulator">): Promise<void> {
    if (this.reason) throw this.reason;
    this.wishes = { ...this.wishes, ...emulator };
    if (this.state === "attached") await this.attach();
  }

  async clear(): Promise<void> {
    await this.attached();
    await this.connection.request("terminal.clear", this.key, "orderly");
  }

  /// Ends the program and starts a new shell. What is not given stays as it is.
  async restart(options: RestartOptions = {}): Promise<void> {
    await this.attached();
    const { cwd, cols, rows } = this.snapshot;
    await this.connection.request("terminal.restart", { ...this.key, cwd, cols, rows, ...options }, "orderly");
  }

  /// Ends the program and forgets the terminal; its transcript too, if asked.
  async close(options: { readonly deleteHistory?: boolean } = {}): Promise<void> {
    this.end("closed", new PtydError("closed", "This terminal was closed."));
    await this.connection.request("terminal.close", { ...this.key, ...options }, "always");
  }

  /// Lets go of the handle; the terminal lives on, and the server stops sending its output. It may be opened again.
  detach(): void {
    if (this.state === "closed") return;
    this.acks.release();
    this.end("closed", new PtydError("closed", "This terminal handle was released."));
    void this.connection
      .request("terminal.open", { ...this.key, cwd: "/", attach: true, streamOutput: false }, "never")
      .catch(() => undefined);
  }

  // --- For PtydClient
  // ---------------------------------------------------------------------------------------------------

  /// Opens, for the first time or again; the reply takes its place among the events.
  async open(options: OpenOptions): Promise<void> {
    const again = this.state === "attached";
    if (!again) this.cursor = options.after;
    this.streamOutput = options.streamOutput ?? this.streamOutput;
    const { cols: _cols, rows: _rows, env: _env, ...wishes } = options; // those are of the shell that it starts
    this.wishes = { ...this.wishes, ...wishes };
    const params = { ...options, streamOutput: this.streamOutput, after: this.cursor };
    await this.connection.request("terminal.open", params, "always", (snapshot) => {
      if (again) this.acks.forget(); // the server counts anew behind its reply
      else this.holdEvents();
      this.accept(snapshot, !again);
    });
  }

  /// A new connection: asks for what was missed. The snapshots of many terminals may take a slow link minutes, so only
  /// the end of the connection limits the time.
  async reattach(): Promise<void> {
    if (this.state !== "detached") return;
    try {
      await this.attach("connection");
    } catch (error) {
      this.reattachFailed(error instanceof PtydError ? error : new PtydError("internal", String(error)));
    }
  }

  connectionLost(): void {
    this.acks.forget();
    this.held = undefined; // it comes again: the cursor stands before it
    if (this.state !== "attached") return;
    this.input.pause();
    this.setState("detached");
    this.waiting.limitTime();
  }

  /// False when it is not for this handle now: it comes again after the reply that attaches.
  receive(event: TerminalEvent): boolean {
    if (this.state !== "attached") return false;
    if (event.type === "output") this.acks.received(sizeOf(event));
    if (this.held) this.held.push(event);
    else this.deliver(event);
    return true;
  }

  /// The end of this handle; `reason` is what later calls fail with.
  end(state: "gone" | "closed", reason: PtydError): void {
    if (this.reason) return;
    this.reason = reason;
    this.input.pause();
    this.input.fail(reason);
    this.waiting.fail(reason);
    this.size.fail(reason);
    this.acks.forget();
    this.setState(state);
    this.left();
  }

  // --- Attaching
  // --------------------------------------------------------------------------------------------------------

  private accept(snapshot: Snapshot, first: boolean): void {
    if (this.reason) return;
    const before = this.snap;
    const known = snapshot.resumed === true || (snapshot.cursor !== undefined && snapshot.cursor === this.cursor);
    this.dropInputOfOther(snapshot);
    this.snap = known && before ? { ...before, pid: snapshot.pid, cwd: snapshot.cwd } : snapshot;
    if (!known) this.cursor = snapshot.cursor;
    this.setState("attached");
    if (!known && !first) this.onReset.emit(snapshot);
    this.input.resume();
    this.waiting.attached();
    void this.size.pump();
  }

  /// A reply that repaints, in its place among the output. Where it does not replace everything, and some of what was
  /// said before it was not told, it is output as any other.
  private acceptRepaint(snapshot: Snapshot, replacesAll: boolean): void {
    if (this.reason) return;
    this.deliverHeld(); // it came before
    const isShown = replacesAll || snapshot.cursor === this.cursor;
    this.acks.forget(); // the server counts anew behind its reply
    this.holdEvents();
    const { status, pid, exitCode, exitSignal, cols, rows } = snapshot;
    this.update({ status, pid, exitCode, exitSignal, cols, rows });
    this.cursor = snapshot.cursor;
    if (!isShown) this.onOutput.emit(snapshot.history);
  }

  /// Only an answer of the server ends it.
  private reattachFailed(error: PtydError): void {
    if (error instanceof Lost) return; // tried again on the next connection
    this.end(
      "gone",
      error.code === "not_found" ? new PtydError("not_found", "This terminal no longer exists.") : error,
    );
  }

  /// Holds events until the code that awaits the reply had its turn.
  private holdEvents(): void {
    if (this.held) return;
    const held: TerminalEvent[] = (this.held = []);
    after(0, () => {
      if (this.held === held) this.deliverHeld();
    });
  }

  private deliverHeld(): void {
    const held = this.reason ? [] : (this.held ?? []);
    this.held = undefined;
    for (const event of held) this.deliver(event);
  }

  private async attach(limit?: Limit): Promise<void> {
    const received = (snapshot: Snapshot) => {
      this.acks.forget(); // the server counts anew behind its reply
      this.accept(snapshot, false);
    };
    await this.connection.request("terminal.open", this.attachParams(this.cursor), "never", received, limit);
  }

  private attachParams(after?: string): OpenOptions & { readonly terminalId: string } {
    const { streamOutput } = this;
    return { ...this.wishes, ...this.key, cwd: this.snapshot.cwd, attach: true, streamOutput, after };
  }

  private attached(): Promise<void> {
    if (this.reason) return Promise.reject(this.reason);
    if (this.state === "attached") return Promise.resolve();
    const attached = this.waiting.add();
    if (this.state === "detached") this.waiting.limitTime();
    return attached;
  }

  /// Input that waits was meant for the program that was there when it was written.
  private dropInputOfOther({ pid }: Snapshot): void {
    if (!this.snap || this.snap.status === "starting" || this.snap.pid === pid) return;
    this.input.fail(
      pid === null
        ? new PtydError("exited", "The program has ended meanwhile; the input was not sent.")
        : new PtydError("replaced", "The terminal has another shell now; the input was not sent."),
    );
  }

  private setState(state: Attachment): void {
    if (this.state === state) return;
    this.state = state;
    this.onAttachment.emit(state);
  }

  // --- Events
  // -----------------------------------------------------------------------------------------------------------

  private deliver(event: TerminalEvent): void {
    const known = event.cursor !== undefined && event.cursor === this.cursor;
    if (event.cursor !== undefined) this.cursor = event.cursor;
    switch (event.type) {
      case "output":
        this.output(event);
        break;
      case "started":
      case "restarted":
        this.dropInputOfOther(event.snapshot);
        this.snap = event.snapshot;
        if (!known) this.onReset.emit(event.snapshot);
        break;
      case "exited":
        this.update({ status: "exited", pid: null, exitCode: event.exitCode, exitSignal: event.exitSignal });
        this.onExit.emit({ exitCode: event.exitCode, exitSignal: event.exitSignal });
        break;
      case "error":
        this.update({ status: "error", pid: null });
        this.onError.emit(event.message);
        break;
      case "cleared":
        this.onCleared.emit();
        break;
      case "resized":
        this.update({ cols: event.cols, rows: event.rows });
        this.onResized.emit({ cols: event.cols, rows: event.rows });
        break;
      case "resynced":
        this.onResynced.emit(event.skippedLines);
        break;
      default:
        break; // for onEvent alone, as is what a newer server says
    }
    this.onEvent.emit(event);
  }

  private output(event: OutputEvent): void {
    const connection = this.acks.connection;
    const bytes = sizeOf(event);
    const busy = this.onOutput.emit(event.data).filter((answer) => answer instanceof Promise);
    if (busy.length === 0) this.acks.processed(bytes, connection);
    else void Promise.allSettled(busy).then(() => this.acks.processed(bytes, connection));
  }

  private update(change: Partial<Snapshot>): void {
    if (this.snap) this.snap = { ...this.snap, ...change };
  }

  // --- Requests
  // ---------------------------------------------------------------------------------------------------------

  private get key(): { threadId: string; terminalId: string } {
    return { threadId: this.threadId, terminalId: this.terminalId };
  }

  private async sendSize(size: Size): Promise<void> {
    await this.connection.request("terminal.resize", { ...this.key, ...size }, "never");
    this.update(size);
  }
}

/// The bytes for which an output counts when it is acknowledged.
export function sizeOf(output: OutputEvent): number {
  return output.byteLength ?? utf8Length(output.data);
}

/// Text that recreates the terminal of `snapshot` when written to an empty emulator of its size.
export function replay(snapshot: Snapshot): string {
  return (snapshot.replayPreamble ?? "") + snapshot.history;
}
