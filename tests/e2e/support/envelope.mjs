// A client of the envelope dialect: calls by id, events by terminal, output as text.
import { Arrivals } from './deadline.mjs';
import { Socket } from './socket.mjs';

let threads = 0;
export const freshThread = () => `thread-${process.pid}-${++threads}`;
export const keyOf = ({ threadId, terminalId = 'default' }) => `${threadId}\0${terminalId}`;

/** Nothing that is waited for is longer: what has been looked at is not looked at again. */
const MATCH_LENGTH = 4096;

/** The numbers that stand on lines of their own, in the order they came; sequences a shell puts before them don't count. */
export const numbersIn = (text) => text.replace(/\x1b(\[[?0-9;]*[a-z]|\][^\x07\x1b]*(\x07|\x1b\\))/gi, '').split(/[\r\n]+/).filter((line) => /^\d+$/.test(line)).map(Number);

/** Output of a terminal. Pieces are joined when they are asked for, which most of a flood never is. */
class Output {
  #pieces = [];
  length = 0;

  add(piece) {
    this.#pieces.push(piece);
    this.length += piece.length;
  }

  /** All from offset `from` on. */
  since(from) {
    let [first, start] = [this.#pieces.length, this.length];
    while (start > from) start -= this.#pieces[--first].length;
    return this.#pieces.slice(first).join('').slice(from - start);
  }
}

export class CallError extends Error {}

export class EnvelopeClient {
  #nextId = 0;
  events = new Arrivals();
  pushes = new Arrivals();
  /** terminal -> everything its output events said, in order */
  #outputs = new Map();
  /** terminal -> cursor of the last event */
  cursors = new Map();
  /** Called with each event before anyone who waits for it. */
  onEvent = null;

  constructor(url, options) {
    this.socket = new Socket(url, options);
    this.socket.onFrame = (frame) => frame.type === 'push' && this.#pushed(frame);
    this.socket.closed.then(({ code }) => this.#ended(new Error(`the socket was closed (${code})`)));
  }

  static async connect(url, options) {
    const client = new EnvelopeClient(url, options);
    await client.socket.opened();
    return client;
  }

  #ended(error) {
    this.events.end(error);
    this.pushes.end(error);
  }

  #pushed(frame) {
    if (frame.channel === 'terminal.event') this.#event(frame.data);
    this.pushes.add(frame);
  }

  #event(event) {
    const key = keyOf(event);
    if (event.type === 'output') this.#outputOf(key).add(event.data);
    if (event.cursor) this.cursors.set(key, event.cursor);
    this.onEvent?.(event);
    this.events.add(event);
  }

  #outputOf(key) {
    if (!this.#outputs.has(key)) this.#outputs.set(key, new Output());
    return this.#outputs.get(key);
  }

  send(tag, params = {}) {
    const id = String(++this.#nextId);
    this.socket.send({ id, body: { _tag: tag, ...params } });
    return id;
  }

  /** The whole reply frame to one call. */
  async reply(tag, params) {
    const from = this.socket.frames.all.length;
    const id = this.send(tag, params);
    return this.socket.frames.first((frame) => frame.id === id, `the reply to ${tag}`, { from });
  }

  /** The result of one call; CallError with the server's message when it was refused. */
  async call(tag, params) {
    const frame = await this.reply(tag, params);
    if (frame.error) throw new CallError(frame.error.message);
    return frame.result;
  }

  /** Opens a terminal of its own (or the one named) and returns its snapshot with `key` = {threadId, terminalId}. */
  async open(params = {}) {
    const threadId = params.threadId ?? freshThread();
    const snapshot = await this.call('terminal.open', { cwd: '/', ...params, threadId });
    if (snapshot.cursor && !this.cursors.has(keyOf(snapshot))) this.cursors.set(keyOf(snapshot), snapshot.cursor);
    return { ...snapshot, key: { threadId, terminalId: snapshot.terminalId } };
  }

  write(key, data) {
    return this.call('terminal.write', { ...key, data });
  }

  output(key, from = 0) {
    return this.#outputOf(keyOf(key)).since(from);
  }

  /** Waits until this terminal's output holds `wanted` (text or pattern), from offset `from` on; returns that part of it. */
  async seen(key, wanted, { from = 0, deadline } = {}) {
    const output = this.#outputOf(keyOf(key));
    const found = (text) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
    let looked = from;
    const look = () => {
      const fresh = output.since(Math.max(from, looked - MATCH_LENGTH));
      looked = output.length;
      return found(fresh);
    };
    await this.events.until(look, `${wanted} in the output of ${key.terminalId}`, deadline);
    return output.since(from);
  }

  /** Types, and waits for what must follow. Write `wanted` so that the echo of the input does not match it. */
  async run(key, input, wanted, options = {}) {
    const from = this.#outputOf(keyOf(key)).length;
    await this.write(key, input);
    return this.seen(key, wanted, { from, ...options });
  }

  /** The first event of that type for that terminal (from event index `from` on). */
  event(key, type, { from = 0, deadline } = {}) {
    const wanted = (event) => keyOf(event) === keyOf(key) && event.type === type;
    return this.events.first(wanted, `the event ${type}`, { from, deadline });
  }

  eventsOf(key) {
    return this.events.all.filter((event) => keyOf(event) === keyOf(key));
  }

  /** Output of one command between two marks, without echo: exact bytes as text. */
  async capture(key, command) {
    const mark = `m${++this.#nextId}x`;
    const text = await this.run(key, `printf '\\n${mark}%s\\n' a; ${command}; printf '${mark}%s\\n' z\r`, `${mark}z`);
    return text.slice(text.indexOf(`${mark}a`) + mark.length + 1, text.indexOf(`${mark}z`)).replace(/\r\n/g, '\n').trim();
  }

  close() {
    return this.socket.close();
  }
  cut() {
    return this.socket.cut();
  }
  report() {
    return this.socket.report();
  }
}
