import { PtydError, type Terminal } from "../../client/src/index.ts";
import type { Screen } from "./screen.ts";

/// Nothing was printed for so long (ms): lines that were skipped are fetched.
const kQuiet = 300;

/// The same, whatever is printed: no lines were skipped for so long (ms). A program that prints now and then for hours
/// must not keep them away.
const kNothingSkipped = 2000;

/// After a failure it waits for kNothingSkipped, each time twice as long, up to this (ms).
const kLongestWait = 30_000;

/// A healer's needs from its screen.
export type Healed = Pick<Screen, "isVisible" | "mayBeReplaced" | "scrollback" | "replace">;

/// Puts lines that a slow link skipped into the scrollback of a screen that is looked at, once the link has room; not
/// while a full-screen program is shown, nor while somebody selects.
///
/// Owns    timers: dispose().
export class Healer {
  private terminal: Terminal | undefined;
  private lacksLines = false;
  private healing = false;
  private quietTimer: ReturnType<typeof setTimeout> | undefined;
  private roomTimer: ReturnType<typeof setTimeout> | undefined;
  /// Milliseconds: after a failure, how long it waits at least.
  private patience = 0;
  /// As performance.now() stood: the time of day may be set meanwhile.
  private failedAt = 0;

  constructor(private readonly screen: Healed) {}

  /// The screen shows this terminal from now on, and lacks nothing of it.
  watch(terminal: Terminal): void {
    this.terminal = terminal;
    this.begunAnew();
    terminal.onResynced.on((lines) => {
      if (lines > 0) this.lacksLines = true;
      clearTimeout(this.roomTimer);
      this.roomTimer = undefined;
      this.stirred();
    });
    terminal.onOutput.on(() => this.stirred());
    terminal.onReset.on(() => this.begunAnew());
    terminal.onCleared.on(() => this.begunAnew());
  }

  /// Something was printed, or the screen can be seen again. What comes while it heals stands before the reply, or is looked
  /// at behind it.
  stirred(): void {
    if (this.lacksLines && !this.healing) this.wait();
  }

  dispose(): void {
    this.begunAnew();
  }

  private begunAnew(): void {
    this.lacksLines = false;
    this.patience = 0;
    this.stopWaiting();
  }

  private stopWaiting(): void {
    clearTimeout(this.quietTimer);
    clearTimeout(this.roomTimer);
    this.quietTimer = this.roomTimer = undefined;
  }

  private wait(): void {
    clearTimeout(this.quietTimer);
    const left = Math.max(this.failedAt + this.patience - performance.now(), 0);
    this.quietTimer = setTimeout(() => void this.heal(), Math.max(kQuiet, left));
    this.roomTimer ??= setTimeout(() => void this.heal(), Math.max(kNothingSkipped, left));
  }

  private async heal(): Promise<void> {
    const { terminal, screen } = this;
    this.stopWaiting();
    if (!terminal || !this.lacksLines || !screen.isVisible) return;
    if (!screen.mayBeReplaced) return this.wait();
    this.healing = true;
    try {
      const text = await terminal.heal(screen.scrollback, () => screen.mayBeReplaced);
      this.lacksLines = false; // of what comes behind the reply nothing was told yet
      this.patience = 0;
      await screen.replace(text);
    } catch (error) {
      if (terminal === this.terminal) this.failed(terminal, error);
    }
    this.healing = false;
    this.stirred();
  }

  /// A selection, or a full-screen program, that begins meanwhile is no failure: only its end is waited for.
  private failed({ attachment }: Terminal, error: unknown): void {
    this.lacksLines &&= attachment !== "gone" && attachment !== "closed";
    if (error instanceof PtydError && error.code === "cancelled") return;
    this.failedAt = performance.now();
    this.patience = Math.min(Math.max(this.patience * 2, kNothingSkipped), kLongestWait);
  }
}
