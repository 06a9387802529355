// Output of `seq`, as somebody was shown it: where lines are missing, and what is said about that.
/** A repaint begins with CAN, whatever line it breaks off; it brings the caret back to where that line goes on. */
const BROKEN_OFF = /[^\r\n]*\x18/g;
/** Behind its modes it prints the glyph left of the caret once more. */
const ONCE_MORE = /(?<=\x1b\[\?2026l)\x1b\[\d+;\d+H./gu;
const SEQUENCE = /\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[78H])/g;
const MARK = /^\[ptyd: (\d+) lines? skipped\]/;

/**
 * Its lines, as they came or as a screen shows them: the number of one that was counted, the mark of how many are missing.
 * @param {string} text
 * @returns {{ number?: number, mark?: number }[]}
 */
export function countedLines(text) {
  const lines = text.replace(BROKEN_OFF, '').replace(ONCE_MORE, '').replace(SEQUENCE, '').split(/[\r\n]+/);
  return lines.flatMap((line) => {
    if (/^\d+$/.test(line)) return [{ number: Number(line) }];
    const mark = line.match(MARK);
    return mark ? [{ mark: Number(mark[1]) }] : [];
  });
}

/**
 * Where a number does not follow the one before it, and the marks that stand there.
 * @param {{ number?: number, mark?: number }[]} lines
 * @returns {{ after: number, before: number, marks: number[] }[]}
 */
export function holesIn(lines) {
  const holes = [];
  let [after, marks] = [null, []];
  for (const { number, mark } of lines) {
    if (mark !== undefined) marks.push(mark);
    if (number === undefined) continue;
    if (after !== null && number !== after + 1) holes.push({ after, before: number, marks });
    [after, marks] = [number, []];
  }
  return holes;
}
