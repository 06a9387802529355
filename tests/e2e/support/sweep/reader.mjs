// A client that reads: it says right and wrong things in both languages, leaves and comes back, and is owed every answer.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { within } from '../deadline.mjs';
import { Debts, Effect, Envelope } from './languages.mjs';
import { NONSENSE, request, requestOf, wrongRequest } from './vocabulary.mjs';

const PUSH = '{"type":"push"';
const CHUNK = /^\{"_tag":"Chunk","requestId":("[^"]*"|\d+)/;
/** Events up to this long are read for their cursors; of longer ones a client that acks needs only the end. */
const READ_EVENTS = 2048;
/** Codes the server may close with for what a client did: too large, not UTF-8, too far behind. */
const TOO_LARGE = 1009;
const NOT_TEXT = 1007;
const TOO_FAR_BEHIND = 1013;
const ACK_MOST = 8 << 20;
const MOST_OWED = 1500;
/** Too many to be of use in a transcript. */
const NOISE = /"terminal\.ackOutput"|^\{"_tag":"Ack"/;

export class Reader {
  #cursors = new Map();
  #acked = new Map();
  #explained = new Set();
  #paused = null;
  #leaving = false;

  /** `sweep`: see sweep.mjs; `languages`: names of those it speaks. */
  constructor(name, sweep, languages) {
    Object.assign(this, { name, sweep, languages });
    this.random = sweep.random(name);
    this.habits = sweep.random(`${name}, asked by events`); // so that acts do not hang on what comes when
  }

  #newDebts() {
    return new Debts((what) => this.sweep.record.fail(what, this.transcript));
  }

  /** Lives of many connections, one after the other, until the time is over; the last one stays for `settle`. */
  async run() {
    while (!this.sweep.over()) {
      await this.#connect();
      for (let left = this.random.between(20, 400); left > 0 && this.#isUsable(); left -= 1) await this.#act();
      if (this.sweep.over()) return;
      if (this.isOpen && this.random.chance(0.4)) await this.settle();
      await this.#leave();
    }
  }

  get isOpen() {
    return this.ws?.readyState === WebSocket.OPEN && !this.#leaving;
  }

  #isUsable() {
    return this.isOpen && !this.sweep.over();
  }

  // --- one connection

  async #connect() {
    this.debts = this.#newDebts();
    this.envelope = new Envelope(this.debts);
    this.effect = new Effect(this.debts);
    this.#acked.clear();
    this.#explained = new Set([TOO_FAR_BEHIND]);
    this.#leaving = false;
    this.acks = this.random.pick([0, 0, 0.7, 1]);
    const createConnection = (options) => {
      const socket = net.connect(options);
      this.transcript = this.sweep.record.transcript(this.name, socket);
      return socket;
    };
    const ws = new WebSocket(this.sweep.url, { perMessageDeflate: false, headers: this.sweep.headers, skipUTF8Validation: true, createConnection });
    this.ws = ws;
    ws.on('message', (data) => this.#hear(data));
    ws.on('error', (error) => this.transcript.note('--', error.message));
    const leaps = this.sweep.trouble.leaps;
    let isMet = false;
    ws.once('open', () => (isMet = true));
    ws.on('close', (code) => this.#closed(ws, code, !isMet && this.sweep.trouble.leaps > leaps));
    this.gone = once(ws, 'close').catch(() => {});
    await within(Promise.race([once(ws, 'open'), this.gone]).catch(() => {}), `${this.name} to connect`, this.sweep.patience);
  }

  /** `isLate`: it was not let in yet when so much time passed that the server let nobody in any more. */
  #closed(ws, code, isLate) {
    this.transcript.note('--', `closed ${code}`);
    if (isLate || ws !== this.ws || this.#leaving || this.#explained.has(code) || this.sweep.over()) return;
    this.sweep.record.lost(`the server closed a connection that had done nothing for it, with ${code}`, this.transcript);
  }

  async #leave() {
    clearTimeout(this.#paused);
    this.#leaving = true;
    this.transcript.note('--', 'leaves');
    this.random.weighted([[3, () => this.ws.close()], [3, () => this.ws.terminate()], [2, () => this.ws._socket?.resetAndDestroy()]])();
    this.ws.resume();
    await within(this.gone, `${this.name} to be let go`, this.sweep.patience).catch(() => this.ws.terminate());
  }

  /** Without a word, whatever is under way. */
  end() {
    clearTimeout(this.#paused);
    this.#leaving = true;
    this.ws?.terminate();
  }

  // --- what it hears

  #hear(data) {
    this.sweep.record.counts.bytes += data.length;
    const head = data.toString('latin1', 0, 80);
    if (head.startsWith(PUSH)) return this.#event(data);
    const chunk = CHUNK.exec(head);
    if (chunk) return this.#chunk(chunk[1]);
    const text = data.toString();
    this.transcript.note('<<', text);
    const frame = JSON.parse(text);
    this.sweep.record.counts.answers += 1;
    if (frame._tag) this.effect.hear(frame);
    else this.envelope.hear(frame);
    return this.#remember(frame.result ?? frame.exit?.value);
  }

  #remember(told) {
    if (told?.cursor) this.#cursors.set(`${told.threadId}\0${told.terminalId}`, told.cursor);
  }

  #event(data) {
    if (data.length > READ_EVENTS && this.acks === 0) return;
    const { data: event } = JSON.parse(data);
    if (!event.threadId) return;
    this.#remember(event);
    if (event.type !== 'output' || !this.habits.chance(this.acks)) return;
    this.#ack(event, event.byteLength);
  }

  #ack({ threadId, terminalId }, bytes) {
    this.#request({ tag: 'terminal.ackOutput', params: { threadId, terminalId, bytes } });
  }

  #chunk(name) {
    if (!this.effect.chunk(name) || !this.habits.chance(this.acks)) return;
    this.#acknowledgeChunks(name);
  }

  #acknowledgeChunks(name) {
    for (const text of this.effect.acks(name)) this.#say(text);
  }

  // --- what it says

  #say(text) {
    if (this.ws.readyState !== WebSocket.OPEN) return;
    if (!NOISE.test(text)) this.transcript.note('>>', text.toString());
    this.ws.send(text);
  }

  #ask(text) {
    this.sweep.record.counts.requests += 1;
    this.#say(text);
  }

  /** One right or wrong request. Who acks once has to go on: it is remembered what. */
  #request(asked, language = this.languages[0]) {
    if (asked.tag === 'terminal.ackOutput') this.#acked.set(JSON.stringify(asked.params.terminalId) + asked.params.threadId, asked.params);
    this.#ask(this[language].request(asked));
  }

  async #act() {
    const acts = this.random.pick(this.languages) === 'envelope' ? this.#envelopeActs : this.#effectActs;
    this.random.weighted(acts)();
    await pause(this.random.weighted([[5, 0], [3, this.random.between(1, 30)], [1, 200]]));
    // A client that asks faster than it is answered waits, as programs do; sooner or later the server does not read on anyway.
    while (this.debts.size > MOST_OWED && this.#isUsable()) await pause(10);
  }

  #next = () => request(this.random, this.#cursors);
  #nextOpen = () => requestOf(this.random, 'terminal.open', this.#cursors);

  #envelopeActs = [
    [60, () => this.#request(this.#next(), 'envelope')],
    [6, () => this.#request(wrongRequest(this.random), 'envelope')],
    [6, () => this.#ask(this.envelope.broken(this.random, this.random.pick(NONSENSE)))],
    [3, () => this.#ask(Buffer.from(this.envelope.request(this.#next())))],
    [2, () => this.#request({ tag: 'terminal.subscribeEvents', params: {} }, 'envelope')],
    [0.3, () => this.#burst(this.#nextOpen)],
    [0.1, () => this.#burst(this.#next)],
    [2, () => this.#stopReading()],
    [0.3, () => this.#tooLarge()],
    [0.3, () => this.#notText()],
  ];

  #effectActs = [
    [60, () => this.#request(this.#next(), 'effect')],
    [6, () => this.#request(wrongRequest(this.random), 'effect')],
    [5, () => this.#ask(this.effect.broken(this.random))],
    [4, () => this.#ask(this.effect.ping())],
    [3, () => this.#ask(this.effect.twice(this.#next()))],
    [2, () => this.#say(this.effect.idle(this.random))],
    [4, () => this.#say(this.effect.subscribe({}))],
    [3, () => this.#interrupt()],
    [2, () => this.#array(this.random.between(2, 20), this.#next)],
    [0.3, () => this.#array(300, this.#nextOpen)],
    [0.1, () => this.#array(300, this.#next)],
    [2, () => this.#stopReading()],
  ];

  #burst(next) {
    for (const asked of this.random.many(this.random.between(300, 450), next)) this.#request(asked, 'envelope');
  }

  #array(count, next) {
    const all = this.random.many(count, next).filter(({ tag }) => tag !== 'terminal.ackOutput');
    this.#ask(this.effect.requests(all));
  }

  #interrupt() {
    const [open] = this.effect.streams.keys();
    if (open) this.#ask(this.effect.interrupt(open));
  }

  #stopReading() {
    if (this.#paused || !this.isOpen) return;
    const { ws } = this;
    ws.pause();
    this.#paused = setTimeout(() => {
      this.#paused = null;
      ws.resume();
    }, this.random.between(10, 1500));
  }

  #tooLarge() {
    this.#explained.add(TOO_LARGE);
    this.#leaving = true;
    this.#say(`"${'x'.repeat(7 << 20)}"`);
  }

  #notText() {
    this.#explained.add(NOT_TEXT);
    this.#leaving = true;
    this.#say(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  }

  // --- its due

  /** Confirms all it was sent, ends its streams, and waits for every answer it is owed. */
  async settle() {
    if (!this.debts) return; // its life ended before it connected
    clearTimeout(this.#paused);
    this.#paused = null;
    this.ws?.resume(); // it may never have come to connect
    this.acks = 1;
    for (const name of [...this.effect.streams.keys()]) {
      this.#acknowledgeChunks(name);
      this.#ask(this.effect.interrupt(name));
    }
    const end = performance.now() + this.sweep.patience;
    for (let wait = 50; this.debts.size > 0 && this.isOpen && this.sweep.isAlive(); wait = Math.min(2 * wait, 2000)) {
      if (performance.now() > end) return this.sweep.record.fail(`${this.debts.size} answers are owed: ${this.debts.report()}`, this.transcript);
      for (const params of this.#acked.values()) this.#request({ tag: 'terminal.ackOutput', params: { ...params, bytes: ACK_MOST } });
      await pause(wait);
    }
  }
}
