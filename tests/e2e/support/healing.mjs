// A viewer that falls behind on a slow and broken line, and what it lacks afterwards.
import { within } from './deadline.mjs';

/** Each is cut while lines are being skipped, but for the last one. */
const ROUNDS = 6;
/** Of those that are cut, so many change the size of the terminal. */
const RESIZES = 3;
const PATIENCE_MS = 120_000 * Number(process.env.PTYD_TEST_SCALE ?? 1);

/** The last `depth` lines, up to one that holds something. */
export function newest(lines, depth) {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return lines.slice(Math.max(0, last + 1 - depth), last + 1);
}

/** An emulator that shows what a client of the library is told. */
export class EmulatorView {
  #terminal;
  #replay;
  #emulator;
  #wake = null;
  skippedLines = 0;

  /** Emulator: the class. replay: the client's. scrollback: lines. */
  constructor(terminal, { Emulator, replay, scrollback }) {
    const { cols = 80, rows = 24 } = terminal.snapshot;
    this.#terminal = terminal;
    this.#replay = replay;
    this.#emulator = new Emulator({ cols, rows, scrollback, allowProposedApi: true });
    void this.#startFrom(terminal.snapshot);
    terminal.onOutput.on((data) => this.#write(data));
    terminal.onReset.on((snapshot) => void this.#startFrom(snapshot));
    terminal.onResized.on((size) => this.#emulator.write('', () => this.#emulator.resize(size.cols, size.rows)));
    terminal.onResynced.on((lines) => (this.skippedLines += lines));
  }

  async heal(lines) {
    const text = await this.#terminal.heal(lines);
    this.skippedLines = 0;
    await this.#write(text);
  }

  /** Waits until `met`, which is asked again when output is shown. */
  async until(met, what) {
    const come = async () => {
      while (!met()) await new Promise((resolve) => (this.#wake = resolve));
    };
    await within(come(), what, PATIENCE_MS);
  }

  lines() {
    return this.#rows(0);
  }

  /** Whether such a line is on the screen. */
  shows(line) {
    return this.#rows(this.#emulator.buffer.active.baseY).includes(line);
  }

  #rows(from) {
    const { active } = this.#emulator.buffer;
    const text = (row) => active.getLine(row)?.translateToString(true) ?? '';
    return Array.from({ length: active.length - from }, (_, index) => text(from + index));
  }

  async #startFrom(snapshot) {
    const { cols = 80, rows = 24 } = snapshot;
    this.skippedLines = 0;
    this.#emulator.write('', () => this.#emulator.resize(cols, rows));
    await this.#write(`\x1bc${this.#replay(snapshot)}`);
  }

  #write(data) {
    return new Promise((resolve) =>
      this.#emulator.write(data, () => {
        this.#wake?.();
        resolve();
      }),
    );
  }
}

/**
 * Prints `lines` numbered lines in each of ROUNDS, of which a viewer on a slow line sees a part.
 *
 * write     types into the terminal
 * skips     waits until the viewer is told that lines of this round are skipped
 * cut       cuts its connection, and waits for the next one
 * resize    gives the terminal another size
 * ends      waits until the viewer shows that line
 * below     chance: see random.mjs
 */
export async function printTooFast({ lines, below, write, skips, cut, resize, ends }) {
  const resized = new Set();
  while (resized.size < RESIZES) resized.add(1 + below(ROUNDS - 1));
  await write('stty -echo; PS1=\r');
  for (let round = 1; round <= ROUNDS; round += 1) {
    const skipped = skips();
    await write(`seq -f 'line %g of round ${round}' ${lines}; echo en''d${round}\r`);
    await skipped;
    if (resized.has(round)) resize({ cols: 60 + below(60), rows: 20 + round });
    if (round < ROUNDS) await cut();
    await ends(`end${round}`);
  }
}

/** The connection of `client` is lost, and found again. */
export async function cutAndReconnect(client, proxy) {
  const lost = new Promise((resolve) => {
    const stop = client.onState.on((state) => {
      if (state.name !== 'reconnecting') return;
      stop();
      resolve();
    });
  });
  proxy.cut();
  await within(lost, 'the cut to be noticed', PATIENCE_MS);
  client.retryNow();
  await within(client.whenOpen(), 'a new connection', PATIENCE_MS);
}

/** printTooFast() for a client of the library, whose terminal `view` shows. */
export function spoil({ client, terminal, view, proxy, lines, below }) {
  return printTooFast({
    lines,
    below,
    write: (text) => terminal.write(text),
    skips: () => {
      const before = view.skippedLines;
      return view.until(() => view.skippedLines > before, 'lines that are skipped');
    },
    cut: () => cutAndReconnect(client, proxy),
    resize: (size) => terminal.resize(size).catch(() => {}), // it is cut as well
    ends: (line) => view.until(() => view.shows(line), line),
  });
}
