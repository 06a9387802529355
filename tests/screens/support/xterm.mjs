// xterm.js without a page, and what it shows in the words of tests/screens/README.md.
import headless from "@xterm/headless";
import { useOurWidths } from "./widths.mjs";

/// Until the scrollback is full, xterm.js lets the saved caret go up with what scrolls; in a terminal it stays in its row.
function keepSavedRow(buffers) {
  const scroll = buffers.scroll.bind(buffers);
  buffers.scroll = (...how) => {
    const { buffer } = buffers;
    const before = buffer.ybase;
    scroll(...how);
    buffer.savedY += buffer.ybase - before;
  };
}

export class Oracle {
  constructor(rows, cols, scrollback = 5000) {
    this.terminal = new headless.Terminal({
      rows,
      cols,
      scrollback,
      allowProposedApi: true,
      logLevel: "off",
      windowOptions: { pushTitle: true, popTitle: true },
    });
    useOurWidths(this.terminal);
    keepSavedRow(this.terminal._core._bufferService);
    this.replies = [];
    this.title = "";
    this.decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    this.terminal.onData((text) => this.replies.push(text));
    this.terminal.onTitleChange((title) => (this.title = title));
  }

  /// From here on it does what the cases say where they say `not xterm.js` and real programs do it: EL and ED take a pending
  /// wrap away, and begin in the last column.
  asATerminal() {
    const takeWrap = () => {
      const { buffer } = this.terminal._core;
      buffer.x = Math.min(buffer.x, this.terminal.cols - 1);
      return false;
    };
    for (const final of ["K", "J"]) this.terminal.parser.registerCsiHandler({ final }, takeWrap);
    return this;
  }

  /// Takes bytes as the page gets them: as text, in which invalid bytes have become U+FFFD; so does the rest of a character
  /// that is broken off, which shows only by what comes next.
  write(bytes, brokenOff = false) {
    const text = this.decoder.decode(bytes, { stream: !brokenOff });
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
    return penOf(this.line(row).getCell(column));
  }

  /// The report of screen_probe on a Screen.
  shown() {
    const { active } = this.terminal.buffer;
    const words = (line) => this.lineWords(active.getLine(line));
    return {
      caret: this.caret(),
      buffer: active.type === "alternate" ? "alternate" : "primary",
      screen: Array.from({ length: this.terminal.rows }, (_, row) => words(active.baseY + row)),
      scrollback: this.scrollbackWords(),
    };
  }

  scrollbackWords() {
    const { normal } = this.terminal.buffer;
    return Array.from({ length: normal.baseY }, (_, line) => this.lineWords(normal.getLine(line)));
  }

  /// `line_words` of tests/support/pty/screen/looks.hpp.
  lineWords(line) {
    let [words, last, end] = ["", "plain", 0];
    for (let column = 0; column < this.terminal.cols; column += 1) {
      const cell = line.getCell(column);
      if (cell.getWidth() === 0 && column > 0) continue;
      const look = cell.getChars() === "" ? blankOf(cell) : penOf(cell) + this.linkOf(cell);
      if (look !== last) words += `{${look}}`;
      last = look;
      words += (cell.getChars() || " ") + (cell.getWidth() === 2 ? "»" : "");
      if (look !== "plain" || (cell.getChars() || " ") !== " ") end = words.length;
    }
    return words.slice(0, end);
  }

  linkOf(cell) {
    const id = cell.extended?.urlId ?? 0;
    return id === 0 ? "" : ` ${this.terminal._core._oscLinkService.getLinkData(id).uri}`;
  }

  /// Further state that decides how the next bytes are shown; some of it is beside the public interface.
  state() {
    const { _core: core, modes } = this.terminal;
    const { scrollTop, scrollBottom, tabs, savedX, savedY, x, ybase } = core.buffer;
    const hidden = core.coreService.isCursorHidden;
    const pen = core._inputHandler._curAttrData;
    const charsets = core._charsetService;
    return {
      // A snapshot does not tell of a synchronized update: who comes late must not wait for its end.
      modes: { ...modes, synchronizedOutputMode: false },
      margins: [scrollTop, scrollBottom],
      tabs: Object.keys(tabs).filter((column) => tabs[column]),
      saved: [savedX, Math.max(savedY - ybase, 0)],
      column: x,
      hidden,
      pen: [pen.fg, pen.bg, pen.extended.ext],
      charset: charsets.charset ?? "ASCII",
      title: this.title,
    };
  }
}

/// Of a blank only the background counts.
function blankOf(cell) {
  const bg = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  return bg === "" ? "plain" : `bg=${bg}`;
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
  const underline = underlineOf(cell);
  if (underline !== "") words.push(underline);
  const fg = colour(cell.isFgDefault(), cell.isFgRGB(), cell.getFgColor());
  const bg = colour(cell.isBgDefault(), cell.isBgRGB(), cell.getBgColor());
  if (fg !== "") words.push(`fg=${fg}`);
  if (bg !== "") words.push(`bg=${bg}`);
  const line = cell.hasExtendedAttrs() ? underlineColour(cell) : "";
  if (line !== "") words.push(`uc=${line}`);
  return words.join(",") || "plain";
}

/// The style is beside the public interface, which takes every link for underlined.
function underlineOf(cell) {
  const style = cell.hasExtendedAttrs() ? (cell.extended._ext >> 26) & 7 : 0;
  const linked = (cell.extended?.urlId ?? 0) !== 0;
  return style !== 0 ? kUnderlines[style] : cell.isUnderline() && !linked ? kUnderlines[1] : "";
}

/// The colour of the underline, which is beside the public interface; all bits set are the text's own colour.
function underlineColour(cell) {
  const value = cell.extended?.underlineColor ?? 0;
  const mode = value & 0x3000000;
  if (mode === 0 || (value & 0x3ffffff) === 0x3ffffff) return "";
  return mode === 0x3000000 ? `#${(value & 0xffffff).toString(16).padStart(6, "0")}` : String(value & 0xff);
}
