// A client that works while others misbehave: one terminal, and how long each key takes to come back.
import { setTimeout as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import { EnvelopeClient } from '../envelope.mjs';

const EVERY_MS = 100;
const TICK_MS = 10;

/** How late this process itself is: what a bare pause takes too long, summed up. */
export class Lateness {
  #sum = 0;
  #last = performance.now();
  #timer = setInterval(() => this.#tick(), TICK_MS);

  #tick() {
    const now = performance.now();
    this.#sum += Math.max(0, now - this.#last - TICK_MS);
    this.#last = now;
  }

  /** Up to now, the pause under way included. */
  get ms() {
    return this.#sum + Math.max(0, performance.now() - this.#last - TICK_MS);
  }

  stop() {
    clearInterval(this.#timer);
  }
}

export class Citizen {
  times = [];

  constructor(name, sweep, lateness) {
    Object.assign(this, { name, sweep, lateness });
  }

  async settleIn() {
    this.client = await EnvelopeClient.connect(this.sweep.url, { headers: this.sweep.headers });
    const { key } = await this.client.open({ threadId: this.name });
    this.key = key;
    await this.client.run(key, "stty raw -echo; printf 'rea%s' dy; exec cat\r", 'ready', { deadline: this.sweep.patience });
  }

  async run() {
    for (let n = 0; !this.sweep.over(); n += 1) {
      await this.#echo(`<${this.name} ${n}>`);
      await pause(EVERY_MS);
    }
  }

  /** The time until it came back, less what this process was late itself. */
  async #echo(text) {
    const begun = performance.now();
    const late = this.lateness.ms;
    try {
      await this.client.run(this.key, text, text, { deadline: this.sweep.patience });
    } catch (error) {
      if (!this.sweep.over()) this.sweep.record.fail(`no echo of ${text}: ${error.message}`);
      return;
    }
    const took = Math.max(0, performance.now() - begun - (this.lateness.ms - late));
    this.times.push(took);
    if (took > this.sweep.echoBound) this.sweep.record.fail(`the echo of ${text} took ${took.toFixed()} ms, more than ${this.sweep.echoBound}`);
  }

  end() {
    this.client?.socket.ws.terminate();
  }
}
