// A sweep: for some time, random clients do to one server whatever clients do, and two citizens work beside them, while the
// machine has trouble and the server is stopped, killed and started again. At its end nothing is left, no answer is owed, no
// line of output was missing or came twice, and nobody's echo took longer than a bound.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EnvelopeClient } from '../envelope.mjs';
import { POISON } from '../poison.mjs';
import { eventually } from '../process.mjs';
import { Server } from '../server.mjs';
import { Trouble } from '../trouble.mjs';
import { Citizen, Lateness } from './citizen.mjs';
import { Follower } from './follower.mjs';
import { Random } from './random.mjs';
import { Reader } from './reader.mjs';
import { Record } from './record.mjs';
import { complaints, countsAgree, endStragglers, holdings, nothingMore } from './remains.mjs';
import { Rude } from './rude.mjs';
import { Source } from './source.mjs';
import { DRIVE, threads } from './vocabulary.mjs';
import { Weather } from './weather.mjs';

const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);
/** For whatever has to come in the end: a machine that is busy is slow, not wrong. */
const PATIENCE_MS = 120_000 * scale;
export const ECHO_BOUND_MS = 10_000 * scale;
const CITIZENS = 2;
const SOURCES = 2;
const POLICIES = ['latest', 'lossless', 'latest', 'lossless'];
/** Calls in a life of the server when their number is not given. */
const CALLS_OF_ONE_LIFE = 5000;
const SECONDS_OF_ONE_LIFE = 20;
const FEWEST_LIVES = 3;
const LOG_LINES = 80;
/** So long after the last terminal was closed, the server deletes files that belong to none. */
const SWEPT_AFTER_MS = 31_000;
/** The end of a server does not wait for long where a client that is away holds what its program has printed. */
const WHILE_HELD = /the child \d+ did not end in time/;
const SANITIZER = /Sanitizer|runtime error:/;
const LANGUAGES = [['envelope'], ['effect'], ['envelope', 'effect']];
/** A hold for a client that is away lasts longer than a machine is busy, and so is a connection that is late. */
const ARGS = ['--linger', '3600', '--ping-timeout', '3600'];

/** A wait that was in vain says for what; of a fault of the sweep's own the place is wanted. */
const told = (error) => (error.message.startsWith('waited') ? error.message : error.stack);

export class SweepFailure extends Error {}

class Sweep {
  record = new Record();
  patience = PATIENCE_MS;
  #stopped = false;
  #life = 0;
  #times = [];
  #ends = { SIGTERM: 0, SIGKILL: 0 };

  constructor(options) {
    const defaults = { seconds: 30, calls: undefined, clients: 8, threads: undefined, echoBound: ECHO_BOUND_MS, say: () => {} };
    Object.assign(this, defaults, Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)));
    const usual = this.calls ? this.calls / CALLS_OF_ONE_LIFE : this.seconds / SECONDS_OF_ONE_LIFE;
    this.lives ??= Math.max(FEWEST_LIVES, Math.round(usual));
    this.decisions = this.random('the sweep');
  }

  random(name) {
    return new Random(this.seed, name);
  }

  /** This life of the server is over, or about to be; also at the first failure, of which the transcripts are wanted. */
  over() {
    return this.#stopped || this.record.failures.length > 0 || this.#progress() >= (this.#life + 1) / this.lives || !this.isAlive();
  }

  #progress() {
    return this.calls ? this.record.counts.requests / this.calls : (performance.now() - this.begun) / (this.seconds * 1000);
  }

  get #isLastLife() {
    return this.#life === this.lives - 1;
  }

  isAlive() {
    return this.server.alive;
  }

  async run() {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-sweep-'));
    fs.mkdirSync(DRIVE, { recursive: true });
    this.lateness = new Lateness();
    try {
      await this.#run();
    } catch (error) {
      this.record.fail(told(error));
    } finally {
      this.#cleanUp();
    }
    if (this.record.failures.length > 0) throw new SweepFailure(this.#report());
    return this.#summary();
  }

  #cleanUp() {
    this.#stopped = true;
    for (const client of this.everybody ?? []) client.end();
    this.lateness.stop();
    this.server?.cleanUp();
    this.trouble?.close();
    for (const folder of [this.folder, DRIVE]) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #run() {
    this.trouble = new Trouble(this.folder, { state: path.join(this.folder, 'state'), drive: DRIVE });
    this.#settleFollowers();
    for (;;) {
      await this.#start();
      await this.#live();
      if (this.#isLastLife || this.record.failures.length > 0) return;
      this.#life += 1;
    }
  }

  /** Those that live on when the server does not. */
  #settleFollowers() {
    this.sources = Array.from({ length: SOURCES }, (_, n) => new Source(`lines-${n + 1}`, this));
    this.followers = this.sources.flatMap((source, n) =>
      POLICIES.map((policy, m) => new Follower(`follower-${n + 1}-${m + 1}`, this, source, policy)));
  }

  async #start() {
    this.server = await Server.start({
      folder: this.folder, shell: '/bin/sh', threads: this.threads, env: { ...POISON, ...this.trouble.env }, args: ARGS, looksOn: true,
    });
    this.#meet();
  }

  /** How clients reach the server. */
  #meet() {
    const { server } = this;
    this.address = { host: '127.0.0.1', port: server.port };
    this.url = `ws://127.0.0.1:${server.port}/ws`;
    this.headers = server.bearer;
    this.viewerHeaders = server.viewerBearer;
  }

  async #live() {
    const before = await this.#holdingsWhenWarm();
    this.files ??= before.files; // of the first life: there is nothing to go on from
    this.begun ??= performance.now();
    const citizens = Array.from({ length: CITIZENS }, (_, n) => new Citizen(`citizen-${n + 1}`, this, this.lateness));
    await Promise.all(citizens.map((citizen) => citizen.settleIn()));
    this.citizens = citizens;
    await this.#letLoose(citizens);
    this.#times.push(...citizens.flatMap(({ times }) => times));
    if (!this.#isLastLife) return;
    if (this.isAlive()) await this.#leaveNothing({ ...before, files: this.files });
    await this.#stop();
  }

  /** Its holdings once it has served a client, and holds no more than it will keep. */
  async #holdingsWhenWarm() {
    const client = await EnvelopeClient.connect(this.url, { headers: this.headers });
    const { key } = await client.open();
    await client.call('terminal.close', { ...key, deleteHistory: true });
    await client.close();
    await this.#connectionsLeft(0);
    await eventually(() => holdings(this.server).children === 0, 'the first shell to end', this.patience);
    return holdings(this.server);
  }

  /** The life ends under its clients' hands, or is the last one and they come to their end. */
  async #letLoose(citizens) {
    const half = Math.ceil(this.clients / 2);
    const named = (what, n) => `${what}-${n + 1}${this.#life ? `, life ${this.#life + 1}` : ''}`;
    const readers = Array.from({ length: half }, (_, n) => new Reader(named('reader', n), this, LANGUAGES[n % LANGUAGES.length]));
    const rude = Array.from({ length: this.clients - half }, (_, n) => new Rude(named('rude', n), this));
    for (const source of this.sources) source.prepare();
    this.everybody = [...readers, ...rude, ...citizens, ...this.sources, ...this.followers];
    const run = (one) => one.run().catch((error) => this.record.fail(told(error), one.transcript));
    const weather = run(new Weather(named('weather', 0), this));
    const working = Promise.all([weather, ...this.everybody.map(run)]);
    await Promise.all([working, this.#tell(working), this.#isLastLife ? null : weather.then(() => this.#endLife())]);
    if (this.#isLastLife) await Promise.all([...readers.map((reader) => reader.settle()), this.#readAll()]);
    else for (const client of this.everybody) client.end();
  }

  async #tell(working) {
    let going = true;
    working.then(() => (going = false));
    for (let told = performance.now(); going; await pause(50)) {
      if (performance.now() - told < 10_000) continue;
      told = performance.now();
      this.say(`${this.record.time()} s: ${this.#summary()}`);
    }
  }

  // --- the end of a life, while everybody is at it

  async #endLife() {
    if (!this.isAlive()) return this.record.fail('the server ended by itself');
    this.record.failForLosses();
    const name = this.#howToEnd();
    this.#ends[name] += 1;
    if (name === 'SIGKILL') return this.#kill();
    if (this.decisions.chance(0.3)) this.trouble.hang('state');
    for (const source of this.sources) source.serverEnds();
    await this.#stop();
    return this.trouble.calm();
  }

  /** The first two lives end in either way. */
  #howToEnd() {
    if (this.#life < 2) return this.#life === 0 ? 'SIGTERM' : 'SIGKILL';
    return this.decisions.chance(0.6) ? 'SIGTERM' : 'SIGKILL';
  }

  async #kill() {
    await this.server.kill();
    endStragglers(this.server);
    for (const source of this.sources) source.killed();
  }

  // --- the end

  /** Every follower reads the last line there is. */
  async #readAll() {
    if (!this.isAlive()) return;
    await Promise.all([...this.sources.map((source) => source.printLast()), ...this.followers.map((follower) => follower.catchUp())]);
  }

  async #leaveNothing(before) {
    for (const client of this.everybody) client.end();
    await this.#connectionsLeft(0).catch((error) => this.#failForConnections(error));
    await this.#isWell();
    const client = await EnvelopeClient.connect(this.url, { headers: this.headers });
    await countsAgree(this.server, client, this.record, this.patience);
    for (const threadId of this.#allThreads()) await client.call('terminal.close', { threadId, deleteHistory: true });
    const { terminals } = await client.call('terminal.list', {});
    if (terminals.length > 0) this.record.fail(`after everything was closed there are ${JSON.stringify(terminals)}`);
    await client.close();
    this.trouble.leap(SWEPT_AFTER_MS);
    await nothingMore(this.server, before, this.record, this.patience);
  }

  #allThreads() {
    return [...threads, ...[...this.citizens, ...this.sources].map(({ name }) => name)];
  }

  async #connectionsLeft(wanted) {
    const look = async () => Number((await (await this.server.fetch('/metrics')).text()).match(/^ptyd_connections (\d+)$/m)?.[1]) === wanted;
    await eventually(look, `no more than ${wanted} connections`, this.patience);
  }

  /** Clients that are still there for the server, though none is. */
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
    const all = complaints(this.server.log).filter((line) => this.#isLastLife || !WHILE_HELD.test(line));
    for (const line of all.slice(0, 10)) this.record.fail(`in the log: ${line}`);
  }

  // --- what is told

  #summary() {
    const { counts } = this.record;
    const times = [...this.#times].sort((a, b) => a - b);
    const at = (part) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
    const lines = this.followers.reduce((sum, { reading }) => sum + reading.count, 0);
    return `${counts.connections} connections, ${counts.resets} of them reset, ${counts.requests} requests, ${counts.answers} answers, ` +
      `${(counts.bytes / 1e6).toFixed()} MB, ${lines} lines followed, ${this.trouble?.leaps ?? 0} leaps with ${counts.parked} parked screens, server stopped ${this.#ends.SIGTERM} times and killed ${this.#ends.SIGKILL} times, ` +
      `${times.length} echoes: median ${at(0.5)} ms, slowest ${at(1)} ms`;
  }

  /** The end of the log, or what a sanitizer says: from its first line on. */
  #log() {
    const lines = this.server.log.split('\n');
    const found = lines.findIndex((line) => SANITIZER.test(line));
    return (found < 0 ? lines.slice(-LOG_LINES) : lines.slice(found, found + 2 * LOG_LINES)).join('\n');
  }

  #report() {
    const bound = this.calls ? `--calls ${this.calls}` : `--seconds ${this.seconds}`;
    return `a sweep failed in life ${this.#life + 1} of the server; seed ${this.seed}, ${bound}, ${this.clients} clients: ${this.#summary()}\n` +
      `again: scripts/sweep --seed ${this.seed} ${bound} --lives ${this.lives} --clients ${this.clients}${this.threads ? ` --threads ${this.threads}` : ''}\n` +
      `${this.record.report()}\n--- from the log of ${this.server?.command.join(' ')}\n${this.server ? this.#log() : ''}`;
  }
}

/**
 * options: seed, seconds or calls (how long), lives (of the server), clients (half of them read, half are rude), threads (loops
 * of the server), echoBound, say (a line now and then). Returns what was done in one line; throws SweepFailure with everything
 * that failed.
 */
export const sweep = (options) => new Sweep(options).run();
