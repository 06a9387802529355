// A client without manners, byte by byte: it leaves in the middle of things, stops reading, and sends what is no WebSocket.
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../deadline.mjs';
import { frame, UPGRADE } from '../http.mjs';
import { Debts, Effect, Envelope } from './languages.mjs';
import { NONSENSE, request, requestOf, wrongRequest } from './vocabulary.mjs';

const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];

/** Bytes that no WebSocket client sends. */
const UNFRAMED = [
  () => frame(TEXT, '{}', { mask: false }), () => frame(TEXT, '{}', { rsv: 4 }), () => frame(3, 'x'), () => frame(11, 'x'),
  () => frame(TEXT, Buffer.from([0xe2, 0x82])), () => frame(PING, 'x'.repeat(126)), () => frame(PING, 'x', { fin: false }),
  () => frame(CLOSE, 'x'), () => frame(CLOSE, Buffer.from([3, 0xed])), () => frame(CONTINUATION, 'x'), () => frame(TEXT, 'x', { announce: 2n ** 40n }),
  () => frame(TEXT, 'x', { announce: 1000 }), () => frame(TEXT, '[', { fin: false }), () => Buffer.from([0x81]), () => Buffer.from([0x81, 0xfe, 0xff]),
  () => Buffer.concat(Array.from({ length: 500 }, () => frame(PING, 'x'))), () => Buffer.concat(Array.from({ length: 50 }, () => frame(PONG, '1'))),
  () => Buffer.concat([frame(TEXT, '{"id":"1",', { fin: false }), frame(PING), frame(CONTINUATION, '"body":{}}')]), () => frame(BINARY, Buffer.alloc(100)),
];

export class Rude {
  constructor(name, sweep) {
    Object.assign(this, { name, sweep });
    this.random = sweep.random(name);
    const uncounted = new Debts(() => {});
    this.envelope = new Envelope(uncounted);
    this.effect = new Effect(uncounted);
  }

  async run() {
    while (!this.sweep.over()) {
      await this.#visit(this.random.weighted(this.#visits));
      await pause(this.random.weighted([[4, 0], [2, this.random.between(1, 20)]]));
    }
  }

  end() {
    this.socket?.destroy();
  }

  // --- one visit

  async #visit(act) {
    this.socket = net.connect({ ...this.sweep.address, noDelay: true });
    this.socket.on('error', () => {});
    const gone = once(this.socket, 'close').catch(() => {});
    this.transcript = this.sweep.record.transcript(this.name, this.socket);
    if (await this.#arrives(gone)) await act(gone);
    if (!this.socket.destroyed) this.socket.destroy();
    await within(gone, `${this.name} to be gone`, this.sweep.patience);
  }

  async #arrives(gone) {
    await Promise.race([once(this.socket, 'connect').catch(() => {}), gone]);
    return !this.socket.destroyed;
  }

  #visits = [
    [60, (gone) => this.#leaveEarly(gone)],
    [4, (gone) => this.#leaveAtTheDoor(gone)],
    [6, (gone) => this.#sayNonsense(gone)],
    [6, (gone) => this.#halfClose(gone)],
    [2, (gone) => this.#neverRead(gone)],
    [2, (gone) => this.#beNoWebSocket(gone)],
  ];

  #greeting(viewer) {
    const bearer = viewer ? this.sweep.viewerHeaders : this.sweep.headers;
    const headers = { Host: `${this.sweep.address.host}:${this.sweep.address.port}`, ...UPGRADE, ...bearer };
    return `GET /ws HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  }

  /** True once the server has answered the upgrade. */
  async #enter(gone, viewer) {
    this.socket.write(this.#greeting(viewer));
    await Promise.race([once(this.socket, 'data').catch(() => {}), gone]);
    if (!this.socket.destroyed) this.socket.on('data', (data) => (this.sweep.record.counts.bytes += data.length));
    return !this.socket.destroyed;
  }

  #say(texts) {
    this.transcript.note('>>', texts.join(' | '));
    this.socket.write(Buffer.concat(texts.map((text) => frame(TEXT, text))));
  }

  #reset() {
    this.transcript.note('--', 'reset');
    this.sweep.record.counts.resets += 1;
    this.socket.resetAndDestroy();
  }

  /** 0 to 2 ms, in steps finer than a timer's. */
  async #moment() {
    const end = performance.now() + this.random.fraction() * 2;
    while (performance.now() < end) await new Promise(setImmediate);
  }

  // --- what it does

  #attach = () => ({ ...requestOf(this.random, 'terminal.open'), tag: 'terminal.open' });

  #viewersOpen() {
    const { tag, params } = this.#attach();
    return { tag, params: { ...params, attach: true, policy: 'latest' } };
  }

  /** Calls that are under way when it leaves: [weight, [texts, as a viewer]]. */
  #errands = [
    [6, () => [[this.envelope.request(requestOf(this.random, 'terminal.open'))]]],
    [3, () => [[this.effect.request(requestOf(this.random, 'terminal.open'))]]],
    [2, () => [[this.envelope.request(requestOf(this.random, 'terminal.restart'))]]],
    [2, () => [[this.effect.requests(this.random.many(this.random.between(2, 200), () => this.#viewersOpen()))], true]],
    [2, () => [[this.effect.requests(this.random.many(this.random.between(2, 20), () => request(this.random)))]]],
    [2, () => [this.random.many(this.random.between(1, 30), () => this.envelope.request(request(this.random)))]],
    [1, () => [[this.effect.subscribe({}), this.effect.request(requestOf(this.random, 'terminal.open'))]]],
    [1, () => [[this.envelope.request(this.#viewersOpen())], true]],
  ];

  async #leaveEarly(gone) {
    const [texts, viewer = false] = this.random.weighted(this.#errands)();
    if (!(await this.#enter(gone, viewer))) return;
    this.#say(texts);
    await this.#moment();
    this.#reset();
  }

  /** The upgrade is not answered yet, and there are requests behind it. */
  async #leaveAtTheDoor() {
    this.socket.write(this.#greeting(false));
    if (this.random.chance(0.7)) this.#say([this.envelope.request(requestOf(this.random, 'terminal.open'))]);
    await this.#moment();
    this.#reset();
  }

  async #sayNonsense(gone) {
    if (!(await this.#enter(gone, false))) return;
    this.#say([this.random.pick(NONSENSE), this.effect.request(wrongRequest(this.random)), this.effect.broken(this.random)]);
    this.socket.write(this.random.pick(UNFRAMED)());
    this.transcript.note('>>', 'what is no frame');
    await Promise.race([gone, pause(this.random.between(0, 100))]);
    this.#reset();
  }

  async #halfClose(gone) {
    if (!(await this.#enter(gone, false))) return;
    this.#say(this.random.many(this.random.between(1, 5), () => this.envelope.request(request(this.random))));
    this.transcript.note('--', 'half closes');
    this.socket.end();
    await within(gone, 'the server to end what was half closed', this.sweep.patience).catch((error) => this.#complain(error));
  }

  #complain(error) {
    if (this.sweep.isAlive()) this.sweep.record.fail(error.message, this.transcript);
  }

  async #neverRead(gone) {
    if (!(await this.#enter(gone, false))) return;
    this.transcript.note('--', 'reads no more');
    this.socket.pause();
    this.#say([this.effect.subscribe({}), this.effect.requests(this.random.many(this.random.between(10, 60), () => request(this.random)))]);
    await Promise.race([gone, pause(this.random.between(100, 1500))]);
    this.#reset();
  }

  async #beNoWebSocket() {
    this.socket.write(this.random.pick(['GET / HTTP/1.1\r\nHost:', '\r\n\r\n\r\n', 'x'.repeat(20000), this.#greeting(false).slice(0, 60), Buffer.alloc(1000, 0xff)]));
    await pause(this.random.between(0, 50));
    this.#reset();
  }
}
