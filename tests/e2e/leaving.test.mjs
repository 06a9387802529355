// Clients that leave while what they asked for is under way, and clients that ask for much at once.
// Release too: freed memory is poisoned there.
// TSan too: what is answered is no longer there, on four loops.
import assert from 'node:assert/strict';
import { frame, RawConnection, UPGRADE } from './support/http.mjs';
import { POISON } from './support/poison.mjs';
import { assertNeverGrewBy, childrenOf, eventually, watchMemory } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];
/** Connections of one kind. */
const TIMES = 1000;
const WORKERS = 8;
const MANY = 400;

const open = (threadId, params = {}) => ({ _tag: 'terminal.open', threadId, cwd: '/', ...params });
const envelope = (body) => JSON.stringify({ id: '1', body });
const effect = ({ _tag, ...payload }, id) => ({ _tag: 'Request', id: String(id), tag: _tag, payload, headers: [] });
const attachments = JSON.stringify(Array.from({ length: 50 }, (_, n) => effect(open('shared', { attach: true }), n)));

/** Calls that are under way when they leave: name, its frame for the n-th connection, whether a view-only token is enough. */
const errands = [
  ['an open of one terminal', () => envelope(open('shared')), false],
  ['an open of a new terminal', (n) => envelope(open(`new-${n % 40}`, { terminalId: `t${n}` })), false],
  ['a restart', () => envelope({ _tag: 'terminal.restart', threadId: 'shared', cwd: '/', cols: 80, rows: 24 }), false],
  ['an array of opens, by one who may only look on', () => attachments, true],
];

/** Within 2 ms; which part of them belongs to the n-th connection alone. */
async function moment(n) {
  const end = performance.now() + (n % 9) / 4;
  while (performance.now() < end) await new Promise(setImmediate);
}

/** A WebSocket, unless the server hangs up. */
async function enter(server) {
  const raw = await RawConnection.open(server);
  const headers = { Host: `127.0.0.1:${server.port}`, ...UPGRADE, ...server.bearer };
  raw.write(`GET /ws HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  await Promise.race([raw.until(() => raw.received.includes('\r\n\r\n'), 'the upgrade'), raw.ended]);
  assert.ok(!raw.socket.destroyed, 'the server hung up');
  assert.ok(raw.received.includes('101 Switching'), raw.received.toString('latin1'));
  raw.received = raw.received.subarray(raw.received.indexOf('\r\n\r\n') + 4); // else the H of HTTP is taken for a close frame
  return raw;
}

async function askAndReset(server, n, text) {
  const raw = await enter(server);
  raw.write(frame(TEXT, text));
  await moment(n);
  raw.socket.resetAndDestroy();
  await raw.ended;
}

async function leaveManyTimes(server, times, make) {
  let next = 0;
  const work = async () => {
    while (next < times) {
      const n = next++;
      await askAndReset(server, n, make(n));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
}

for (const threads of [1, 4]) {
  for (const [name, make, looksOn] of errands) {
    scenario(`clients that leave during ${name} end nobody else, on ${threads} of the loops`, async (stage) => {
      const server = await stage.server({ threads, shell: '/bin/sh', env: POISON, looksOn, args: ['--max-sessions', '4096'] });
      const client = await stage.client(server);
      await client.open({ threadId: 'shared' });
      const times = name.includes('new') ? TIMES / 4 : TIMES; // each starts a shell
      await leaveManyTimes({ port: server.port, bearer: looksOn ? server.viewerBearer : server.bearer }, times, make);
      assert.ok(server.alive);
      assert.equal((await server.fetch('/healthz')).status, 200);
      const { key } = await client.open();
      assert.equal(await client.capture(key, 'echo ok'), 'ok');
    });
  }
}

const programOf = (n) => JSON.stringify({
  jsonrpc: '2.0', id: 1, method: 'terminal/create', params: { sessionId: `session ${n}`, command: 'sleep', args: ['100000'] },
});

for (const threads of [1, 4]) {
  scenario(`agents that leave while their programs are started leave none behind, on ${threads} of the loops`, async (stage) => {
    const server = await stage.server({ threads, args: ['--agent-linger', '0.05'] });
    await leaveManyTimes(server, TIMES / 4, programOf);
    await eventually(() => childrenOf(server.pid).length === 0, 'every program to be ended');
    const client = await stage.client(server);
    const none = async () => (await client.call('terminal.list', {})).terminals.length === 0;
    await eventually(none, 'every terminal to be released');
  });
}

const repliesTo = (socket, mine, count, what) =>
  socket.frames.until((all) => all.filter(mine).length === count, `${count} ${what}`);

scenario(`${MANY} opens at once on one connection get ${MANY} replies, and so does what comes next`, async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open();
  const ids = new Set(Array.from({ length: MANY }, () => client.send('terminal.open', { ...key, cwd: '/' })));
  await repliesTo(client.socket, (frame) => ids.has(frame.id) && frame.result, MANY, 'snapshots');
  await client.call('terminal.list', {});
  assert.equal(await client.capture(key, 'echo ok'), 'ok');
});

scenario(`an array of ${MANY} opens gets ${MANY} exits, and so does what comes next`, async (stage) => {
  const server = await stage.server();
  const { key } = await (await stage.client(server)).open();
  const socket = await stage.socket(server);
  socket.send(Array.from({ length: MANY }, (_, n) => effect(open(key.threadId), n)));
  await repliesTo(socket, (frame) => frame._tag === 'Exit' && frame.exit._tag === 'Success', MANY, 'exits');
  socket.send(effect({ _tag: 'terminal.list' }, 'next'));
  await socket.frames.first((frame) => frame._tag === 'Exit' && frame.requestId === 'next', 'the next exit');
});

scenario(`${MANY} opens of a terminal that prints all the while get their replies`, async (stage) => {
  const server = await stage.server();
  const printer = await stage.client(server);
  const { key } = await printer.open();
  printer.send('terminal.write', { ...key, data: 'yes 0123456789\r' });
  await printer.seen(key, /0123456789\r\n/);
  const client = await stage.client(server);
  const ids = new Set(Array.from({ length: MANY }, () => client.send('terminal.open', { ...key, cwd: '/', attach: true, scrollback: 100 })));
  await repliesTo(client.socket, (frame) => ids.has(frame.id) && frame.result, MANY, 'snapshots');
  await client.call('terminal.close', key);
});

scenario('300 terminals with a history are attached again at once, as a page does after a cut', async (stage) => {
  const server = await stage.server({ shell: '/bin/sh' });
  const first = await stage.client(server);
  const threads = Array.from({ length: 300 }, (_, n) => `thread-${n}`);
  const opened = threads.map((threadId) => first.call('terminal.open', { threadId, cwd: '/' }));
  await Promise.all(opened);
  await Promise.all(threads.map((threadId) => first.run({ threadId, terminalId: 'default' }, "seq 1 1000; printf 'do%s' ne\r", 'done')));
  await first.cut();
  const again = await stage.client(server);
  const ids = new Set(threads.map((threadId) => again.send('terminal.open', { threadId, cwd: '/', attach: true })));
  await repliesTo(again.socket, (frame) => ids.has(frame.id) && frame.result?.history.includes('999'), 300, 'histories');
  await again.call('terminal.list', {});
});

const MIB = 1 << 20;
scenario('a client that asks for much and reads nothing costs little, and gets all of it once it reads', async (stage) => {
  const server = await stage.server({ shell: '/bin/sh' });
  const client = await stage.client(server);
  const { key } = await client.open();
  await client.run(key, "stty -echo; seq -f '%0200.0f' 1 4000; printf 'do%s' ne\r", 'done'); // some 800 KB of history
  const socket = await stage.socket(server);
  const memory = watchMemory(server.pid);
  socket.pause();
  socket.send(Array.from({ length: 40 }, (_, n) => effect(open(key.threadId, { attach: true }), n)));
  socket.send(Array.from({ length: 40 }, (_, n) => effect({ _tag: 'terminal.snapshot', ...key }, 40 + n)));
  assert.equal(await client.capture(key, 'echo ok'), 'ok');
  await client.call('terminal.list', {});
  assertNeverGrewBy(stage, memory, 16 * MIB);
  socket.resume();
  await repliesTo(socket, (frame) => frame._tag === 'Exit' && frame.exit._tag === 'Success', 80, 'exits');
  assertNeverGrewBy(stage, memory, 16 * MIB);
});

scenario('thousands of requests in one frame keep nobody else waiting', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const client = await stage.client(server);
  const { key } = await client.open();
  const asks = await stage.socket(server);
  const many = 7000;
  let answered = 0;
  asks.onFrame = (frame) => frame._tag === 'Exit' && (answered += 1);
  const all = new Promise((resolve) => asks.ws.on('message', () => answered === many && resolve()));
  asks.send(Array.from({ length: many }, (_, n) => effect({ _tag: 'terminal.snapshot', ...key }, n)));
  await asks.frames.until(() => answered > 0, 'the first answer');
  assert.equal(await client.capture(key, 'echo ok'), 'ok');
  const then = answered;
  await all;
  stage.note(`${then} of ${many} were answered before the other client`);
  assert.ok(then < many, 'all had been answered before anybody else had a turn');
});

const connections = async (server) => (await (await server.fetch('/metrics')).text()).match(/^ptyd_connections (\d+)$/m)[1];

/** Bytes that may follow, in the same breath, those for which the server says goodbye. */
const last = [
  ['a close', frame(CLOSE, Buffer.from([3, 0xe8]))],
  ['what is no frame', frame(3, 'x')],
  ['a frame that announces too much', frame(TEXT, 'x', { announce: 2n ** 40n })],
  ['a ping', frame(PING, 'x')],
  ['a request', frame(TEXT, envelope({ _tag: 'terminal.list' }))],
];
scenario('a connection ends with its goodbye, whatever the client still had to say', async (stage) => {
  const server = await stage.server({ env: POISON });
  const text = Buffer.from([0x22, 0xff, 0xfe, 0x22]);
  for (const [, farewell] of Array(10).fill(last).flat()) {
    const raw = await enter(server);
    raw.write(Buffer.concat([frame(BINARY, text), farewell]));
    await raw.until(() => raw.frames().some(({ opcode }) => opcode === CLOSE), 'the goodbye');
    raw.socket.resetAndDestroy();
  }
  await eventually(async () => (await connections(server)) === '0', `${last.map(([name]) => name).join(', ')} to be forgotten`);
});

/** More pongs that nobody asked for than a second may have: the server says goodbye, and reads on until it has. */
const FLOOD = Buffer.concat(Array.from({ length: 110 }, () => frame(PONG)));
scenario('a connection to which goodbye is said in the middle of a frame is forgotten, though the rest is no text', async (stage) => {
  const server = await stage.server();
  const raw = await RawConnection.webSocket(server);
  const begun = frame(TEXT, Buffer.alloc(100, 'x'));
  raw.write(Buffer.concat([FLOOD, begun.subarray(0, -50)]));
  await raw.until(() => raw.frames().some(({ opcode }) => opcode === CLOSE), 'the goodbye');
  raw.write(Buffer.alloc(50, 0xff)); // whatever it is masked with, too many bytes that only follow, or that never are
  await raw.end();
  await eventually(async () => (await connections(server)) === '0', 'the connection to be forgotten');
});
