import { Lost } from "./connection.ts";
import { PtydError } from "./errors.ts";
import { after, cancel, type Timer } from "./platform.ts";
import { chunks, kMaxWrite } from "./text.ts";

/// Keys fly without waiting for the answers to those before them, up to so many UTF-16 units. What is longer (a paste)
/// flies alone: it may be refused as `busy` and sent again, and nothing may have overtaken it then.
export const kKeysInFlight = 4096;
/// Input that may wait here, in UTF-16 units: some pastes of the 16 MiB that must pass.
export const kMaxWaiting = 64 * 1024 * 1024;
/// First and longest wait before a refused piece is sent again, in milliseconds.
export const kBusyDelays = { first: 50, longest: 1000 } as const;

interface Write {
  pieces: number;
  readonly resolve: () => void;
  readonly reject: (error: PtydError) => void;
  ended: boolean;
}

interface Piece {
  readonly order: number;
  readonly data: string;
  readonly write: Write;
}

/// Input on its way to one terminal: cut to the protocol's bound, in order, no more in flight than is good.
///
/// Order   as written, whatever was refused, lost or sent again.
/// Errors  a write that fails takes its own unsent pieces with it, and nothing of others.
export class InputQueue {
  private waiting: Piece[] = [];
  private waitingUnits = 0;
  private flyingUnits = 0;
  private flights = 0;
  private lastOrder = 0;
  private running = false;
  private busyDelay: number = kBusyDelays.first;
  private busyTimer: Timer;

  constructor(private readonly send: (data: string) => Promise<unknown>) {}

  /// UTF-16 units not yet confirmed.
  get pending(): number {
    return this.waitingUnits + this.flyingUnits;
  }

  /// Fulfilled once the server has accepted all of `data`.
  write(data: string): Promise<void> {
    if (data === "") return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (this.pending + data.length > kMaxWaiting) {
        return reject(new PtydError("queue_full", `More than ${kMaxWaiting} characters of input wait already.`));
      }
      const pieces = chunks(data);
      const write: Write = { pieces: pieces.length, resolve, reject, ended: false };
      for (const piece of pieces) this.waiting.push({ order: ++this.lastOrder, data: piece, write });
      this.waitingUnits += data.length;
      this.pump();
    });
  }

  resume(): void {
    this.running = true;
    this.busyDelay = kBusyDelays.first;
    this.pump();
  }

  pause(): void {
    this.running = false;
    cancel(this.busyTimer);
    this.busyTimer = undefined;
  }

  /// The place in the order of what was written last.
  get last(): number {
    return this.lastOrder;
  }

  /// Ends every write of which something waits, up to that place in the order. What is in flight is not called back.
  fail(error: PtydError, last = this.lastOrder): void {
    for (const piece of this.waiting) if (piece.order <= last) this.end(piece.write, error);
    this.dropEnded();
  }

  private pump(): void {
    while (this.running && this.busyTimer === undefined && this.waiting.length > 0 && this.mayFly())
      this.fly(this.take());
  }

  private mayFly(): boolean {
    const next = this.waiting[0] as Piece;
    return this.flights === 0 || this.flyingUnits + next.data.length <= kKeysInFlight;
  }

  /// As much as one message may carry; keys that had to wait travel together.
  private take(): Piece[] {
    const room = this.flights === 0 ? kMaxWrite : kKeysInFlight - this.flyingUnits;
    let units = 0;
    let count = 0;
    for (const piece of this.waiting) {
      if (units + piece.data.length > room) break;
      units += piece.data.length;
      count += 1;
    }
    this.waitingUnits -= units;
    return this.waiting.splice(0, count);
  }

  private fly(pieces: Piece[]): void {
    const data = pieces.map((piece) => piece.data).join("");
    this.flights += 1;
    this.flyingUnits += data.length;
    const landed = (settle: () => void) => {
      this.flights -= 1;
      this.flyingUnits -= data.length;
      settle();
      this.pump();
    };
    this.send(data).then(
      () => landed(() => this.succeeded(pieces)),
      (error: unknown) => landed(() => this.failed(pieces, error)),
    );
  }

  private succeeded(pieces: Piece[]): void {
    this.busyDelay = kBusyDelays.first;
    for (const { write } of pieces) {
      write.pieces -= 1;
      if (write.pieces === 0) this.end(write);
    }
  }

  private failed(pieces: Piece[], error: unknown): void {
    if (error instanceof Lost && error.orderly) return this.putBack(pieces);
    if (error instanceof PtydError && error.code === "busy" && this.flights === 0) {
      this.putBack(pieces);
      return this.waitForRoom();
    }
    const reason = error instanceof PtydError ? error : new PtydError("internal", String(error));
    for (const { write } of pieces) this.end(write, reason);
    this.dropEnded();
  }

  private putBack(pieces: Piece[]): void {
    const alive = pieces.filter((piece) => !piece.write.ended);
    this.keepWaiting([...alive, ...this.waiting].sort((a, b) => a.order - b.order));
  }

  private waitForRoom(): void {
    this.busyTimer = after(this.busyDelay, () => {
      this.busyTimer = undefined;
      this.pump();
    });
    this.busyDelay = Math.min(this.busyDelay * 2, kBusyDelays.longest);
  }

  private dropEnded(): void {
    this.keepWaiting(this.waiting.filter((piece) => !piece.write.ended));
  }

  private keepWaiting(pieces: Piece[]): void {
    this.waiting = pieces;
    this.waitingUnits = pieces.reduce((units, piece) => units + piece.data.length, 0);
  }

  private end(write: Write, error?: PtydError): void {
    if (write.ended) return;
    write.ended = true;
    if (error) write.reject(error);
    else write.resolve();
  }
}
