// The Effect dialect frame by frame, where the library would hide what is sent.
import assert from 'node:assert/strict';
import { freshThread } from './support/envelope.mjs';
import { scenario } from './support/stage.mjs';

let next = 0;
const request = (tag, payload, more = {}) => ({ _tag: 'Request', id: String(next++), tag, payload, headers: [], ...more });

/** Sends a request and waits for its Exit. */
async function call(socket, tag, payload, more) {
  const frame = request(tag, payload, more);
  socket.send(frame);
  return socket.frames.first((answer) => answer._tag === 'Exit' && answer.requestId === frame.id, `the Exit of ${tag}`);
}

const valueOf = (answer) => {
  assert.equal(answer.exit._tag, 'Success', JSON.stringify(answer));
  return answer.exit.value;
};

/** Subscribes, acks every chunk (the first so many of them), and keeps all events. */
function subscribe(socket, { acks = Infinity } = {}) {
  const frame = request('terminal.subscribeEvents', {});
  const events = [];
  let acked = 0;
  const inner = socket.onFrame;
  socket.onFrame = (answer, info) => {
    inner?.(answer, info);
    if (answer._tag !== 'Chunk' || answer.requestId !== frame.id) return;
    events.push(...answer.values);
    if (acked < acks) acked += 1, socket.send({ _tag: 'Ack', requestId: frame.id });
  };
  socket.send(frame);
  return { id: frame.id, events, until: (found, what) => socket.frames.until(() => found(events), what) };
}

scenario('void methods answer null, open answers the snapshot', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const key = { threadId: freshThread(), terminalId: 'default' };
  const snapshot = valueOf(await call(socket, 'terminal.open', { ...key, cwd: '/' }));
  assert.equal(snapshot.status, 'running');
  assert.equal(valueOf(await call(socket, 'terminal.write', { ...key, data: 'true\r' })), null);
  assert.equal(valueOf(await call(socket, 'terminal.close', key)), null);
});

scenario('no frame of the other language is sent to who speaks only this one', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const heard = subscribe(socket);
  const key = { threadId: freshThread() };
  await call(socket, 'terminal.open', { ...key, cwd: '/' });
  await call(socket, 'terminal.write', { ...key, data: 'exit\r' });
  await heard.until((events) => events.some((event) => event.type === 'exited'), 'exited');
  assert.deepEqual(socket.frames.all.filter((frame) => !frame._tag), []);
});

scenario('nothing is pushed to who did not subscribe', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const key = { threadId: freshThread() };
  await call(socket, 'terminal.open', { ...key, cwd: '/' });
  await call(socket, 'terminal.clear', key);
  await call(socket, 'terminal.close', key);
  assert.deepEqual(socket.frames.all.filter((frame) => frame._tag !== 'Exit'), []);
});

scenario('null stands for an absent field, and headers may be missing', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const payload = { threadId: freshThread(), terminalId: null, cwd: '/', cols: null, rows: null, env: null };
  const snapshot = valueOf(await call(socket, 'terminal.open', payload, { headers: undefined }));
  assert.deepEqual([snapshot.terminalId, snapshot.cols, snapshot.rows], ['default', 120, 30]);
});

scenario('an id may be any text; a second request with an id still in flight is not answered', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const stream = request('terminal.subscribeEvents', {}, { id: 'any text ✓' });
  socket.send(stream);
  socket.send({ ...request('terminal.list', {}), id: stream.id });
  await call(socket, 'terminal.list', {});
  assert.deepEqual(socket.frames.all.filter((frame) => frame.requestId === stream.id), []);
});

const errors = [
  ['an unknown method', 'terminal.fly', {}, /terminal\.fly/],
  ['a payload that is null', 'terminal.open', null, /./],
  ['a bound that is broken', 'terminal.open', { threadId: 't', cwd: '/', cols: 1 }, /20.*got 1|cols/s],
];
for (const [name, tag, payload, message] of errors) {
  scenario(`${name} fails that request alone`, async (stage) => {
    const socket = await stage.socket(await stage.server());
    const heard = subscribe(socket);
    const answer = await call(socket, tag, payload);
    assert.equal(answer.exit._tag, 'Failure');
    assert.match(JSON.stringify(answer.exit.cause), message);
    assert.deepEqual(socket.frames.all.filter((frame) => frame._tag === 'Defect'), [], 'a Defect would end every request');
    const key = { threadId: freshThread() };
    await call(socket, 'terminal.open', { ...key, cwd: '/' });
    await heard.until((events) => events.some((event) => event.type === 'started'), 'started');
  });
}

scenario('interrupting a stream ends it with Interrupt', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const heard = subscribe(socket);
  socket.send({ _tag: 'Interrupt', requestId: heard.id });
  const exit = await socket.frames.first((frame) => frame._tag === 'Exit' && frame.requestId === heard.id, 'the Exit');
  assert.equal(exit.exit.cause[0]._tag, 'Interrupt');
  const key = { threadId: freshThread() };
  await call(socket, 'terminal.open', { ...key, cwd: '/' });
  await call(socket, 'terminal.list', {});
  assert.deepEqual(heard.events, []);
});

scenario('an interrupted execute leaves its output to the next one', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const heard = subscribe(socket);
  const printed = () => heard.events.filter((event) => event.type === 'output').map((event) => event.data).join('');
  const key = { threadId: freshThread() };
  const waiting = request('terminal.execute', { ...key, shell: 'sh', command: 'echo be""gun; read x; echo went "$x"; (exit 3)', timeout: 60 });
  socket.send(waiting);
  await heard.until(() => printed().includes('begun'), 'the command to begin');
  socket.send({ _tag: 'Interrupt', requestId: waiting.id });
  const exit = await socket.frames.first((frame) => frame._tag === 'Exit' && frame.requestId === waiting.id, 'the Exit');
  assert.equal(exit.exit.cause[0]._tag, 'Interrupt');
  await call(socket, 'terminal.write', { ...key, data: 'on\r' });
  await heard.until(() => printed().includes('went on'), 'the command to go on');
  const told = valueOf(await call(socket, 'terminal.execute', { ...key, command: '' }));
  assert.match(told.content, /begun[^]*went on/);
  assert.equal(told.exitCode, 3);
});

scenario('two subscriptions of one connection each hear everything', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const [one, two] = [subscribe(socket), subscribe(socket)];
  const key = { threadId: freshThread() };
  await call(socket, 'terminal.open', { ...key, cwd: '/' });
  await call(socket, 'terminal.write', { ...key, data: 'exit\r' });
  for (const heard of [one, two]) await heard.until((events) => events.some((event) => event.type === 'exited'), 'exited');
  const said = (events) => events.filter((event) => event.type === 'output').map((event) => event.data).join('');
  assert.equal(said(one.events), said(two.events));
});

scenario('acks and interrupts for nothing are ignored', async (stage) => {
  const socket = await stage.socket(await stage.server());
  for (const _tag of ['Ack', 'Interrupt']) socket.send({ _tag, requestId: '999' });
  socket.send({ _tag: 'Eof' });
  valueOf(await call(socket, 'terminal.list', {}));
});

scenario('frames in an array are each answered', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const both = [request('terminal.list', {}), { _tag: 'Ping' }, request('terminal.list', {})];
  socket.send(JSON.stringify(both));
  for (const { id } of [both[0], both[2]]) await socket.frames.first((frame) => frame.requestId === id, 'an Exit');
  await socket.frames.first((frame) => frame._tag === 'Pong', 'the Pong');
});

const outputBytes = (events) => events.reduce((sum, { type, byteLength }) => sum + (type === 'output' ? byteLength : 0), 0);

/** Bytes that may be on their way to a client at most: a window, and what was begun before its end. */
const ON_ITS_WAY = (256 + 64) << 10;
/** The same for a client that has never confirmed anything: a window is never more at first. */
const FIRST_WINDOW = (64 + 64) << 10;

/** Pings; tells how much output came in before the Pong. */
async function pingAside(socket, heard) {
  const from = socket.frames.all.length;
  const before = outputBytes(heard.events);
  socket.send({ _tag: 'Ping' });
  await socket.frames.first((frame) => frame._tag === 'Pong', 'the Pong', { from });
  return outputBytes(heard.events) - before;
}

async function flood(stage, options) {
  const server = await stage.server();
  const socket = await stage.socket(server);
  const heard = subscribe(socket, options);
  const key = { threadId: freshThread(), terminalId: 'default' };
  await call(socket, 'terminal.open', { ...key, cwd: '/' });
  await call(socket, 'terminal.write', { ...key, data: 'yes\r' });
  await heard.until((events) => events.some((event) => event.type === 'output' && /y\r\ny/.test(event.data)), 'output');
  return { server, socket, heard, key };
}

scenario('Pong goes ahead of a flood', async (stage) => {
  const { socket, heard, key } = await flood(stage);
  const ahead = [];
  while (ahead.length < 20 || outputBytes(heard.events) < 1 << 20) ahead.push(await pingAside(socket, heard));
  assert.ok(Math.max(...ahead) <= ON_ITS_WAY, `bytes of output before each Pong: ${ahead}`);
  await call(socket, 'terminal.close', key);
});

for (const [name, acks, most] of [['stops to ack', 1, ON_ITS_WAY], ['never acks', 0, FIRST_WINDOW]]) {
  scenario(`a client that ${name} is sent a bounded amount of a flood`, async (stage) => {
    const { server, socket, heard, key } = await flood(stage, { acks });
    const other = await stage.client(server);
    let more = 0;
    other.onEvent = (event) => event.type === 'output' && (more += event.byteLength);
    await other.open({ ...key, attach: true });
    await other.events.until(() => more > 4 * ON_ITS_WAY, 'the flood to go on for others');
    await pingAside(socket, heard);
    assert.ok(outputBytes(heard.events) <= most, `${outputBytes(heard.events)} bytes`);
    await call(socket, 'terminal.close', key);
  });
}

scenario('a frame that is no JSON is told, and the socket lives on', async (stage) => {
  const socket = await stage.socket(await stage.server());
  valueOf(await call(socket, 'terminal.list', {}));
  socket.send('{"_tag":"Request",');
  await socket.frames.first((frame) => frame._tag === 'Defect' || frame.error, 'an answer');
  valueOf(await call(socket, 'terminal.list', {}));
});

scenario('both languages on one socket', async (stage) => {
  const socket = await stage.socket(await stage.server());
  const key = { threadId: freshThread() };
  valueOf(await call(socket, 'terminal.open', { ...key, cwd: '/' }));
  socket.send({ id: 'a', body: { _tag: 'terminal.list' } });
  const { result } = await socket.frames.first((frame) => frame.id === 'a', 'the reply');
  assert.equal(result.terminals[0].threadId, key.threadId);
});
