// The machine of a server, on a bad day: its clocks jump, and its files are slow or hang for a while.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A Screen is parked when so much time has passed for the server. */
const PARKED_AFTER_MS = 9000;
/** No wait for a file is twice as long. In one leap it would end the patience with a message that is under way. */
const HALF_OF_PATIENCE_MS = 16_000;

export class Weather {
  constructor(name, sweep) {
    Object.assign(this, { name, sweep });
    this.random = sweep.random(name);
  }

  async run() {
    while (!this.sweep.over()) {
      await this.random.weighted(this.#acts)();
      await this.#wait(this.random.between(50, 700));
    }
    this.sweep.trouble.calm();
  }

  async #wait(ms) {
    const end = performance.now() + ms;
    while (!this.sweep.over() && performance.now() < end) await pause(Math.min(20, ms));
  }

  #acts = [
    [3, () => this.#calendar()],
    [4, () => this.#leap()],
    [3, () => this.#for(2000, () => this.sweep.trouble.slow('state', this.random.between(1, 100)))],
    [2, () => this.#for(1500, () => this.sweep.trouble.hang('state'))],
    [2, () => this.#for(2000, () => this.sweep.trouble.hang('drive'))],
    [1, () => this.#for(500, () => this.#outlast('state'))],
    [1, () => this.#for(500, () => this.#outlast('drive'))],
    [1, () => this.#for(2000, () => this.sweep.trouble.slow('drive', this.random.between(1, 300)))],
  ];

  #calendar() {
    this.sweep.trouble.shiftCalendar(this.random.pick([0, HOUR_MS, -HOUR_MS, 40 * DAY_MS, -400 * DAY_MS]));
  }

  /** Counts the files of parked Screens, where there are some. */
  async #leap() {
    this.sweep.trouble.leap(PARKED_AFTER_MS + this.random.between(0, 3000));
    await this.#wait(300);
    const { counts } = this.sweep.record;
    counts.parked += fs.readdirSync(path.join(this.sweep.server.stateDir, 'sessions')).filter((name) => name.endsWith('.screen')).length;
  }

  /** It hangs for longer than anybody waits. */
  async #outlast(zone) {
    this.sweep.trouble.hang(zone);
    for (let half = 0; half < 2; half += 1) {
      await this.#wait(300);
      this.sweep.trouble.leap(HALF_OF_PATIENCE_MS);
    }
  }

  async #for(most, begin) {
    await begin();
    await this.#wait(this.random.between(1, most));
    this.sweep.trouble.calm();
  }
}
