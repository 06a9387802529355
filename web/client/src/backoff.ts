/// Each wait is varied by this part of itself, so that the clients of a server that comes back do not arrive as one.
export const kJitter = 0.2;

/// Which wait comes next.
export class Backoff {
  private failures = 0;

  /// `delays` in milliseconds, at least one; the last is repeated. 0 <= random() < 1.
  constructor(
    private readonly delays: readonly number[],
    private readonly random: () => number = Math.random,
  ) {}

  get attempt(): number {
    return this.failures;
  }

  next(): number {
    const delay = this.delays[Math.min(this.failures, this.delays.length - 1)] as number;
    this.failures += 1;
    return Math.round(delay * (1 - kJitter + 2 * kJitter * this.random()));
  }

  reset(): void {
    this.failures = 0;
  }
}
