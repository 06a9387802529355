// One connection of a client that remembers nothing: calls by id, and events as they come.
import { once } from 'node:events';
import net from 'node:net';
import { WebSocket } from 'ws';
import { within } from '../deadline.mjs';

/** In a row, in the transcript. */
const OUTPUTS_NOTED = 2;

const shorten = (text) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

export class Talk {
  #next = 0;
  #waiting = new Map();
  #ended = false;
  #outputs = 0;
  #lastOutput = '';
  #leaves = false;
  #isMet = false;
  /** It was not let in yet when so much time passed that the server let nobody in any more. */
  #mayBeLate = () => false;

  /** `hear` is called with each event; the transcript of `before` goes on. */
  constructor(name, sweep, { hear = () => {}, before = null } = {}) {
    Object.assign(this, { name, sweep, hear, transcript: before?.transcript ?? null });
  }

  /** False when there is no server. */
  async connect() {
    const createConnection = (options) => {
      const socket = net.connect(options);
      this.transcript = this.sweep.record.transcript(this.name, socket, this.transcript);
      this.transcript.note('--', 'connects');
      return socket;
    };
    const ws = new WebSocket(this.sweep.url, { perMessageDeflate: false, headers: this.sweep.headers, createConnection });
    this.ws = ws;
    ws.on('message', (data) => this.#hear(JSON.parse(data.toString())));
    ws.on('error', (error) => this.transcript.note('--', error.message));
    const leaps = this.sweep.trouble.leaps;
    ws.once('open', () => (this.#isMet = true));
    this.#mayBeLate = () => !this.#isMet && this.sweep.trouble.leaps > leaps;
    this.gone = once(ws, 'close').catch(() => {}).then(() => this.#closed());
    await within(Promise.race([once(ws, 'open').catch(() => {}), this.gone]), `${this.name} to connect`, this.sweep.patience);
    return this.isOpen;
  }

  get isOpen() {
    return this.ws?.readyState === WebSocket.OPEN && !this.#ended;
  }

  #closed() {
    const explained = this.#ended || this.#leaves || this.sweep.over() || this.#mayBeLate();
    this.#ended = true;
    for (const { settle } of this.#waiting.values()) settle(null);
    this.#waiting.clear();
    if (!explained) this.sweep.record.lost('the server closed a connection that had done nothing for it', this.transcript);
  }

  #hear(frame) {
    if (this.#ended) return;
    if (frame.type === 'push') return this.#event(frame.data);
    const waiting = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    this.sweep.record.counts.answers += 1;
    const { cursor, resumed, status } = frame.result ?? {};
    this.#note('<<', shorten(JSON.stringify(frame.error ?? { id: frame.id, cursor, resumed, status })));
    if (!waiting) return this.sweep.record.fail(`an answer that nobody waits for: ${frame.id}`, this.transcript);
    waiting.told(frame);
    return waiting.settle(frame);
  }

  #event(event) {
    if (event.type === 'output') this.#noteOutput(event);
    else if (event.cursor) this.#note('<<', `${event.type} ${event.cursor}`);
    this.sweep.record.counts.bytes += event.byteLength ?? 0;
    this.hear(event);
  }

  #note(direction, text) {
    if (this.#outputs > OUTPUTS_NOTED) this.transcript.note('<<', `${this.#outputs - OUTPUTS_NOTED} times output, the last: ${this.#lastOutput}`);
    this.#outputs = 0;
    this.transcript.note(direction, text);
  }

  /** Of a long run of them only the first ones and the last one. */
  #noteOutput({ cursor, byteLength, data }) {
    const [front, end] = [data.slice(0, 24), data.slice(-24)].map((text) => JSON.stringify(text));
    this.#lastOutput = `${cursor}, ${byteLength} bytes, ${front} to ${end}`;
    this.#outputs += 1;
    if (this.#outputs <= OUTPUTS_NOTED) this.transcript.note('<<', `output ${this.#lastOutput}`);
  }

  /** The answer's frame, null when the connection ends before; `told` has it in its place between the events. */
  async call(tag, params, told = () => {}) {
    if (!this.isOpen) return null;
    const id = String(++this.#next);
    this.sweep.record.counts.requests += 1;
    const text = JSON.stringify({ id, body: { _tag: tag, ...params } });
    this.#note('>>', text);
    const answer = new Promise((settle) => this.#waiting.set(id, { settle, told }));
    this.ws.send(text);
    return within(answer, `the answer to ${tag} of ${this.name}`, this.sweep.patience).catch((error) => {
      if (this.sweep.isAlive()) this.sweep.record.fail(error.message, this.transcript);
      return null;
    });
  }

  /** Without a word, whatever is under way: nothing is heard any more. */
  end(reset = false) {
    if (!this.#ended && this.transcript) this.#note('--', reset ? 'resets' : 'is cut');
    this.#ended = true;
    if (reset) this.ws?._socket?.resetAndDestroy();
    this.ws?.terminate();
  }

  /** In good order; what comes until then is heard. */
  async close() {
    this.#leaves = true;
    this.#note('--', 'closes');
    this.ws.close();
    await within(this.gone, `${this.name} to be let go`, this.sweep.patience);
  }
}
