// Numbered lines, and what may become of them on their way to a client. Pure rules.
//
// A burst is a run of lines that one command prints; bursts are numbered, and so are the lines of each.

/** So a repaint begins. (A new shell's first text begins with the first character alone.) */
const REPAINT = '\x18\x1b[?2026h';
/** A server that was killed may have read a line and not its end: then a new shell's first text follows. */
const LINE = /~(\d+)\.(\d+)\/(\d+)é漢(?:\r\n|\r?(?=\x18))/g;
/** More text than this without a line in it is no part of a line. */
const CARRY = 8192;

/** Types a burst of `count` lines, and what is to be done once it has been printed. */
export const burstCommand = (burst, count, then) => `stty -echo; seq -f '~${burst}.%.0f/${count}é漢' 1 ${count}; ${then}\r`;

const linesIn = (text) => [...text.matchAll(LINE)].map((match) => ({
  burst: Number(match[1]), line: Number(match[2]), count: Number(match[3]), at: match.index, end: match.index + match[0].length,
}));

const isBehind = (one, other) => one.burst > other.burst || (one.burst === other.burst && one.line > other.line);
const named = ({ burst, line }) => `${burst}.${line}`;
const shown = (text) => JSON.stringify(text.length > 200 ? `${text.slice(0, 100)}…${text.slice(-100)}` : text);

/**
 * One client's lines of one terminal, over all its connections. Complains of each that is missing, twice or out of order, less
 * what the promise of its policy leaves open: `latest` may jump where it is shown the present, `lossless` nowhere.
 */
export class Reading {
  /** The last line that was read. */
  last = { burst: 0, line: 0, count: 0 };
  /** Ends of bursts that were not read, {burst, line: the last one that was}: right only where they were never printed. To be taken away. */
  cutShort = [];
  /** Lines that were read. */
  count = 0;
  #carry = '';
  #follows = false;
  #repaint = null;
  #excusedTo = 0;
  #wipedTo = 0;

  constructor(policy, complain) {
    Object.assign(this, { policy, complain });
  }

  /** Up to this burst, what was not read yet may be lost: the server was killed. */
  excuse(burst) {
    this.#excusedTo = Math.max(this.#excusedTo, burst);
  }

  /** The same, and what was read may be in no history any more: the terminal was cleared. */
  wiped(burst) {
    this.excuse(burst);
    this.#wipedTo = Math.max(this.#wipedTo, burst);
  }

  get isExcused() {
    return this.last.burst <= this.#excusedTo;
  }

  /** Takes an answer to `open`. `wasHere`: the client told a cursor of this terminal's present life. */
  opened({ resumed, history, historyFormat, wasHere }) {
    this.#repaint = null;
    if (resumed) return undefined;
    if (this.policy === 'lossless' && wasHere && !this.isExcused) this.complain(`was not resumed behind ${named(this.last)}`);
    return this.#snapshot(history, historyFormat);
  }

  #snapshot(history, format) {
    const lines = linesIn(history);
    const [newest] = lines.slice(-1);
    if (this.last.burst > this.#wipedTo && isBehind(this.last, newest ?? { burst: 0, line: 0 }))
      this.complain(`was shown ${named(this.last)} before, and now a history that ends with ${newest ? named(newest) : shown(history)}`);
    this.#carry = '';
    this.#follows = false;
    if (format !== 'raw') return this.#jumpTo(newest);
    this.#jumpTo(lines[0]);
    this.#follows = lines.length > 0;
    return lines.length > 0 && this.#read(history.slice(lines[0].end));
  }

  #jumpTo(line) {
    if (line) this.last = line;
  }

  /** `isWhole`: the event's cursor is one to go on from, which it is not before the end of a repaint. */
  output(text, isWhole) {
    if (this.#repaint !== null || text.includes(REPAINT)) return this.#repainted(text, isWhole);
    return this.#read(text);
  }

  #repainted(text, isWhole) {
    if (this.policy === 'lossless' && this.#repaint === null && !this.isExcused) this.complain(`was shown the present behind ${named(this.last)}`);
    this.#repaint = (this.#repaint ?? '') + text;
    if (!isWhole) return;
    const [newest] = linesIn(this.#repaint).slice(-1);
    if (newest && isBehind(newest, this.last)) this.last = newest;
    this.#repaint = null;
    this.#carry = '';
    this.#follows = false;
  }

  #read(text) {
    const all = this.#carry + text;
    let end = 0;
    for (const line of linesIn(all)) {
      this.#next(line, all.slice(end, line.at));
      end = line.end;
    }
    this.#carry = all.slice(Math.max(end, all.length - CARRY));
  }

  /** `between`: what was read since the last line. */
  #next(line, between) {
    if (!isBehind(line, this.last)) this.complain(`${named(line)} came after ${named(this.last)}`);
    else if (line.burst > this.last.burst) this.#nextBurst(line);
    else if (!this.#follows) this.#follows = true; // the present was shown in the middle of a line
    else if (line.line !== this.last.line + 1 && !this.isExcused) this.complain(`${named(line)} came next after ${named(this.last)}`);
    else if (between !== '' && !this.isExcused) this.complain(`between ${named(this.last)} and ${named(line)} stands ${shown(between)}`);
    this.last = line;
    this.count += 1;
    this.#follows = true;
  }

  #nextBurst(line) {
    if (line.line !== 1 && this.#follows && line.burst > this.#excusedTo) this.complain(`${named(line)} came first of its burst, after ${named(this.last)}`);
    if (this.#follows || this.policy === 'lossless') this.#noteCutShort(line.burst);
  }

  #noteCutShort(next) {
    if (this.last.line < this.last.count && !this.isExcused) this.cutShort.push(this.last);
    for (let burst = Math.max(this.last.burst, this.#excusedTo) + 1; this.last.burst > 0 && burst < next; burst += 1) this.cutShort.push({ burst, line: 0 });
  }
}
