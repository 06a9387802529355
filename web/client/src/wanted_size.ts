import type { PtydError } from "./errors.ts";
import type { Size } from "./messages.ts";
import type { Waiter } from "./waiting_calls.ts";

interface Wanted {
  readonly size: Size;
  readonly waiters: readonly Waiter[];
}

/// Sizes on their way to one terminal: one in flight, then the newest wanted one.
///
/// Errors  a size that a cut connection left without an answer is wanted still; any other error is its caller's.
export class WantedSize {
  private wanted: Wanted | undefined;
  private isFlying = false;
  private isOver = false;

  constructor(
    private readonly send: (size: Size) => Promise<unknown>,
    private readonly mayFly: () => boolean,
  ) {}

  /// Fulfilled once the server confirmed this size or a later one.
  want(size: Size): Promise<void> {
    return new Promise((resolve, reject) => {
      this.wanted = { size, waiters: [...(this.wanted?.waiters ?? []), { resolve, reject }] };
      void this.pump();
    });
  }

  /// To be called when a size may fly again.
  async pump(): Promise<void> {
    const { wanted } = this;
    if (this.isFlying || !this.mayFly() || wanted === undefined) return;
    this.wanted = undefined;
    this.isFlying = true;
    try {
      await this.send(wanted.size);
      for (const waiter of wanted.waiters) waiter.resolve();
    } catch (error) {
      this.failed(wanted, error as PtydError);
    }
    this.isFlying = false;
    void this.pump();
  }

  /// Ends it for good.
  fail(reason: PtydError): void {
    this.isOver = true;
    for (const waiter of this.wanted?.waiters ?? []) waiter.reject(reason);
    this.wanted = undefined;
  }

  private failed(lost: Wanted, error: PtydError): void {
    if (error.code !== "outcome_unknown" || this.isOver) {
      for (const waiter of lost.waiters) waiter.reject(error);
      return;
    }
    const newer = this.wanted;
    this.wanted = { size: newer?.size ?? lost.size, waiters: [...lost.waiters, ...(newer?.waiters ?? [])] };
  }
}
