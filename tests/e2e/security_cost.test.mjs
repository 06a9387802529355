// The cost of a peer, checklist lines 8, 10, 15 and 29, and of a stranger to those that belong here.
// Release too: memory is measured.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { certificateIn } from './support/certificate.mjs';
import { within } from './support/deadline.mjs';
import { frame, RawConnection, request, UPGRADE } from './support/http.mjs';
import { callOf, post, session } from './support/mcp.mjs';
import { assertGrowsLess, assertNeverGrewBy, descriptors, eventually, watchMemory } from './support/process.mjs';
import { scenario } from './support/stage.mjs';
import { Trouble } from './support/trouble.mjs';

const MIB = 1 << 20;
const [TEXT, CONTINUATION, PING, PONG] = [1, 0, 9, 10];
const CLOSED_BY_POLICY = 1008;
const TOO_LONG = 1009;

/** A server that may open a thousand files: a quarter is for connections without a token. */
const FILES = 1024;
const fewFiles = { threads: 1, wrapper: ['prlimit', `--nofile=${FILES}:${FILES}`] };
const gauge = async (server, name) => Number((await (await server.fetch('/metrics')).text()).match(new RegExp(`^${name} (\\d+)$`, 'm'))[1]);

/** Connects so many times and says nothing. */
const silent = (server, count) => Promise.all(Array.from({ length: count }, () => RawConnection.open(server)));
const hangUp = (connections) => connections.forEach(({ socket }) => socket.destroy());

scenario('security 10: silent connections in one burst are bounded, and keep nobody out', async (stage) => {
  const server = await stage.server(fewFiles);
  const client = await stage.client(server);
  const crowd = await silent(server, 3 * (FILES / 4));
  const other = await stage.client(server); // it comes behind the crowd, so that has been dealt with
  assert.ok(descriptors(server.pid).length < FILES / 2, `${descriptors(server.pid).length} descriptors`);
  await eventually(async () => (await gauge(server, 'ptyd_handshakes')) <= FILES / 4, 'the crowd to be forgotten');
  assert.deepEqual((await other.call('terminal.list', {})).terminals, []);
  assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
  hangUp(crowd);
});

scenario('security 10: a tool call that waits for its command is not cut by newcomers', async (stage) => {
  const server = await stage.server(fewFiles);
  const headers = await session(server);
  const gate = path.join(server.folder, 'gate');
  execFileSync('mkfifo', [gate]);
  const answer = post(server, callOf('terminal_execute', { command: `echo waiting; cat ${gate}` }), { headers });
  answer.catch(() => {});
  const client = await stage.client(server, { path: '/ws?events=all' });
  await eventually(async () => (await client.call('terminal.list', {})).terminals.some(({ status }) => status === 'running'), 'the command');
  const crowd = await silent(server, 2 * (FILES / 4));
  await eventually(async () => (await gauge(server, 'ptyd_handshakes')) <= FILES / 4 + 1, 'the crowd to be cut');
  fs.writeFileSync(gate, 'opened\n');
  assert.match((await answer).text, /opened/);
  hangUp(crowd);
});

/** Requests for which a window has time, until it is known what they may; and how long one is. */
const IN_A_WINDOW = 50;
const WINDOW_MS = 100;

scenario('an upgrade that is put off is judged by the token of the time when it goes on', async (stage) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-put-off-'));
  const [token, trouble] = [path.join(folder, 'token'), new Trouble(folder)];
  const [old, next] = ['the-token-before-it-changes', 'the-token-after-it-has-changed'];
  fs.writeFileSync(token, `${old}\n`, { mode: 0o600 });
  const server = await stage.server({ threads: 1, wrapper: ['setsid'], args: ['--token-file', token], env: trouble.env });
  const Host = `127.0.0.1:${server.port}`;
  const upgrade = async (bearer) => {
    const raw = await RawConnection.open(server);
    const headers = Object.entries({ Host, ...UPGRADE, Authorization: `Bearer ${bearer}` });
    raw.write(`GET /ws HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    return raw;
  };
  trouble.slowClock(1000);
  for (let n = 0; n < IN_A_WINDOW; n += 1) assert.equal((await request(server, { path: '/healthz', headers: { Host } })).status, 200);
  const [refused, taken] = [await upgrade(old), await upgrade(next)];
  fs.writeFileSync(token, `${next}\n`);
  server.signal('SIGHUP');
  await server.lines.first((line) => line.includes('tokens and certificates are reloaded'), 'the reload');
  assert.equal(refused.received.length + taken.received.length, 0, 'they were not put off');
  trouble.leap(WINDOW_MS);
  await taken.until(() => taken.received.includes('HTTP/1.1 101'), 'the upgrade');
  await server.lines.first((line) => line.includes('wrong credential'), 'the refusal');
  assert.ok(!refused.received.includes('HTTP/1.1 101'));
  trouble.usualClock();
  hangUp([refused, taken]);
  trouble.close();
  fs.rmSync(folder, { recursive: true });
});

scenario('a frame that is left lying ends its connection, though its pings go on', async (stage) => {
  const server = await stage.server();
  const raw = await RawConnection.webSocket(server);
  raw.write(frame(TEXT, '['.padEnd(100_000), { fin: false }));
  const pings = setInterval(() => raw.write(frame(PING, 'still here')), 1000);
  const drips = setInterval(() => raw.write(frame(CONTINUATION, ' ', { fin: false })), 1000);
  try {
    assert.equal(await raw.closeCode(), CLOSED_BY_POLICY);
  } finally {
    clearInterval(pings);
    clearInterval(drips);
  }
  raw.socket.destroy();
});

scenario('security 08: a frame of one who may only view has 64 KiB at most', async (stage) => {
  const server = await stage.server({ looksOn: true });
  const list = JSON.stringify({ id: '1', body: { _tag: 'terminal.list' } });
  const viewer = await stage.socket(server, { headers: server.viewerBearer });
  viewer.send(list.padEnd(64 << 10));
  await viewer.frames.first((answer) => answer.id === '1', 'the answer');
  viewer.send(list.padEnd((64 << 10) + 1));
  assert.equal((await within(viewer.closed, 'the end')).code, TOO_LONG);
  const owner = await stage.socket(server);
  owner.send(list.padEnd((64 << 10) + 1));
  await owner.frames.first((answer) => answer.id === '1', 'the answer');
});

/** One frame of `bytes` that asks for as many answers as there can be. */
const arrayOf = (bytes, element) => `[{"_tag":"Ping"}${`,${element}`.repeat(bytes / (element.length + 1))}]`;

for (const [name, element] of [['numbers', '0'], ['objects', '{}'], ['pings', '{"_tag":"Ping"}'], ['wrong requests', '{"_tag":"Request","id":1}']]) {
  scenario(`an array of ${name} costs no more than its length, and keeps nobody waiting`, async (stage) => {
    const server = await stage.server({ threads: 1 });
    const client = await stage.client(server);
    const { key } = await client.open();
    await client.capture(key, 'echo warm');
    const rude = await stage.socket(server);
    const memory = watchMemory(server.pid);
    rude.pause();
    rude.send(arrayOf(2 * MIB, element));
    await eventually(async () => (await gauge(server, 'ptyd_received_bytes_total')) > 2 * MIB - element.length, 'the frame to arrive');
    assert.equal(await client.capture(key, 'echo ok'), 'ok');
    assertNeverGrewBy(stage, memory, 16 * MIB);
    rude.ws.terminate();
    await assertGrowsLess(stage, memory, 8 * MIB);
  });
}

scenario('JSON of more values than a request can have is refused, and costs little', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const socket = await stage.socket(server);
  socket.send('{"id":"0","body":{"_tag":"terminal.list"}}');
  await socket.frames.first(({ id }) => id === '0', 'an answer');
  const memory = watchMemory(server.pid);
  socket.send(`{"id":"1","body":{"_tag":"terminal.list","x":[${'0,'.repeat(3 * MIB)}0]}}`);
  const { error } = await socket.frames.first(({ id }) => id === '1', 'an answer');
  assert.match(error.message, /more than 65536 values/);
  assertNeverGrewBy(stage, memory, 32 * MIB);
  await assertGrowsLess(stage, memory, 8 * MIB);
});

scenario('memory that messages took is given back', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const client = await stage.client(server);
  await client.call('terminal.list', {});
  const memory = watchMemory(server.pid);
  const crowd = await Promise.all(Array.from({ length: 8 }, () => stage.socket(server)));
  const long = JSON.stringify({ id: '1', body: { _tag: 'terminal.write', threadId: 'none', data: 'x' } }).padEnd(6 * MIB);
  for (const socket of crowd) socket.send(long);
  for (const socket of crowd) await socket.frames.first(({ id }) => id === '1', 'an answer');
  for (const socket of crowd) socket.ws.terminate();
  await assertGrowsLess(stage, memory, 8 * MIB);
});

scenario('security 15: pongs that nobody asked for close the connection, whatever they say', async (stage) => {
  const server = await stage.server();
  const raw = await RawConnection.webSocket(server);
  raw.write(Buffer.concat(Array.from({ length: 300 }, () => frame(PONG, 'alive'))));
  assert.equal(await raw.closeCode(), CLOSED_BY_POLICY);
  raw.socket.destroy();
});

/** Reads an answer as a strict client does: an end without close_notify is an error. */
const STRICT = `
import socket, ssl, sys
context = ssl._create_unverified_context()
raw = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
tls = context.wrap_socket(raw, suppress_ragged_eofs=False)
tls.sendall(b'GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1:' + sys.argv[1].encode() + b'\\r\\nConnection: close\\r\\n\\r\\n')
answer = b''
while part := tls.recv(65536):
  answer += part
print(answer.decode().splitlines()[0])
`;
scenario('TLS ends with a close_notify, so that a whole answer can be told from one that was cut', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-tls-');
  const server = await stage.server({ args: certificateIn(folder) });
  const line = execFileSync('python3', ['-c', STRICT, String(server.port)], { encoding: 'utf8' });
  assert.match(line, /^HTTP\/1.1 200/);
  fs.rmSync(folder, { recursive: true });
});
