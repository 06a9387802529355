import { after, cancel, type Timer } from "./platform.ts";

/// Credit goes back once so much was processed: half of the server's smallest window, so that it does not run dry.
export const kAckBytes = 4 * 1024;
/// Less than that is told after this time, in milliseconds: one frame for many keystrokes.
export const kAckDelay = 50;
/// The most that one terminal.ackOutput may carry.
export const kMaxAck = 8 * 1024 * 1024;

/// Counts output that was really processed and tells the server from time to time.
export class Acks {
  private bytes = 0;
  private owed = 0;
  private timer: Timer;
  private generation = 0;

  constructor(private readonly tell: (bytes: number) => void) {}

  /// Names the present connection; credit belongs to the connection on which the output came.
  get connection(): number {
    return this.generation;
  }

  /// It came, and counts as processed later or, at the latest, by release().
  received(bytes: number): void {
    this.owed += bytes;
  }

  processed(bytes: number, connection: number): void {
    if (connection !== this.generation || bytes === 0) return;
    this.bytes += bytes;
    if (this.bytes >= kAckBytes) this.flush();
    else this.timer ??= after(kAckDelay, () => this.flush());
  }

  /// Gives the credit of unprocessed output back, as the server would wait for it on this connection.
  release(): void {
    this.bytes = this.owed;
    this.flush();
    this.forget();
  }

  /// The connection is gone, and with it all that is owed on it.
  forget(): void {
    this.generation += 1;
    this.bytes = this.owed = 0;
    cancel(this.timer);
    this.timer = undefined;
  }

  private flush(): void {
    cancel(this.timer);
    this.timer = undefined;
    while (this.bytes > 0) {
      const now = Math.min(this.bytes, kMaxAck);
      this.bytes -= now;
      this.owed -= now;
      this.tell(now);
    }
  }
}
