import { readFileSync } from "node:fs";
import { Terminal } from "@xterm/headless";
import { expect, test } from "vitest";
import { useOurWidths } from "../src/widths.ts";

interface Sample {
  readonly text: string;
  readonly widths: string;
}

/// The samples that the server's table is tested with.
const samples: readonly Sample[] = readFileSync(new URL("../../../tests/screens/widths.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.length > 0 && !line.startsWith("#"))
  .map((line) => {
    const [codes, widths] = line.split(" : ");
    return { text: String.fromCodePoint(...codes!.split(" ").map((code) => parseInt(code, 16))), widths: widths! };
  });

/// Widths of the glyphs in each line.
async function drawn(lines: readonly string[]): Promise<string[]> {
  const screen = new Terminal({ cols: 20, rows: lines.length + 1, allowProposedApi: true });
  useOurWidths(screen);
  await new Promise<void>((done) => screen.write(lines.join("\r\n"), done));
  return lines.map((_, row) => {
    const line = screen.buffer.active.getLine(row)!;
    const cells = Array.from({ length: 20 }, (_, column) => line.getCell(column)!);
    return cells.filter((cell) => cell.getChars() !== "").map((cell) => cell.getWidth()).join(" ");
  });
}

test("the emulator counts what the server counts", async () => {
  const widths = await drawn(samples.map((sample) => sample.text));
  const wrong = samples.filter((sample, row) => widths[row] !== sample.widths).map((sample) => [...sample.text]);
  expect(wrong).toEqual([]);
  expect(samples.length).toBeGreaterThan(2000);
});

test("a control sequence inside a glyph does not take it apart", async () => {
  const widens = /^(?!\p{Emoji_Presentation})\p{Emoji}/u;
  const whole = samples.filter(({ text }) => !widens.test(text));
  const widths = await drawn(whole.map(({ text }) => [...text].join("\x1b[m")));
  const wrong = whole.filter((sample, row) => widths[row] !== sample.widths).map((sample) => [...sample.text]);
  expect(wrong).toEqual([]);
});

test("a character that cannot be widened any more keeps its width", async () => {
  expect(await drawn(["\u2764\x1b[m\ufe0fx"])).toEqual(["1 1"]);
});

test("a glyph that is widened at the edge goes to the next line", async () => {
  const screen = new Terminal({ cols: 4, rows: 2, allowProposedApi: true });
  useOurWidths(screen);
  await new Promise<void>((done) => screen.write("abc\u2764\ufe0f", done));
  const line = (row: number) => screen.buffer.active.getLine(row)!.translateToString(true);
  expect([line(0), line(1), screen.buffer.active.cursorX]).toEqual(["abc", "\u2764\ufe0f", 2]);
});
