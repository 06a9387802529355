import type { IBuffer, IUnicodeVersionProvider, Terminal } from "@xterm/xterm";
import { kPackedClasses } from "./widths.gen.ts";

/// Bits of a class; `glyph_class_bits` of the server's pty/text/widths.hpp.
const kWidth = 3, kMayJoin = 4, kPictograph = 8, kEmojiBase = 16, kTakesTone = 32, kTone = 64, kRegional = 128;
const kZeroWidthJoiner = 0x200d, kEmojiSelector = 0xfe0f;
const kVersion = "ptyd";

/// The class of every code point.
function unpacked(): Uint8Array {
  const table = new Uint8Array(0x110000);
  let at = 0;
  for (const run of kPackedClasses.split(" ")) {
    const [first, second] = run.split(".");
    const length = second === undefined ? 1 : parseInt(first!, 36);
    table.fill(parseInt(second ?? first!, 36), at, at + length);
    at += length;
  }
  return table;
}
const classes = unpacked();

/// Facts remembered of a glyph: bits of `state` below.
const kKnown = 1; // never 0, which means that there is nothing to join
const kStartsPictograph = 2, kStartsToned = 4; // of its first code point
const kAfterJoiner = 8, kWidens = 16, kToneNext = 32; // of its last
const kLoneRegional = 64;
const kBorrowed = 128; // it stood there before: the emulator does not know its width, and counts it as 0
const kWide = 256;

/// Joining of glyphs; `GlyphBefore` of the server, as a number.
function stateOf(first: number, last: number, width: number, single: boolean): number {
  const [begins, ends] = [classes[first]!, classes[last]!];
  const toned = (begins & kTakesTone) !== 0;
  return (
    kKnown |
    (begins & kPictograph ? kStartsPictograph : 0) |
    (toned ? kStartsToned : 0) |
    (last === kZeroWidthJoiner ? kAfterJoiner : 0) |
    (ends & kEmojiBase ? kWidens : 0) |
    (ends & kTakesTone || (last === kEmojiSelector && toned) ? kToneNext : 0) |
    (single && begins & kRegional ? kLoneRegional : 0) |
    (width === 2 ? kWide : 0)
  );
}

/// The state of a glyph after `next` has joined it.
function stateAfter(state: number, next: number, width: number): number {
  const kept = state & (kStartsPictograph | kStartsToned | kBorrowed);
  const ends = stateOf(next, next, width, false) & (kAfterJoiner | kWidens | kToneNext | kWide | kKnown);
  return kept | ends | (next === kEmojiSelector && kept & kStartsToned ? kToneNext : 0);
}

/// Columns of the place when `next` joins the glyph of `state`; 0 when it stands alone.
function joinedWidth(state: number, next: number): 0 | 1 | 2 {
  const kind = classes[next]!;
  if ((kind & kMayJoin) === 0 || next < 0x300) return 0;
  if ((kind & kWidth) === 0) return state & kWide || (next === kEmojiSelector && state & kWidens) ? 2 : 1;
  if (kind & kRegional) return state & kLoneRegional ? 2 : 0;
  if (kind & kTone && state & kToneNext) return 2;
  return kind & kPictograph && state & kAfterJoiner && state & kStartsPictograph ? 2 : 0;
}

/// The glyph left of the caret; 0 when the caret stands in the first column.
function stateBeforeCaret(buffer: IBuffer): number {
  const line = buffer.getLine(buffer.baseY + buffer.cursorY);
  const x = buffer.cursorX - 1;
  const cell = line?.getCell(x)?.getWidth() === 0 ? line.getCell(x - 1) : line?.getCell(x);
  if (x < 0 || cell === undefined) return 0;
  const points = [...(cell.getChars() || " ")].map((each) => each.codePointAt(0)!);
  return kBorrowed | stateOf(points[0]!, points[points.length - 1]!, cell.getWidth(), points.length === 1);
}

/// Says of each code point how many columns it takes and whether it joins the glyph before, in the emulator's packing:
/// state, width, joined.
///
/// After a control sequence the emulator has forgotten the glyph before, but the server looks at the screen. So does
/// this; such a glyph cannot become wider, since the emulator would count it twice.
export class OurWidths implements IUnicodeVersionProvider {
  readonly version = kVersion;

  constructor(private readonly screen: { readonly active: IBuffer }) {}

  /// Columns of a code point that stands alone.
  wcwidth(codePoint: number): 1 | 2 {
    return (classes[codePoint]! & kWidth) === 2 ? 2 : 1;
  }

  charProperties(codePoint: number, preceding: number): number {
    const kind = classes[codePoint]!;
    if (kind <= kWidth) return ((kind === 2 ? kKnown | kWide : kKnown) << 3) | (kind << 1); // nearly all text
    if (codePoint >= 0x300 && kind & kMayJoin) {
      const before = preceding === 0 ? stateBeforeCaret(this.screen.active) : preceding >> 3;
      const width = before === 0 ? 0 : joinedWidth(before, codePoint);
      if (width > 0 && before & kBorrowed) {
        return (stateAfter(before, codePoint, before & kWide ? 2 : 1) << 3) | 1;
      }
      if (width > 0) return (stateAfter(before, codePoint, width) << 3) | (width << 1) | 1;
    }
    const width = this.wcwidth(codePoint);
    return (stateOf(codePoint, codePoint, width, true) << 3) | (width << 1);
  }
}

/// Makes the emulator count cells by the rules that the server's screen counts by.
export function useOurWidths(screen: Pick<Terminal, "unicode" | "buffer">): void {
  screen.unicode.register(new OurWidths(screen.buffer));
  screen.unicode.activeVersion = kVersion;
}
