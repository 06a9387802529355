import { PtydError, type Terminal } from "../../client/src/index.ts";
import { kMaxWaiting } from "../../client/src/input_queue.ts";
import { kTimings } from "../../client/src/timings.ts";

interface Kept {
  readonly data: string;
  readonly resolve: () => void;
  readonly reject: (error: PtydError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/// The part of a Terminal that takes input.
export type TakesInput = Pick<Terminal, "write" | "pendingInput" | "cancelInput">;

/// Input of a person for a terminal: until that is open, or its shell has been started anew, it is kept, as much and as
/// long as the client keeps it without a connection. The emulator shows nothing new by then, so that none of it is the answer
/// to a query.
///
/// Owns    timers, until passTo() or refuse(), and again from hold() on.
/// Order   as written.
/// Errors  writes fail with a PtydError.
export class TypeAhead implements TakesInput {
  private kept: Kept[] = [];
  private keptUnits = 0;
  private target: TakesInput | undefined;
  /// Had the input before hold(), and may still be sending it.
  private former: TakesInput | undefined;
  private refusal: PtydError | undefined;

  /// UTF-16 units that are kept or on their way.
  get pendingInput(): number {
    return ((this.target ?? this.former)?.pendingInput ?? 0) + this.keptUnits;
  }

  /// Fulfilled once the server has accepted all of it.
  write(data: string): Promise<void> {
    if (this.target) return this.target.write(data);
    const refusal = this.refusal ?? this.overflow(data);
    if (refusal) return Promise.reject(refusal);
    this.keptUnits += data.length;
    return new Promise((resolve, reject) => {
      const kept: Kept = { data, resolve, reject, timer: setTimeout(() => this.giveUp(kept), kTimings.input) };
      this.kept.push(kept);
    });
  }

  /// Drops what was not sent yet; its writes fail with `cancelled`.
  cancelInput(): void {
    for (const { reject } of this.take()) reject(new PtydError("cancelled", "The rest of the input was dropped."));
    (this.target ?? this.former)?.cancelInput();
  }

  /// The terminal is asked for again: what is written from now on is kept for it.
  hold(): void {
    this.former = this.target ?? this.former;
    this.target = this.refusal = undefined;
  }

  /// The terminal is open: from now on it takes the input, first what was kept.
  passTo(target: TakesInput): void {
    for (const { data, resolve, reject } of this.take()) target.write(data).then(resolve, reject);
    this.target = target;
    this.former = undefined;
  }

  /// The terminal cannot be opened: what was kept fails with `cancelled`, as whoever calls names the text, which is
  /// returned. Whatever follows fails with `error`.
  refuse(error: PtydError): string {
    this.refusal = error;
    const kept = this.take();
    for (const { reject } of kept) reject(new PtydError("cancelled", "The terminal it was meant for was not opened."));
    return kept.map(({ data }) => data).join("");
  }

  private overflow(data: string): PtydError | undefined {
    if (this.keptUnits + data.length <= kMaxWaiting) return undefined;
    return new PtydError("queue_full", `More than ${kMaxWaiting} characters of input wait already.`);
  }

  private giveUp(kept: Kept): void {
    this.kept.splice(this.kept.indexOf(kept), 1);
    this.keptUnits -= kept.data.length;
    kept.reject(new PtydError("timeout", "The terminal was not open for too long."));
  }

  private take(): Kept[] {
    this.keptUnits = 0;
    for (const { timer } of this.kept) clearTimeout(timer);
    return this.kept.splice(0);
  }
}
