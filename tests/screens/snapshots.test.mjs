// A snapshot in the middle of a glyph's life: what comes behind it joins or repeats the glyph left of the caret, in xterm.js
// with the snapshot alone as with all bytes.
import assert from "node:assert/strict";
import test from "node:test";
import { probe } from "./support/probe.mjs";
import { Oracle } from "./support/xterm.mjs";

const kSize = { rows: 4, cols: 10 };
/// [what it is, what is printed before the snapshot, what comes behind it]
const kCuts = [
  ["a repeated letter", "ab", "\x1b[3b"],
  ["a repeated letter under a mode", "\x1b[?2004hab", "\x1b[3b"],
  ["a repeated blank", "\x1b[?2004h$ ", "\x1b[3bx"],
  ["a repeated coloured letter", "a\x1b[1;31mb", "\x1b[3b"],
  ["a repeated letter at the right edge", "\x1b[?1h0123456789", "\x1b[3b"],
  ["a repeated wide glyph", "\x1b[?1h\u4e00", "\x1b[2b"],
  ["a repeated line of a box", "\x1b(0q", "\x1b[4b"],
  ["a repeated letter within margins", "\x1b[2;3r\x1b[?6h\x1b[1;3Hab", "\x1b[3b"],
  ["a letter of the alternate screen", "\x1b[?1049hab", "\x1b[3b"],
  ["a sign that becomes an emoji", "\x1b[?2004h\u2764", "\ufe0f!"],
  ["a sign that becomes an emoji at the right edge", "\x1b[?2004h12345678\u2764", "\ufe0f!"],
  ["an accent", "\x1b[?2004he", "\u0301!"],
  ["a second accent", "\x1b[?2004he\u0301", "\u0323!"],
  ["an emoji of two", "\x1b[?2004h\u{1f469}\u200d", "\u{1f52c}!"],
  ["half of a flag", "\x1b[?2004h\u{1f1e9}", "\u{1f1ea}!"],
];

for (const [name, before, behind] of kCuts) {
  test(`${name} looks as if no snapshot had come between`, async () => {
    const [first, rest] = [Buffer.from(before), Buffer.from(behind)];
    const output = Buffer.concat([first, rest]);
    const [cut, end] = await probe("native", kSize, output, [first.length, output.length]);
    const everything = new Oracle(kSize.rows, kSize.cols), snapshot = new Oracle(kSize.rows, kSize.cols);
    await everything.write(output);
    await snapshot.write(Buffer.from(cut.vt));
    await snapshot.write(rest);
    assert.deepEqual(snapshot.shown(), everything.shown());
    assert.deepEqual(snapshot.shown().screen, end.screen, "as the server has it");
  });
}
