// One test: what it started, what is printed when it fails, and that everything it started ends in good order.
import test from 'node:test';
import { SCENARIO_MS } from './deadline.mjs';
import { EnvelopeClient } from './envelope.mjs';
import './leave.mjs';
import { FaultProxy } from './proxy.mjs';
import { Server } from './server.mjs';
import { Socket } from './socket.mjs';

const LOG_LINES = 60;

class Stage {
  #servers = [];
  #clients = [];
  #proxies = [];
  #context;

  constructor(context) {
    this.#context = context;
  }

  /** Says something in the report of the suite, whether the test passes or not. */
  note(text) {
    this.#context.diagnostic(text);
  }

  async server(options) {
    const server = await Server.start(options);
    this.#servers.push(server);
    return server;
  }

  async proxy(server) {
    const proxy = await FaultProxy.start(server.port);
    this.#proxies.push(proxy);
    return proxy;
  }

  url(server, { path = '/ws', through = null } = {}) {
    return `ws://127.0.0.1:${through ? through.port : server.port}${path}`;
  }

  /** Through a proxy the Host differs: such a client says the server's own. */
  #headers(server, through) {
    return { ...server.bearer, ...(through ? { Host: `127.0.0.1:${server.port}` } : {}) };
  }

  /** A client of the envelope dialect. options: path, through (a proxy), headers. */
  async client(server, options = {}) {
    const headers = { ...this.#headers(server, options.through), ...options.headers };
    const client = new EnvelopeClient(this.url(server, options), { headers });
    this.#clients.push(client);
    await client.socket.opened();
    return client;
  }

  /** The credential of a page that has logged in: for the option `login` of a socket, which then shows no token. */
  async login(server) {
    const headers = { Origin: server.origin, 'Content-Type': 'application/json' };
    const answer = await fetch(`${server.origin}/api/login`, { method: 'POST', headers, body: JSON.stringify({ token: server.token }) });
    const { pageKey } = await answer.json();
    const [cookie] = answer.headers.getSetCookie()[0].split(';');
    return { headers: { Cookie: cookie, Origin: server.origin }, protocols: ['ptyd', `ptyd.key.${pageKey}`] };
  }

  /** A bare socket, for frames of any shape. options: path, through, headers, ws, login. */
  async socket(server, options = {}) {
    const shown = options.login?.headers ?? this.#headers(server, options.through);
    const headers = { ...shown, ...options.headers };
    const socket = new Socket(this.url(server, options), { ...options.ws, protocols: options.login?.protocols, headers });
    this.#clients.push(socket);
    return socket.opened();
  }

  /** Evidence for a reader who was not there: the frames and the logs. */
  report() {
    const frames = this.#clients.map((client, n) => `--- client ${n + 1}\n${client.report()}`);
    const logs = this.#servers.map((server) => `--- log of ${server.command.join(' ')}\n${server.log.split('\n').slice(-LOG_LINES).join('\n')}`);
    return [...frames, ...logs].join('\n');
  }

  async finish() {
    for (const server of this.#servers) if (server.alive) await server.stop();
    for (const server of this.#servers) server.complain();
  }

  async cleanUp() {
    for (const client of this.#clients) (client.socket ?? client).ws.terminate();
    for (const proxy of this.#proxies) await proxy.stop();
    for (const server of this.#servers) server.cleanUp();
  }
}

/** A test whose failure tells the whole story. `body` gets a Stage; servers it started must still end in good order. */
export function scenario(name, body, { timeout = SCENARIO_MS } = {}) {
  test(name, { timeout }, async (context) => {
    const stage = new Stage(context);
    try {
      await body(stage);
      await stage.finish();
    } catch (error) {
      error.message += `\n${stage.report()}`;
      throw error;
    } finally {
      await stage.cleanUp();
    }
  });
}
