// A client of the envelope language and of agents' calls that keeps nothing of what it reads but the end of each output:
// a gigabyte costs it no memory and little time.
import { once } from 'node:events';
import { within } from '../e2e/support/deadline.mjs';
import { WebSocket } from '../e2e/support/socket.mjs';

/** Nothing that is waited for is longer. */
const TAIL_LENGTH = 512;
const PATIENCE_MS = 300_000;

/** Output of one terminal to one client. */
class Heard {
  #tail = '';
  #waiters = [];
  bytes = 0;
  /** Called with each piece, before anyone who waits for it. */
  onText = null;

  add(data, bytes) {
    this.bytes += bytes;
    this.onText?.(data);
    const text = this.#tail + data;
    this.#waiters = this.#waiters.filter(({ wanted, resolve }) => !text.includes(wanted) || resolve());
    this.#tail = text.slice(-TAIL_LENGTH);
  }

  /** Waits until it says `wanted`, from now on. */
  next(wanted) {
    this.#tail = '';
    return within(new Promise((resolve) => this.#waiters.push({ wanted, resolve })), `${wanted} in an output`, PATIENCE_MS);
  }
}

export class Client {
  #calls = new Map();
  #heard = new Map();
  #nextId = 0;
  #ponged = null;
  /** Bytes of all frames so far, as they are on the wire. */
  bytes = 0;

  constructor(url, headers) {
    this.ws = new WebSocket(url, { perMessageDeflate: false, headers });
    this.ws.on('message', (data) => this.#arrived(data));
    this.ws.on('close', () => this.#calls.forEach(({ reject }) => reject(new Error('the connection was closed'))));
  }

  static async connect(url, headers) {
    const client = new Client(url, headers);
    await within(once(client.ws, 'open'), 'the WebSocket to open');
    return client;
  }

  #arrived(data) {
    this.bytes += data.length;
    const frame = JSON.parse(data.toString('utf8'));
    if (frame.type === 'push') this.#pushed(frame.data);
    else if (frame._tag === 'Pong') this.#ponged?.();
    else this.#answered(frame);
  }

  #pushed(event) {
    if (event.type === 'output') this.heard(event).add(event.data, event.byteLength);
  }

  #answered({ id, result, error }) {
    const call = this.#calls.get(String(id));
    this.#calls.delete(String(id));
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  }

  #asked(frameOf) {
    const id = String(++this.#nextId);
    const answer = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
    this.ws.send(JSON.stringify(frameOf(id)));
    return within(answer, 'an answer', PATIENCE_MS);
  }

  /** The result of one call in the envelope language. */
  call(tag, params) {
    return this.#asked((id) => ({ id, body: { _tag: tag, ...params } }));
  }

  /** The result of one call of an agent's. */
  request(method, params) {
    return this.#asked((id) => ({ jsonrpc: '2.0', id, method, params }));
  }

  open(threadId, params = {}) {
    return this.call('terminal.open', { threadId, cwd: '/', cols: 80, rows: 24, ...params });
  }

  write(threadId, data) {
    return this.call('terminal.write', { threadId, data });
  }

  heard({ threadId }) {
    if (!this.#heard.has(threadId)) this.#heard.set(threadId, new Heard());
    return this.#heard.get(threadId);
  }

  /** Types, and waits for what must follow. Write `wanted` so that the echo of the input does not match it. */
  async run(threadId, input, wanted) {
    const seen = this.heard({ threadId }).next(wanted);
    await this.write(threadId, input);
    return seen;
  }

  /** Asks the connection's own loop for a sign of life: the Ping of Effect RPC, of which there may be any number. */
  async ping() {
    const answer = new Promise((resolve) => (this.#ponged = resolve));
    this.ws.send('{"_tag":"Ping"}');
    await within(answer, 'a Pong', PATIENCE_MS);
  }

  close() {
    this.ws.terminate();
  }
}
