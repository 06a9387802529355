// How long a call of the tool terminal_execute takes beside terminal.execute itself, both for `true` in terminals of one server;
// and 100 calls in 100 terminals at once.
import { Agent, request } from 'node:http';
import { callOf, headersOf, session } from '../e2e/support/mcp.mjs';
import { quantile, round, timed } from './round.mjs';

/** By turns, so that what disturbs the machine disturbs both. */
const TURNS = 4;
const TIMES = 50;
const TERMINALS = 100;

/** A client on connections that are kept. */
class Caller {
  #agent = new Agent({ keepAlive: true });

  constructor(server, headers) {
    this.server = server;
    this.headers = headers;
  }

  static async begin(server) {
    return new Caller(server, headersOf(server, await session(server)));
  }

  execute(args) {
    const body = JSON.stringify(callOf('terminal_execute', args));
    const headers = { ...this.headers, 'Content-Length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.server.port, method: 'POST', path: '/mcp', headers, agent: this.#agent }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece) => (text += piece)).on('error', reject);
        answer.on('end', () => (text.includes('"exit_code":0') ? resolve() : reject(new Error(text))));
      });
      sent.on('error', reject).end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** ms of each. */
async function each(ask) {
  const times = [];
  for (let n = 0; n < TIMES; n += 1) times.push(await timed(ask));
  return times;
}

await round(async (made) => {
  const server = await made.server({ shell: '/bin/bash' });
  const plain = await made.client(server);
  const caller = await Caller.begin(server);
  made.atEnd(() => caller.close());
  const execute = () => plain.call('terminal.execute', { threadId: 'plain', command: 'true' });
  const call = () => caller.execute({ command: 'true' });
  await Promise.all([each(execute), each(call)]);
  const [theirs, ours] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    theirs.push(...(await each(execute)));
    ours.push(...(await each(call)));
  }
  const many = Array.from({ length: TERMINALS }, (_, n) => ({ command: 'true', terminal_id: `t${n}`, timeout: 55 }));
  const s_for_100 = (await timed(() => Promise.all(many.map((args) => caller.execute(args))))) / 1000;
  const [call_p50_ms, execute_p50_ms] = [quantile(ours, 0.5), quantile(theirs, 0.5)];
  return { call_p50_ms, execute_p50_ms, p50_ms_more: call_p50_ms - execute_p50_ms, s_for_100 };
});
