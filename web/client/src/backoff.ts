/// Waits between attempts to connect, in milliseconds; the last is repeated. The reference client's numbers.
export const kDelays = [500, 1000, 2000, 4000, 8000] as const;

/// Each wait is varied by this part of itself, so that the clients of a server that comes back do not arrive as one.
export const kJitter = 0.2;

/// Which wait comes next.
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number = Math.random) {}

  get attempt(): number {
    return this.failures;
  }

  next(): number {
    const delay = kDelays[Math.min(this.failures, kDelays.length - 1)] as number;
    this.failures += 1;
    return Math.round(delay * (1 - kJitter + 2 * kJitter * this.random()));
  }

  reset(): void {
    this.failures = 0;
  }
}
