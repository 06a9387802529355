// Anything malformed gets an error that names the field and the bound, and costs nobody else anything.
import assert from 'node:assert/strict';
import { scenario } from './support/stage.mjs';

const open = (params) => ({ _tag: 'terminal.open', threadId: 't', cwd: '/', ...params });

/** frame, what its error must say. Bounds are the wider of the reference's two generations. */
const frames = [
  ['not JSON', '{"id":', /Invalid request format: /],
  ['nothing', '', /Invalid request format: /],
  ['a number', '5', /Invalid request format: /],
  ['null', 'null', /Invalid request format: /],
  ['an object without body', { id: '1' }, /body/],
  ['a body that is a string', { id: '1', body: 'x' }, /body/],
  ['an id that is a number', { id: 1, body: { _tag: 'terminal.list' } }, /id/],
  ['an empty id', { id: '  ', body: { _tag: 'terminal.list' } }, /id/],
  ['an unknown method', { id: '1', body: { _tag: 'terminal.fly' } }, /terminal\.fly/],
  ['no method', { id: '1', body: {} }, /_tag/],
  ['no threadId', { id: '1', body: { _tag: 'terminal.open', cwd: '/' } }, /threadId/],
  ['a threadId of spaces', { id: '1', body: open({ threadId: ' \u00a0 ' }) }, /threadId/],
  ['a threadId that is a number', { id: '1', body: open({ threadId: 5 }) }, /threadId/],
  ['a terminalId of 129', { id: '1', body: open({ terminalId: 'x'.repeat(129) }) }, /terminalId.*128/s],
  ['a terminalId of 65 emoji', { id: '1', body: open({ terminalId: '😀'.repeat(65) }) }, /terminalId.*128/s],
  ['no cwd', { id: '1', body: { _tag: 'terminal.open', threadId: 't' } }, /cwd/],
  ['19 columns', { id: '1', body: open({ cols: 19, rows: 5 }) }, /cols.*20/s],
  ['2001 columns', { id: '1', body: open({ cols: 2001, rows: 5 }) }, /cols.*2000/s],
  ['4 rows', { id: '1', body: open({ cols: 20, rows: 4 }) }, /rows.*5/s],
  ['1001 rows', { id: '1', body: open({ cols: 20, rows: 1001 }) }, /rows.*1000/s],
  ['half a column', { id: '1', body: open({ cols: 80.5, rows: 24 }) }, /cols/],
  ['columns as text', { id: '1', body: open({ cols: '80', rows: 24 }) }, /cols/],
  ['columns that are null', { id: '1', body: open({ cols: null, rows: 24 }) }, /cols/],
  ['an env that is a list', { id: '1', body: open({ env: [] }) }, /env/],
  ['an empty write', { id: '1', body: { _tag: 'terminal.write', threadId: 't', data: '' } }, /data/],
  ['a write of 65537', { id: '1', body: { _tag: 'terminal.write', threadId: 't', data: 'x'.repeat(65537) } }, /data.*65536/s],
  ['a write of 32769 emoji', { id: '1', body: { _tag: 'terminal.write', threadId: 't', data: '😀'.repeat(32769) } }, /data.*65536/s],
  ['an ack of nothing', { id: '1', body: { _tag: 'terminal.ackOutput', threadId: 't', bytes: 0 } }, /bytes/],
  ['an ack of 8388609', { id: '1', body: { _tag: 'terminal.ackOutput', threadId: 't', bytes: 8388609 } }, /bytes.*8388608/s],
  ['a resize without rows', { id: '1', body: { _tag: 'terminal.resize', threadId: 't', cols: 80 } }, /rows/],
  ['a restart without cwd', { id: '1', body: { _tag: 'terminal.restart', threadId: 't', cols: 80, rows: 24 } }, /cwd/],
  ['a close with a deleteHistory that is text', { id: '1', body: { _tag: 'terminal.close', threadId: 't', deleteHistory: 'no' } }, /deleteHistory/],
  ['an unknown feature', { id: '1', body: open({ features: ['flying'] }) }, /features\[0\]/],
  ['features that are no list', { id: '1', body: open({ features: 'title' }) }, /features/],
  ['an unknown policy', { id: '1', body: open({ policy: 'eager' }) }, /policy/],
];

scenario('each malformed frame is answered by name, and the socket lives on', async (stage) => {
  const socket = await stage.socket(await stage.server());
  for (const [name, frame, message] of frames) {
    const from = socket.frames.all.length;
    socket.send(frame);
    const answer = await socket.frames.first((reply) => 'error' in reply, `an answer to ${name}`, { from });
    assert.match(answer.error.message, message, name);
    assert.ok(answer.error.message.startsWith('Invalid request format: '), `${name}: ${answer.error.message}`);
  }
  socket.send({ id: 'last', body: { _tag: 'terminal.list' } });
  const { result } = await socket.frames.first((reply) => reply.id === 'last', 'the last answer');
  assert.deepEqual(result.terminals, [], 'nothing was started');
});

scenario('the id comes back with the error whenever it can be read', async (stage) => {
  const socket = await stage.socket(await stage.server());
  socket.send({ id: ' abc ', body: { _tag: 'terminal.open' } });
  await socket.frames.first((reply) => reply.error && reply.id.trim() === 'abc', 'the error');
  socket.send('no json');
  await socket.frames.first((reply) => reply.error && reply.id === 'unknown', 'the error without id');
});

scenario('what lies exactly on a bound is taken', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ cols: 20, rows: 5, terminalId: 'x'.repeat(128) });
  await client.call('terminal.resize', { ...key, cols: 2000, rows: 1000 });
  assert.equal(await client.capture(key, 'stty size'), '1000 2000');
  await client.capture(key, 'stty raw -echo; read -t 0.1 x; stty sane');
  await client.run(key, "stty raw -echo; printf 'rea%s' dy; head -c 65536 | wc -c; stty sane\r", 'ready');
  await client.write(key, 'x'.repeat(65536));
  await client.seen(key, /65536/);
  await client.call('terminal.ackOutput', { ...key, bytes: 8388608 });
  await client.call('terminal.ackOutput', { ...key, bytes: 1 });
});

scenario('ids need not be unique, and white space around names does not count', async (stage) => {
  const socket = await stage.socket(await stage.server());
  for (let n = 0; n < 3; n += 1) socket.send({ id: 'same', body: { _tag: 'terminal.list' } });
  await socket.frames.until((all) => all.filter((reply) => reply.id === 'same').length === 3, 'three answers');
  socket.send({ id: 'o', body: open({ threadId: '  spaced\u00a0 ', terminalId: ' x ' }) });
  const { result } = await socket.frames.first((reply) => reply.id === 'o', 'the snapshot');
  assert.deepEqual([result.threadId, result.terminalId], ['spaced', 'x']);
});

scenario('80.0 is a whole number of columns', async (stage) => {
  const socket = await stage.socket(await stage.server());
  socket.send('{"id":"1","body":{"_tag":"terminal.open","threadId":"t","cwd":"/","cols":80.0,"rows":2.4e1}}');
  const { result } = await socket.frames.first((reply) => reply.id === '1', 'the snapshot');
  assert.deepEqual([result.cols, result.rows], [80, 24]);
});

scenario('unknown fields are no error', async (stage) => {
  const client = await stage.client(await stage.server());
  assert.equal((await client.open({ colour: 'green', nested: { a: [1, 2] } })).status, 'running');
});

scenario('a binary frame that holds JSON is read as text', async (stage) => {
  const socket = await stage.socket(await stage.server());
  socket.sendBinary(Buffer.from('{"id":"1","body":{"_tag":"terminal.list"}}'));
  await socket.frames.first((reply) => reply.id === '1' && reply.result, 'the answer');
  socket.sendBinary(Buffer.from([0xff, 0xfe]));
  assert.equal((await socket.ended()).code, 1007);
});

/** Bytes of one frame: as many as the longest request there is may need. */
const LONGEST = 7 << 20;
/** All the environment that an open may have, each unit of it escaped. */
function longestOpen() {
  const value = '\\u0041'.repeat(8192);
  const variables = Array.from({ length: 128 }, (_, n) => `"${`V${n}_`.padEnd(128, 'x')}":"${value}"`);
  return `{"id":"1","body":{"_tag":"terminal.open","threadId":"long","cwd":"/","env":{${variables.join(',')}}}}`;
}

scenario('the longest request is answered, and so is one in a frame of the longest length', async (stage) => {
  const server = await stage.server();
  for (const text of [longestOpen(), longestOpen().padEnd(LONGEST)]) {
    const socket = await stage.socket(server);
    socket.send(text);
    const { result } = await socket.frames.first(({ id }) => id === '1', 'the reply');
    assert.equal(result?.status, 'running');
  }
});

scenario('one frame that is a byte longer closes with 1009, its neighbours notice nothing', async (stage) => {
  const server = await stage.server();
  const other = await stage.client(server);
  const { key } = await other.open();
  const socket = await stage.socket(server);
  socket.send(longestOpen().padEnd(LONGEST + 1));
  assert.equal((await socket.ended()).code, 1009);
  assert.equal(await other.capture(key, 'echo ok'), 'ok');
});

scenario('clients that vanish in the middle of a frame leave nothing behind', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  for (let n = 0; n < 20; n += 1) {
    const socket = await stage.socket(server);
    socket.ws._socket.write(Buffer.from([0x81, 0xfe, 0xff, 0xff, 1, 2, 3, 4, 5]));
    await socket.cut();
  }
  assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
});

scenario('an envelope client is sent nothing but the seven types it knows', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.capture(key, "printf '\\033]2;title\\007'");
  await client.call('terminal.resize', { ...key, cols: 90, rows: 30 });
  await client.call('terminal.clear', key);
  await client.capture(key, 'true');
  const types = new Set(client.events.all.map((event) => event.type));
  for (const type of types) assert.ok(['started', 'output', 'exited', 'error', 'cleared', 'restarted', 'activity'].includes(type), type);
});
