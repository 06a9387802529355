// A client that follows one terminal, is cut again and again, and comes back where it was.
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../process.mjs';
import { Reading } from './lines.mjs';
import { Talk } from './talk.mjs';

const SIZE = { cols: 80, rows: 24 };

/** That of a terminal's journal, or another where nobody can go on from. */
const incarnationOf = (cursor) => cursor.split('.')[0];

export class Follower {
  #cursor = null;
  #incarnation = null;
  #visits = 0;
  #isViewer = false;

  constructor(name, sweep, source, policy) {
    Object.assign(this, { name, sweep, source, policy });
    this.random = sweep.random(name);
    this.reading = new Reading(policy, (what) => this.#complain(what));
    source.followers.push(this);
  }

  #complain(what) {
    this.sweep.record.fail(`${this.name}, ${this.policy}, connection ${this.#visits}: ${what}`, this.talk.transcript);
    this.sweep.record.fail(`it follows ${this.source.name}, at burst ${this.source.burst}`, this.source.talk.transcript);
  }

  /** One life of the server. */
  async run() {
    await this.source.opened;
    while (!this.sweep.over()) {
      await this.#visit();
      await pause(this.random.weighted([[6, 0], [4, this.random.between(1, 100)], [2, this.random.between(100, 1500)]]));
    }
  }

  end() {
    this.talk?.end();
  }

  async #connect() {
    this.#visits += 1;
    this.#isViewer = false;
    this.talk = new Talk(this.name, this.sweep, { hear: (event) => this.#hear(event), before: this.talk });
    return this.talk.connect();
  }

  async #visit() {
    if (!(await this.#connect())) return;
    const opened = this.#open();
    if (this.random.chance(0.9)) await opened;
    else await pause(this.random.between(0, 5)); // the answer may be under way
    for (let left = this.random.between(0, 6); left > 0 && this.#isUsable(); left -= 1) await this.random.weighted(this.#acts)();
    if (this.sweep.over()) return; // it is there when the server ends
    await this.random.weighted([[4, () => this.talk.end()], [2, () => this.talk.end(true)], [1, () => this.talk.close()]])();
    await opened;
  }

  #isUsable() {
    return this.talk.isOpen && !this.sweep.over();
  }

  #acts = [
    [6, () => pause(this.random.between(0, 300))],
    [2, () => this.#stopReading()],
    [2, () => this.#open()],
    [1, () => this.talk.call('terminal.resize', { ...this.source.key, ...SIZE })],
  ];

  async #stopReading() {
    this.talk.ws.pause();
    await pause(this.random.between(10, 800));
    this.talk.ws.resume();
  }

  // --- what it asks for, and what it is told

  async #open() {
    const { talk } = this;
    const after = this.#cursor;
    const historyFormat = this.random.pick(['raw', 'screen']);
    const asked = {
      ...this.source.key, cwd: '/', attach: true, historyFormat, ...(after ? { after } : {}), ...(this.policy === 'lossless' ? { policy: 'lossless', hold: this.name } : {}),
    };
    const answer = await talk.call('terminal.open', asked, ({ result }) => result && this.#opened({ ...result, historyFormat, after }));
    if (answer?.error) await pause(20); // its disk hangs, or the terminal is not there yet
    if (answer?.result && talk === this.talk) this.#isViewer = true;
  }

  /** A cursor of an earlier server may have been under way when the new one answered for the first time. */
  #opened({ after, ...told }) {
    this.reading.opened({ ...told, wasHere: Boolean(after) && incarnationOf(after) === this.#incarnation });
    if (!told.resumed) this.#cursor = told.cursor;
    this.#incarnation = incarnationOf(told.cursor);
  }

  #hear(event) {
    if (!event.cursor || event.threadId !== this.source.name) return;
    if (event.type === 'output') this.reading.output(event.data, incarnationOf(event.cursor) === this.#incarnation);
    this.#cursor = event.cursor;
    this.compare();
  }

  /** Reads on until it has the last line there is; then it leaves. */
  async catchUp() {
    const isThere = () => this.source.hasPrintedLast && this.reading.last.burst === this.source.burst && this.reading.last.line === this.reading.last.count;
    await eventually(async () => {
      if (!this.talk?.isOpen) await this.#connect();
      if (this.talk.isOpen && !this.#isViewer) await this.#open();
      return isThere();
    }, () => `${this.name} to read the end of burst ${this.source.burst}; it has ${JSON.stringify(this.reading.last)}`, this.sweep.patience)
      .catch((error) => this.#complain(error.message));
    this.talk.end();
  }

  /** Complains of lines that were printed and never came: a burst is done before the next one begins. */
  compare() {
    const all = this.reading.cutShort.splice(0);
    if (this.policy !== 'lossless') return;
    for (const { burst, line } of all)
      if (this.source.wasPrinted(burst)) this.#complain(`of burst ${burst}, which was printed, it has read ${line} lines before it came to ${this.reading.last.burst}`);
  }
}
