import type { Terminal as Emulator } from "@xterm/xterm";

/// Keeps the caret in sight where a screen is higher than its frame, as long as nobody has scrolled up in it.
export class CaretFollow {
  /// Where the frame was put last.
  private top = 0;

  constructor(
    private readonly emulator: Emulator,
    private readonly frame: HTMLElement,
  ) {
    emulator.onWriteParsed(() => this.follow());
  }

  follow(): void {
    const { frame, emulator } = this;
    const room = frame.clientHeight;
    const area = frame.querySelector(".xterm-screen")?.clientHeight ?? 0;
    if (area <= room || frame.scrollTop < this.top) return;
    frame.scrollTop = scrollFor(frame.scrollTop, room, emulator.buffer.active.cursorY, area / emulator.rows);
    this.top = frame.scrollTop;
  }
}

/// The place nearest to `top` at which `row` is within `room`; all but `row` in pixels.
export function scrollFor(top: number, room: number, row: number, rowHeight: number): number {
  return Math.min(Math.max(top, (row + 1) * rowHeight - room), row * rowHeight);
}
