// A sweep: for some time, random clients do to one server whatever clients do, and two citizens work beside them. At its
// end nothing is left, no answer is owed, and nobody's echo took longer than a bound.
import { setTimeout as pause } from 'node:timers/promises';
import { EnvelopeClient } from '../envelope.mjs';
import { POISON } from '../poison.mjs';
import { eventually } from '../process.mjs';
import { Server } from '../server.mjs';
import { Citizen, Lateness } from './citizen.mjs';
import { Random } from './random.mjs';
import { Reader } from './reader.mjs';
import { Record } from './record.mjs';
import { complaints, holdings, nothingMore } from './remains.mjs';
import { Rude } from './rude.mjs';
import { threads } from './vocabulary.mjs';

const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);
/** For whatever has to come in the end: a machine that is busy is slow, not wrong. */
const PATIENCE_MS = 120_000 * scale;
export const ECHO_BOUND_MS = 10_000 * scale;
const CITIZENS = 2;
const LOG_LINES = 80;
const SANITIZER = /Sanitizer|runtime error:/;
const LANGUAGES = [['envelope'], ['effect'], ['envelope', 'effect']];

/** Who waited in vain says for what; of a fault of the sweep's own the place is wanted. */
const told = (error) => (error.message.startsWith('waited') ? error.message : error.stack);

export class SweepFailure extends Error {}

class Sweep {
  record = new Record();
  patience = PATIENCE_MS;
  #stopped = false;

  constructor(options) {
    Object.assign(this, { seconds: 30, clients: 8, threads: undefined, echoBound: ECHO_BOUND_MS, say: () => {} }, options);
  }

  random(name) {
    return new Random(this.seed, name);
  }

  over() {
    return this.#stopped || performance.now() > this.end || !this.isAlive();
  }

  isAlive() {
    return this.server.alive;
  }

  async run() {
    this.server = await Server.start({ shell: '/bin/sh', threads: this.threads, env: POISON, looksOn: true });
    try {
      await this.#run();
    } catch (error) {
      this.record.fail(told(error));
    } finally {
      this.#stopped = true;
      for (const client of this.everybody ?? []) client.end();
      this.lateness?.stop();
      this.server.cleanUp();
    }
    if (this.record.failures.length > 0) throw new SweepFailure(this.#report());
    return this.#summary();
  }

  async #run() {
    this.#meet();
    const before = await this.#holdingsWhenWarm();
    const citizens = Array.from({ length: CITIZENS }, (_, n) => new Citizen(`citizen-${n + 1}`, this, this.lateness));
    await Promise.all(citizens.map((citizen) => citizen.settleIn()));
    this.citizens = citizens;
    await this.#letLoose(citizens);
    if (this.isAlive()) await this.#leaveNothing(before);
    await this.#stop();
  }

  /** How clients reach the server. */
  #meet() {
    const { server } = this;
    this.address = { host: '127.0.0.1', port: server.port };
    this.url = `ws://127.0.0.1:${server.port}/ws`;
    this.headers = server.bearer;
    this.viewerHeaders = server.viewerBearer;
    this.lateness = new Lateness();
  }

  /** What it holds once it has served somebody, and holds no more than it will keep. */
  async #holdingsWhenWarm() {
    const client = await EnvelopeClient.connect(this.url, { headers: this.headers });
    const { key } = await client.open();
    await client.call('terminal.close', { ...key, deleteHistory: true });
    await client.close();
    await this.#connectionsLeft(0);
    await eventually(() => holdings(this.server).children === 0, 'the first shell to end', this.patience);
    return holdings(this.server);
  }

  async #letLoose(citizens) {
    const half = Math.ceil(this.clients / 2);
    const readers = Array.from({ length: half }, (_, n) => new Reader(`reader-${n + 1}`, this, LANGUAGES[n % LANGUAGES.length]));
    const rude = Array.from({ length: this.clients - half }, (_, n) => new Rude(`rude-${n + 1}`, this));
    this.everybody = [...readers, ...rude, ...citizens];
    this.end = performance.now() + this.seconds * 1000;
    const working = Promise.all(this.everybody.map((one) => one.run().catch((error) => this.record.fail(told(error), one.transcript))));
    await Promise.all([working, this.#tell(working)]);
    await Promise.all(readers.map((reader) => reader.settle()));
  }

  async #tell(working) {
    let going = true;
    working.then(() => (going = false));
    for (let told = performance.now(); going; await pause(200)) {
      if (performance.now() - told < 10_000) continue;
      told = performance.now();
      this.say(`${this.record.time()} s: ${this.#summary()}`);
    }
  }

  // --- the end

  async #leaveNothing(before) {
    for (const client of this.everybody) client.end();
    await this.#connectionsLeft(0).catch((error) => this.#failForConnections(error));
    await this.#isWell();
    const client = await EnvelopeClient.connect(this.url, { headers: this.headers });
    for (const threadId of [...threads, ...this.citizens.map(({ name }) => name)]) await client.call('terminal.close', { threadId, deleteHistory: true });
    const { terminals } = await client.call('terminal.list', {});
    if (terminals.length > 0) this.record.fail(`after everything was closed there are ${JSON.stringify(terminals)}`);
    await client.close();
    await nothingMore(this.server, before, this.record, this.patience);
  }

  async #connectionsLeft(wanted) {
    const look = async () => Number((await (await this.server.fetch('/metrics')).text()).match(/^ptyd_connections (\d+)$/m)?.[1]) === wanted;
    await eventually(look, `no more than ${wanted} connections`, this.patience);
  }

  /** Who is still there for the server, though nobody is. */
  #failForConnections(error) {
    const ended = new Set([...this.server.log.matchAll(/ (c\d+) ended: /g)].map(([, name]) => name));
    const left = [...this.server.log.matchAll(/ (c\d+) WebSocket from \S*:(\d+)/g)].filter(([, name]) => !ended.has(name));
    this.record.fail(`${error.message}: ${left.map(([, name]) => name)}`);
    for (const [, name, port] of left) this.record.fail(`${name} is not let go`, this.record.visitFrom(Number(port)));
  }

  async #isWell() {
    const answer = await this.server.fetch('/healthz');
    if (answer.status !== 200) this.record.fail(`/healthz answers ${answer.status}`);
  }

  /** The server's own end says the rest: its exit code, and what a sanitizer found. */
  async #stop() {
    if (this.isAlive()) this.record.failForLosses();
    else this.record.fail('the server ended by itself');
    try {
      await this.server.stop();
    } catch (error) {
      this.record.fail(error.message);
    }
    for (const line of complaints(this.server.log).slice(0, 10)) this.record.fail(`in the log: ${line}`);
  }

  // --- what is told

  #summary() {
    const { counts } = this.record;
    const times = (this.citizens ?? []).flatMap((citizen) => citizen.times).sort((a, b) => a - b);
    const at = (part) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
    return `${counts.connections} connections, ${counts.resets} of them reset, ${counts.requests} requests of readers, ${counts.answers} answers, ` +
      `${(counts.bytes / 1e6).toFixed()} MB, ${times.length} echoes: median ${at(0.5)} ms, slowest ${at(1)} ms`;
  }

  /** The end of the log, or what a sanitizer says: from its first line on. */
  #log() {
    const lines = this.server.log.split('\n');
    const found = lines.findIndex((line) => SANITIZER.test(line));
    return (found < 0 ? lines.slice(-LOG_LINES) : lines.slice(found, found + 2 * LOG_LINES)).join('\n');
  }

  #report() {
    return `a sweep failed; seed ${this.seed}, ${this.seconds} s, ${this.clients} clients: ${this.#summary()}\n` +
      `again: scripts/sweep --seed ${this.seed} --seconds ${this.seconds} --clients ${this.clients}${this.threads ? ` --threads ${this.threads}` : ''}\n` +
      `${this.record.report()}\n--- from the log of ${this.server.command.join(' ')}\n${this.#log()}`;
  }
}

/**
 * options: seed, seconds, clients (half of them read, half are rude), threads (loops of the server), echoBound, say (a line
 * now and then). Returns what was done in one line; throws SweepFailure with everything that failed.
 */
export const sweep = (options) => new Sweep(options).run();
