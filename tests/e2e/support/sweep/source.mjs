// A terminal that prints numbered lines: its owner starts, ends, clears and restarts it at random, and knows what it printed.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../process.mjs';
import { burstCommand } from './lines.mjs';
import { Talk } from './talk.mjs';

const SIZE = { cols: 80, rows: 24 };

export class Source {
  /** The last burst that was begun. */
  burst = 0;
  #opened = null;
  /** So `burst` will not change any more. */
  hasPrintedLast = false;
  #exits = 0;
  #hasExited = false;
  #unsure = new Set();

  constructor(name, sweep) {
    Object.assign(this, { name, sweep, key: { threadId: name, terminalId: 'default' }, followers: [] });
    this.random = sweep.random(name);
  }

  get #doneFile() {
    return path.join(this.sweep.server.home, `done-${this.name}`);
  }

  /** Bursts that have come to their end. */
  done() {
    if (!fs.existsSync(this.#doneFile)) return new Set();
    return new Set(fs.readFileSync(this.#doneFile, 'utf8').split('\n').slice(0, -1).map(Number));
  }

  /** Its server is about to end: what is printed from now on may be lost. */
  serverEnds() {
    const done = this.done();
    for (let burst = 1; burst <= this.burst; burst += 1) if (!done.has(burst)) this.#unsure.add(burst);
  }

  /** Every line of it was printed while there was a server to read it. */
  wasPrinted(burst) {
    return !this.#unsure.has(burst) && this.done().has(burst);
  }

  /** Its server was killed. */
  killed() {
    for (const { reading } of this.followers) reading.excuse(this.burst);
  }

  #wiped() {
    for (const { reading } of this.followers) reading.wiped(this.burst);
  }

  /** Resolves once there is such a terminal in this life of the server, or the life is over. */
  get opened() {
    return this.#opened.promise;
  }

  /** Before a life of the server. */
  prepare() {
    let resolve;
    const promise = new Promise((settled) => (resolve = settled));
    this.#opened = { promise, resolve };
    this.#hasExited = false; // what it printed before is shown in a new server
  }

  /** One life of the server. */
  async run() {
    this.talk = new Talk(this.name, this.sweep, { hear: (event) => this.#hear(event), before: this.talk });
    try {
      await this.#live();
    } finally {
      this.#opened.resolve();
    }
  }

  async #live() {
    if (!(await this.talk.connect())) return;
    if (!(await this.#open())) return;
    this.#opened.resolve();
    while (!this.sweep.over() && this.talk.isOpen) {
      await this.random.weighted(this.#acts)();
      await pause(this.random.weighted([[5, 0], [3, this.random.between(1, 100)], [1, 500]]));
    }
  }

  end() {
    this.talk?.end();
  }

  #hear(event) {
    if (event.type !== 'exited' || event.threadId !== this.name) return;
    this.#exits += 1;
    this.#hasExited = true;
  }

  #ask = (tag, params = {}) => this.talk.call(tag, { ...this.key, ...params });

  /** Until it is there: a disk may hang. False when the life is over. In place of a shell that has exited a new one is empty. */
  async #open() {
    if (this.#hasExited) this.#wiped();
    while (!this.sweep.over() && this.talk.isOpen) {
      const answer = await this.#ask('terminal.open', { cwd: '/', ...SIZE, streamOutput: false });
      if (answer?.result) return !(this.#hasExited = false);
      await pause(20);
    }
    return false;
  }

  #lines = () => this.random.weighted([[8, this.random.between(1, 300)], [2, this.random.between(2000, 20_000)], [1, this.random.between(40_000, 100_000)]]);

  #acts = [
    [30, () => this.#print()],
    [4, () => this.#exit((exit) => this.#print(exit))],
    [2, () => this.#exit((exit) => this.#ask('terminal.write', { data: `${exit}\r` }))],
    [3, () => this.#wipe('terminal.clear')],
    [1, () => this.#wipe('terminal.restart', { cwd: '/', ...SIZE })],
    [2, () => this.#ask('terminal.resize', { cols: SIZE.cols, rows: this.random.between(10, 40) })],
    [3, () => this.#open()],
  ];

  /** Waits for its end more often than not: what comes next meets it while it prints. */
  async #print(then = '') {
    const count = this.#lines();
    const [burst, exits] = [this.burst + 1, this.#exits];
    this.burst = burst;
    const answer = await this.#ask('terminal.write', { data: burstCommand(burst, count, `echo ${burst} >>~/done-${this.name}; ${then}`) });
    if (answer?.error) return this.#open();
    const isOver = () => this.#isOver() || this.#exits > exits;
    if (then || this.random.chance(0.9)) await eventually(() => isOver() || this.done().has(burst), `burst ${burst} of ${this.name} to end`, this.sweep.patience);
    return undefined;
  }

  /** The shell is typed to end, and has ended; more often than not those that miss nothing read to its end first. */
  async #exit(type) {
    const exits = this.#exits;
    await type('exit');
    await eventually(() => this.#isOver() || this.#exits > exits, `the shell of ${this.name} to end`, this.sweep.patience);
    const read = () => this.followers.every(({ policy, reading }) => policy === 'latest' || reading.isExcused || reading.last.burst === this.burst);
    if (this.random.chance(0.6)) await eventually(() => this.#isOver() || read(), `what ${this.name} printed to be read`, this.sweep.patience);
    return this.#open();
  }

  #isOver() {
    return this.sweep.over() || !this.talk.isOpen;
  }

  async #wipe(tag, params) {
    this.#wiped();
    await this.#ask(tag, params);
    this.#wiped();
  }

  /** One more burst at the end, which every follower is to read; they have to read meanwhile. */
  async printLast() {
    this.talk.end();
    this.talk = new Talk(this.name, this.sweep, { hear: (event) => this.#hear(event), before: this.talk });
    if (!(await this.talk.connect())) throw new Error(`${this.name} cannot connect any more`);
    while (!this.hasPrintedLast) this.hasPrintedLast = await this.#printShort();
  }

  /** False when the shell has ended before it did. */
  async #printShort() {
    if (this.#hasExited) this.#wiped();
    const exits = this.#exits;
    const answer = await this.#ask('terminal.open', { cwd: '/', ...SIZE, streamOutput: false });
    if (!answer?.result) return false;
    this.#hasExited = false;
    const burst = ++this.burst;
    await this.#ask('terminal.write', { data: burstCommand(burst, 3, `echo ${burst} >>~/done-${this.name}`) });
    await eventually(() => this.done().has(burst) || this.#exits > exits, `burst ${burst} of ${this.name} to end`, this.sweep.patience);
    return this.done().has(burst);
  }
}
