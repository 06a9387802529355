// xterm.js without a page, and what it shows in the words of tests/screens/README.md.
import headless from "@xterm/headless";
import { useOurWidths } from "./widths.mjs";

export class Oracle {
  constructor(rows, cols, scrollback = 5000) {
    this.terminal = new headless.Terminal({ rows, cols, scrollback, allowProposedApi: true });
    useOurWidths(this.terminal);
    this.replies = [];
    this.title = "";
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.terminal.onData((text) => this.replies.push(text));
    this.terminal.onTitleChange((title) => (this.title = title));
  }

  /// Takes bytes as the page gets them: as text, in which invalid bytes have become U+FFFD.
  write(bytes) {
    const text = this.decoder.decode(bytes, { stream: true });
    return new Promise((done) => this.terminal.write(text, done));
  }

  get buffer() {
    return this.terminal.buffer.active;
  }

  /// [row, column, pending wrap], from 1.
  caret() {
    const { cursorX, cursorY } = this.buffer;
    const { cols } = this.terminal;
    return [cursorY + 1, Math.min(cursorX, cols - 1) + 1, cursorX === cols];
  }

  line(row) {
    return this.buffer.getLine(this.buffer.baseY + row);
  }

  screen() {
    const rows = Array.from({ length: this.terminal.rows }, (_, row) => this.line(row).translateToString(true).trimEnd());
    while (rows.at(-1) === "") rows.pop();
    return rows;
  }

  scrollback() {
    const { active } = this.terminal.buffer;
    return Array.from({ length: active.baseY }, (_, row) => active.getLine(row).translateToString(true).trimEnd());
  }

  /// How the cell looks, in one word.
  pen(row, column) {
    const cell = this.line(row).getCell(column);
    return penOf(cell);
  }
}

const kUnderlines = ["", "ul", "ul=double", "ul=curly", "ul=dotted", "ul=dashed"];

function colour(isDefault, isRgb, value) {
  if (isDefault) return "";
  return isRgb ? `#${value.toString(16).padStart(6, "0")}` : String(value);
}

export function penOf(cell) {
  const words = [];
  for (const [name, on] of [
    ["bold", cell.isBold()],
    ["faint", cell.isDim()],
    ["italic", cell.isItalic()],
    ["blink", cell.isBlink()],
    ["inverse", cell.isInverse()],
    ["invisible", cell.isInvisible()],
    ["strike", cell.isStrikethrough()],
    ["overline", cell.isOverline()],
  ]) {
    if (on) words.push(name);
  }
  if (cell.isUnderline()) words.push(kUnderlines[cell.extended?.underlineStyle || 1]);
  const fg = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const bg = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  if (fg !== "") words.push(`fg=${fg}`);
  if (bg !== "") words.push(`bg=${bg}`);
  const line = cell.isUnderline() || cell.hasExtendedAttrs() ? underlineColour(cell) : "";
  if (line !== "") words.push(`uc=${line}`);
  return words.join(",") || "plain";
}

/// The colour of the underline, which is beside the public interface; all bits set are the text's own colour.
function underlineColour(cell) {
  const value = cell.extended?.underlineColor ?? 0;
  const mode = value & 0x3000000;
  if (mode === 0 || (value & 0x3ffffff) === 0x3ffffff) return "";
  return mode === 0x3000000 ? `#${(value & 0xffffff).toString(16).padStart(6, "0")}` : String(value & 0xff);
}
