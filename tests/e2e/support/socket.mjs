// One WebSocket to the server, every frame of it remembered.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Arrivals, within } from './deadline.mjs';

export { WebSocket };

const shorten = (text, most = 400) => (text.length > most ? `${text.slice(0, most)}… (${text.length})` : text);
const TRANSCRIPT_LINES = 80;

export class Socket {
  #begun = performance.now();
  #transcript = [];
  frames = new Arrivals();
  closed;

  /**
   * `options` are those of ws, and the `protocols` to offer; `url` decides path and query.
   * @param {string} url
   * @param {import('ws').ClientOptions & { protocols?: string[] }} options
   */
  constructor(url, { protocols = [], ...options } = {}) {
    this.ws = new WebSocket(url, protocols, { perMessageDeflate: false, ...options });
    this.closed = new Promise((resolve) => this.ws.on('close', (code, reason) => resolve({ code, reason: String(reason) })));
    this.ws.on('message', (data, binary) => this.#arrived(data, binary));
    this.ws.on('close', (code) => this.#note('--', `closed ${code}`));
    this.ws.on('error', (error) => this.#note('--', error.message));
    this.closed.then(({ code, reason }) => this.frames.end(new Error(`the socket was closed (${code} ${reason})`)));
  }

  async opened() {
    await within(Promise.race([once(this.ws, 'open'), this.#refusal()]), 'the WebSocket to open');
    return this;
  }

  async #refusal() {
    const [error] = await once(this.ws, 'error');
    throw error;
  }

  #arrived(data, binary) {
    const text = data.toString('utf8');
    this.#note('<<', text);
    const value = JSON.parse(text);
    for (const frame of Array.isArray(value) ? value : [value]) {
      this.onFrame?.(frame, { binary, text });
      this.frames.add(frame);
    }
  }

  #note(direction, text) {
    const time = ((performance.now() - this.#begun) / 1000).toFixed(3);
    this.#transcript.push(`${time} ${direction} ${shorten(text)}`);
    if (this.#transcript.length > 4 * TRANSCRIPT_LINES) this.#transcript.splice(0, TRANSCRIPT_LINES);
  }

  send(frame) {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.#note('>>', text);
    this.ws.send(text);
  }

  sendBinary(bytes) {
    this.#note('>>', `${bytes.length} bytes, binary`);
    this.ws.send(bytes, { binary: true });
  }

  /** Waits until the server has closed it: {code, reason}. */
  ended() {
    return within(this.closed, 'the socket to be closed');
  }

  /** Closes in good order and waits for it. */
  async close() {
    this.ws.close();
    return within(this.closed, 'the socket to close');
  }

  /** Drops the connection without a word. */
  async cut() {
    this.ws.terminate();
    return within(this.closed, 'the socket to end');
  }

  /** Stops reading: the kernel's buffers fill up, as with a client that hangs. */
  pause() {
    this.ws.pause();
  }
  resume() {
    this.ws.resume();
  }

  report() {
    return this.#transcript.slice(-TRANSCRIPT_LINES).join('\n');
  }
}

/** The status with which the server refuses an upgrade; throws when it does not. */
export function refusal(url, options = {}) {
  const ws = new WebSocket(url, { perMessageDeflate: false, ...options });
  const answered = new Promise((resolve, reject) => {
    ws.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    ws.on('open', () => reject(new Error(`the upgrade to ${url} was accepted`)) || ws.terminate());
    ws.on('error', reject);
  });
  return within(answered, 'an answer to the upgrade');
}
