import { PtydError } from "./errors.ts";
import type { InputQueue } from "./input_queue.ts";
import { after, cancel, type Timer } from "./platform.ts";

export interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: PtydError) => void;
}

/// Calls that wait until their terminal is attached, as its input does.
///
/// Owns    a timer, until attached() or fail().
export class WaitingCalls {
  private calls: Waiter[] = [];
  private timer: Timer;

  /// `limit`: Timings.input.
  constructor(
    private readonly input: InputQueue,
    private readonly limit: number,
  ) {}

  /// Fulfilled by attached().
  add(): Promise<void> {
    return new Promise((resolve, reject) => this.calls.push({ resolve, reject }));
  }

  /// Gives up what waits now when the limit is over; then what came meanwhile has as much time.
  limitTime(): void {
    const isNothing = this.input.pending === 0 && this.calls.length === 0;
    if (isNothing || this.timer !== undefined) return;
    const { last } = this.input;
    const calls = this.calls.length;
    this.timer = after(this.limit, () => {
      this.timer = undefined;
      const error = new PtydError("timeout", "There was no connection for too long; this was not sent.");
      this.input.fail(error, last);
      for (const call of this.calls.splice(0, calls)) call.reject(error);
      this.limitTime();
    });
  }

  attached(): void {
    this.stop();
    for (const call of this.calls.splice(0)) call.resolve();
  }

  fail(reason: PtydError): void {
    this.stop();
    for (const call of this.calls.splice(0)) call.reject(reason);
  }

  private stop(): void {
    cancel(this.timer);
    this.timer = undefined;
  }
}
