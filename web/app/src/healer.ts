import type { Terminal } from "../../client/src/index.ts";
import type { Screen } from "./screen.ts";

/// Nothing was printed for so long (ms): lines that were skipped are fetched.
const kQuiet = 300;

/// A healer's needs from its screen.
export type Healed = Pick<Screen, "isVisible" | "mayBeReplaced" | "scrollback" | "replace">;

/// Puts lines that a slow link skipped into the scrollback of a screen that is looked at, once it is quiet; not while a
/// full-screen program is shown, nor while somebody selects.
///
/// Owns    a timer: dispose().
export class Healer {
  private terminal: Terminal | undefined;
  private lacksLines = false;
  private healing = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly screen: Healed) {}

  /// The screen shows this terminal from now on, and lacks nothing of it.
  watch(terminal: Terminal): void {
    this.terminal = terminal;
    this.begunAnew();
    terminal.onResynced.on((lines) => {
      if (lines > 0) this.lacksLines = true;
      this.stirred();
    });
    terminal.onOutput.on(() => this.stirred());
    terminal.onReset.on(() => this.begunAnew());
    terminal.onCleared.on(() => this.begunAnew());
  }

  /// Something was printed, or the screen can be seen again.
  stirred(): void {
    if (this.lacksLines) this.wait();
  }

  dispose(): void {
    this.begunAnew();
  }

  private begunAnew(): void {
    this.lacksLines = false;
    clearTimeout(this.timer);
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.heal(), kQuiet);
  }

  private async heal(): Promise<void> {
    const { terminal, screen } = this;
    if (!terminal || this.healing || !this.lacksLines || !screen.isVisible) return;
    if (!screen.mayBeReplaced) return this.wait();
    this.healing = true;
    try {
      const text = await terminal.heal(screen.scrollback, () => screen.mayBeReplaced);
      this.lacksLines = false; // of what comes behind the reply nothing was told yet
      await screen.replace(text);
    } catch {
      this.lacksLines &&= terminal.attachment !== "gone" && terminal.attachment !== "closed";
    }
    this.healing = false;
    this.stirred();
  }
}
