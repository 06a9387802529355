import type { Terminal as Emulator } from "@xterm/xterm";

/// Rows of a buffer as text.
export type Rows = readonly string[];

/// Where `rows` of a buffer that ended `fromEnd` rows behind their first one are now: at that distance from the end, or
/// where the same text is nearest to it. Nothing when it is nowhere.
export function placeOf(rows: Rows, fromEnd: number, all: Rows): number | undefined {
  const guess = all.length - fromEnd;
  const isThere = (at: number) => rows.every((row, index) => all[at + index] === row);
  const isInside = (at: number) => at >= 0 && at + rows.length <= all.length;
  for (let away = 0; away < all.length; away++)
    for (const at of away === 0 ? [guess] : [guess - away, guess + away]) if (isInside(at) && isThere(at)) return at;
  return undefined;
}

/// The place that a person looks at in an emulator, and the selection there, to be shown again when it is drawn anew.
export class KeptPlace {
  private readonly seen: { rows: Rows; fromEnd: number } | undefined;
  private readonly selected: { rows: Rows; fromEnd: number; column: number; length: number } | undefined;

  constructor(private readonly emulator: Emulator) {
    const { viewportY, baseY, length } = emulator.buffer.active;
    if (viewportY < baseY) this.seen = { rows: this.rows(viewportY, viewportY + emulator.rows), fromEnd: length - viewportY };
    const range = emulator.getSelectionPosition();
    if (!range) return;
    const { start, end } = range;
    const cells = (end.y - start.y) * emulator.cols + end.x - start.x;
    this.selected = { rows: this.rows(start.y, end.y + 1), fromEnd: length - start.y, column: start.x, length: cells };
  }

  restore(): void {
    const { length } = this.emulator.buffer.active;
    const all = this.seen || this.selected ? this.rows(0, length) : [];
    if (this.selected) {
      const { rows, fromEnd, column, length: cells } = this.selected;
      const row = placeOf(rows, fromEnd, all);
      if (row !== undefined) this.emulator.select(column, row, cells);
    }
    if (this.seen) this.emulator.scrollToLine(placeOf(this.seen.rows, this.seen.fromEnd, all) ?? length - this.seen.fromEnd);
  }

  private rows(from: number, to: number): Rows {
    const buffer = this.emulator.buffer.active;
    return Array.from({ length: to - from }, (_, index) => buffer.getLine(from + index)?.translateToString(true) ?? "");
  }
}
