// One round of a probe: what it starts is ended with it, and its results are one line of JSON, which scripts/bench reads.
import { FaultProxy } from '../e2e/support/proxy.mjs';
import { Server } from '../e2e/support/server.mjs';
import { Client } from './client.mjs';

class Round {
  #endings = [];

  /** Done when the round is over, however it ended; what was begun last ends first. */
  atEnd(end) {
    this.#endings.push(end);
  }

  /** options: those of the end-to-end tests' servers. */
  async server(options = {}) {
    const server = await Server.start({ shell: '/bin/sh', ...options });
    this.atEnd(() => server.cleanUp());
    return server;
  }

  /** A line of `rate` bytes a second and `latency` ms each way. */
  async line(server, { rate = 0, latency = 0 }) {
    const proxy = await FaultProxy.start(server.port);
    Object.assign(proxy.rules, { rate, latency });
    this.atEnd(() => proxy.stop());
    return proxy;
  }

  async client(server, { line = server, path = '/ws' } = {}) {
    const headers = { ...server.bearer, Host: `127.0.0.1:${server.port}` };
    const client = await Client.connect(`ws://127.0.0.1:${line.port}${path}`, headers);
    this.atEnd(() => client.close());
    return client;
  }

  /** A part of it, to be ended before the round is over. */
  part() {
    const part = new Round();
    this.atEnd(() => part.end());
    return part;
  }

  async end() {
    for (const end of this.#endings.splice(0).reverse()) await end();
  }
}

export async function round(body) {
  const made = new Round();
  try {
    console.log(JSON.stringify(await body(made)));
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  } finally {
    await made.end();
  }
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The value below which that part of them lies: 0.5 the median, 1 the largest. */
export function quantile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

/** ms that `work` took. */
export async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Between two signs of life: ms. */
const PING_MS = 2;

/** How long signs of life take, until `isOver`: ms each. What this process itself stood still counts as well. */
export async function signsOfLife(client, isOver) {
  const times = [];
  while (!isOver()) {
    times.push(await timed(() => client.ping()));
    await pause(PING_MS);
  }
  return times;
}
