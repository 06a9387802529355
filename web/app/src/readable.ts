import type { IBuffer } from "@xterm/xterm";
import { allowedTarget } from "./links.ts";

/// Text of a terminal as paragraphs: lines that were only broken at the right margin are one again.
export interface Readable {
  readonly lines: readonly string[];
  /** Of `lines`, the one at the top of what is shown. */
  readonly first: number;
}

export function readableOf(buffer: IBuffer): Readable {
  const lines: string[] = [];
  let first = 0;
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    const goesOn = buffer.getLine(row + 1)?.isWrapped === true;
    const text = line?.translateToString(!goesOn) ?? "";
    if (line?.isWrapped && lines.length > 0) lines.push((lines.pop() as string) + text);
    else lines.push(text);
    if (row === buffer.viewportY) first = lines.length - 1;
  }
  let end = lines.length;
  while (end > 0 && lines[end - 1]?.trim() === "") end -= 1;
  return { lines: lines.slice(0, end).map((line) => line.trimEnd()), first: Math.min(first, Math.max(0, end - 1)) };
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
