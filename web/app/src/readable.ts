import type { IBuffer } from "@xterm/xterm";
import { allowedTarget } from "./links.ts";

/// Text of a terminal as paragraphs: lines that were only broken at the right margin are one again.
export interface Readable {
  readonly lines: readonly string[];
  /** Of `lines`, the one at the top of what is shown. */
  readonly first: number;
  /** The place that was pressed: one of `lines`, and UTF-16 units before it there. */
  readonly pressed?: { readonly line: number; readonly offset: number };
}

/// A cell of a buffer.
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export function readableOf(buffer: IBuffer, pressedCell?: CellPlace): Readable {
  const lines: string[] = [];
  let first = 0;
  let pressed: Readable["pressed"];
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    const goesOn = buffer.getLine(row + 1)?.isWrapped === true;
    const text = line?.translateToString(!goesOn) ?? "";
    if (line?.isWrapped && lines.length > 0) lines.push((lines.pop() as string) + text);
    else lines.push(text);
    if (row === buffer.viewportY) first = lines.length - 1;
    if (row === pressedCell?.row) {
      const before = (lines.at(-1) as string).length - text.length;
      const within = line?.translateToString(false, 0, pressedCell.column).length ?? 0;
      pressed = { line: lines.length - 1, offset: before + within };
    }
  }
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === "") end -= 1;
  const read = { lines: lines.slice(0, end).map((line) => line.trimEnd()), first: Math.min(first, Math.max(0, end - 1)) };
  return pressed && pressed.line < end ? { ...read, pressed } : read;
}

/// The word of `text` at `offset`, or nothing where that is blank.
export function wordAt(text: string, offset: number): { readonly begin: number; readonly end: number } | undefined {
  if (offset >= text.length || text[offset]?.trim() === "") return undefined;
  const begin = text.slice(0, offset).search(/\S*$/);
  return { begin, end: offset + text.slice(offset).search(/\s|$/) };
}

export type Part = { readonly text: string; readonly target?: string };

/// A line, with the addresses in it as parts of their own.
export function partsOf(line: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const found of line.matchAll(/https?:\/\/[^\s"'<>`]+/g)) {
    const text = found[0].replace(/[.,;:!?)\]}]+$/, "");
    const target = allowedTarget(text);
    if (target === undefined) continue;
    if (found.index > end) parts.push({ text: line.slice(end, found.index) });
    parts.push({ text, target });
    end = found.index + text.length;
  }
  if (end < line.length || parts.length === 0) parts.push({ text: line.slice(end) });
  return parts;
}
