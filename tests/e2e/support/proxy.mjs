// A TCP proxy that breaks connections in the ways networks do: late, slow, cut at an exact byte, or silent.
import { once } from 'node:events';
import net from 'node:net';

const TICK_MS = 20;
/** A tick that comes late passes what is due, but no more than this: a busy machine makes no slower line, nor a burst. */
const LATEST_TICK_MS = 100;

/** One direction of one connection. */
class Lane {
  #queue = [];
  #budget = 0;
  #timer = null;
  #ticked = 0;
  #ended = false;

  constructor(from, to, rules, counted) {
    Object.assign(this, { from, to, rules, counted });
    from.on('data', (chunk) => this.#take(chunk));
    from.on('end', () => this.#finish());
  }

  #take(chunk) {
    if (this.rules.silent) return;
    this.#queue.push({ chunk, due: performance.now() + this.rules.latency });
    this.#pump();
  }

  #finish() {
    this.#ended = true;
    this.#pump();
  }

  #pump() {
    if (this.#timer || this.to.destroyed) return;
    if (!this.rules.latency && !this.rules.rate) return this.#flush();
    this.#ticked = performance.now();
    this.#timer = setTimeout(() => this.#tick(), TICK_MS);
  }

  #tick() {
    this.#timer = null;
    const elapsed = Math.min(performance.now() - this.#ticked, LATEST_TICK_MS);
    this.#budget = this.rules.rate ? Math.min(this.#budget, 0) + (this.rules.rate * elapsed) / 1000 : Infinity;
    while (this.#queue.length && this.#budget > 0 && this.#queue[0].due <= performance.now()) this.#sendNext();
    if (this.#queue.length) this.#pump();
    else this.#flush();
  }

  /** The next piece, no longer than the budget. A reader that is too fast is paused: the queue stays small. */
  #sendNext() {
    const head = this.#queue[0];
    const piece = head.chunk.subarray(0, Math.max(1, Math.min(this.#budget, head.chunk.length)));
    if (piece.length === head.chunk.length) this.#queue.shift();
    else head.chunk = head.chunk.subarray(piece.length);
    this.#budget -= piece.length;
    this.#send(piece);
    const waiting = this.#queue.reduce((sum, { chunk }) => sum + chunk.length, 0);
    if (waiting > 65536) this.from.pause();
    else this.from.resume();
  }

  #flush() {
    for (const { chunk } of this.#queue.splice(0)) this.#send(chunk);
    if (this.#ended) this.to.end();
  }

  #send(chunk) {
    if (this.to.destroyed) return;
    if (this.to.write(chunk) === false) {
      this.from.pause();
      this.to.once('drain', () => this.from.resume());
    }
    this.counted(chunk.length);
  }
}

export class FaultProxy {
  #server = net.createServer((socket) => this.#accept(socket));
  #pairs = new Set();
  /** In force at once, also for open connections. latency: ms; rate: bytes per second; silent: swallow everything. */
  rules = { latency: 0, rate: 0, silent: false };
  /** Bytes from server to client so far; `cutAfter` cuts every connection when it gets there. */
  delivered = 0;
  cutAfter = Infinity;
  refuse = false;

  static async start(port, host = '127.0.0.1') {
    const proxy = new FaultProxy();
    proxy.target = { port, host };
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.port = proxy.#server.address().port;
    return proxy;
  }

  #accept(client) {
    if (this.refuse) return client.destroy();
    const server = net.connect(this.target);
    const pair = { client, server };
    this.#pairs.add(pair);
    for (const end of [client, server]) {
      end.setNoDelay(true);
      end.on('error', () => {});
      end.on('close', () => this.#drop(pair));
    }
    new Lane(client, server, this.rules, () => {});
    const down = new Lane(this.#clipped(server), client, this.rules, (bytes) => this.#count(bytes));
    return down;
  }

  /** The server's side, which ends at exactly the byte asked for. */
  #clipped(server) {
    const emit = server.emit.bind(server);
    server.emit = (name, ...args) => {
      if (name === 'data' && args[0].length > this.cutAfter - this.delivered) {
        const room = Math.max(0, this.cutAfter - this.delivered);
        if (room > 0) emit('data', args[0].subarray(0, room));
        this.cut();
        return true;
      }
      return emit(name, ...args);
    };
    return server;
  }

  #count(bytes) {
    this.delivered += bytes;
    if (this.delivered >= this.cutAfter) this.cut();
  }

  #drop(pair) {
    this.#pairs.delete(pair);
    pair.client.destroy();
    pair.server.destroy();
  }

  /** Ends every connection now, in both directions, as a reset would. */
  cut() {
    for (const pair of [...this.#pairs]) {
      pair.client.end();
      this.#drop(pair);
    }
  }

  /** Cuts after so many more bytes from the server; returns when it happened. */
  cutAfterBytes(bytes) {
    this.cutAfter = this.delivered + bytes;
  }

  /** From now on nothing passes, and nobody is told: what sleep and lost Wi-Fi look like. */
  fallSilent() {
    this.rules.silent = true;
  }

  heal() {
    Object.assign(this.rules, { latency: 0, rate: 0, silent: false });
    this.cutAfter = Infinity;
    this.refuse = false;
  }

  async stop() {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
