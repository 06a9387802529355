import { after, cancel, type Timer } from "./platform.ts";
import type { Timings } from "./timings.ts";

/// Notices that input gets no answer and nothing else comes, long before a silent connection is given up.
export class AnswerWatch {
  private doubtTimer: Timer;
  private wordTimer: Timer;
  private isTold = false;

  constructor(
    private readonly timings: Timings,
    /** Some input has no answer yet. */
    private readonly isAwaited: () => boolean,
    /** Makes sure that the other side is there. */
    private readonly check: () => void,
    /** Since when nothing came, in milliseconds since 1970; undefined: something has come. */
    private readonly tell: (since: number | undefined) => void,
  ) {}

  sent(): void {
    if (this.wordTimer !== undefined || this.isTold) return;
    const since = Date.now();
    this.doubtTimer = after(this.timings.doubt, this.check);
    this.wordTimer = after(this.timings.answer, () => {
      this.isTold = true;
      this.tell(since);
    });
  }

  heard(): void {
    this.stop();
    if (this.isTold) this.tell(undefined);
    this.isTold = false;
    if (this.isAwaited()) this.sent();
  }

  /// The socket is gone; its state is told otherwise.
  reset(): void {
    this.stop();
    this.isTold = false;
  }

  private stop(): void {
    for (const timer of [this.doubtTimer, this.wordTimer]) cancel(timer);
    this.doubtTimer = this.wordTimer = undefined;
  }
}
