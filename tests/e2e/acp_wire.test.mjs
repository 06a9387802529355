// The way in to /acp, and what a connection there is told about how it speaks.
import assert from 'node:assert/strict';
import { UPGRADE, request } from './support/http.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const upgradeTo = (server, target, headers) =>
  request(server, { path: target, headers: { Host: `127.0.0.1:${server.port}`, ...UPGRADE, ...headers } });

scenario('each connection of an agent has a name of its own, and others have none', async (stage) => {
  const server = await stage.server();
  const names = [];
  for (const target of ['/acp', '/acp?role=delegate', '/ws']) {
    const { status, headers } = await upgradeTo(server, target, server.bearer);
    assert.equal(status, 101);
    names.push(headers['acp-connection-id']);
  }
  assert.match(names[0], UUID);
  assert.match(names[1], UUID);
  assert.notEqual(names[0], names[1]);
  assert.equal(names[2], undefined);
});

scenario('the subprotocol acp is chosen where it is offered, and makes any place an agent\'s', async (stage) => {
  const server = await stage.server();
  const chosen = async (target, offered) => (await upgradeTo(server, target, { ...server.bearer, 'Sec-WebSocket-Protocol': offered })).headers;
  assert.equal((await chosen('/acp', 'chat, acp'))['sec-websocket-protocol'], 'acp');
  const elsewhere = await chosen('/ws', 'acp');
  assert.equal(elsewhere['sec-websocket-protocol'], 'acp');
  assert.match(elsewhere['acp-connection-id'], UUID);
});

scenario('security 04: who may only look on, or nothing, or comes from a strange page, is refused at /acp', async (stage) => {
  const server = await stage.server({ looksOn: true });
  for (const target of ['/acp', '/acp?role=delegate']) {
    const url = stage.url(server, { path: target });
    assert.equal((await refusal(url, { headers: server.viewerBearer })).status, 403, target);
    assert.equal((await refusal(url, {})).status, 401, target);
    assert.equal((await refusal(url, { headers: { ...server.bearer, Origin: 'http://evil.example' } })).status, 403, target);
  }
  const asAgent = await upgradeTo(server, '/ws', { ...server.viewerBearer, 'Sec-WebSocket-Protocol': 'acp' });
  assert.equal(asAgent.status, 403, 'the subprotocol says as much as the place');
});

scenario('what is no upgrade is told to be one', async (stage) => {
  const server = await stage.server();
  for (const target of ['/acp', '/ws']) {
    const response = await server.fetch(target);
    assert.equal(response.status, 426, target);
    assert.equal(response.headers.get('upgrade'), 'websocket');
    assert.equal((await server.fetch(target, { method: 'POST' })).status, 405, target);
  }
});

// --- how it speaks

scenario('a binary message at /acp is ignored with one warning', async (stage) => {
  const server = await stage.server();
  const socket = await stage.socket(server, { path: '/acp?role=delegate' });
  const asked = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'no such method' });
  for (const id of [1, 2, 3]) socket.sendBinary(Buffer.from(asked(id)));
  socket.sendBinary(Buffer.from([0xff, 0xfe]));
  socket.send(asked(4));
  await socket.frames.until(() => socket.frames.all.length > 0, 'an answer');
  assert.deepEqual(socket.frames.all.map(({ id }) => id), [4]);
  await server.stop(); // so that its log is whole
  const warnings = server.log.match(/sent a binary message, which is ignored/g);
  assert.equal(warnings?.length, 1);
});

scenario('a subprotocol that is not ours is refused before the upgrade', async (stage) => {
  const server = await stage.server();
  const status = async (target, offered) =>
    (await upgradeTo(server, target, { ...server.bearer, 'Sec-WebSocket-Protocol': offered })).status;
  for (const offered of ['chat', 'chat, superchat', 'ACP']) assert.equal(await status('/acp', offered), 400, offered);
  for (const offered of ['acp', 'chat, acp', 'ptyd']) assert.equal(await status('/acp', offered), 101, offered);
  assert.equal(await status('/ws', 'chat'), 101, 'clients of terminals may offer what they like');
  const { body } = await refusal(stage.url(server, { path: '/acp' }), { headers: { ...server.bearer, 'Sec-WebSocket-Protocol': 'chat' } });
  assert.match(body, /Sec-WebSocket-Protocol.*acp/);
});

for (const [name, answer] of [
  ['another version', { result: { protocolVersion: 2 } }],
  ['an error', { error: { code: -32022, message: 'Unsupported protocol version' } }],
]) {
  scenario(`an agent that answers initialize with ${name} is told goodbye at once`, async (stage) => {
    const socket = await stage.socket(await stage.server(), { path: '/acp' });
    const { id } = await socket.frames.until(() => socket.frames.all.find(({ method }) => method === 'initialize'), 'the greeting');
    socket.send({ jsonrpc: '2.0', id, ...answer });
    const { code, reason } = await socket.ended();
    assert.equal(code, 1002);
    assert.match(reason, /protocolVersion 1/);
  });
}

scenario('variables that no program gets are named when it is created', async (stage) => {
  const server = await stage.server();
  const socket = await stage.socket(server, { path: '/acp?role=delegate' });
  const env = ['LD_PRELOAD', 'MINE', 'BASH_ENV'].map((name) => ({ name, value: '/x' }));
  const params = { sessionId: 's', command: 'sh', args: ['-c', 'echo "${LD_PRELOAD-none} ${BASH_ENV-none} $MINE"'], env };
  socket.send({ jsonrpc: '2.0', id: 1, method: 'terminal/create', params });
  const { result } = await socket.frames.until(() => socket.frames.all.find(({ id }) => id === 1), 'the terminal');
  assert.deepEqual(result._meta, { ptyd: { droppedEnv: ['BASH_ENV', 'LD_PRELOAD'] } });
  const asked = { sessionId: 's', terminalId: result.terminalId };
  socket.send({ jsonrpc: '2.0', id: 2, method: 'terminal/wait_for_exit', params: asked });
  await socket.frames.until(() => socket.frames.all.find(({ id }) => id === 2), 'its end');
  socket.send({ jsonrpc: '2.0', id: 3, method: 'terminal/output', params: asked });
  const output = await socket.frames.until(() => socket.frames.all.find(({ id }) => id === 3), 'its output');
  assert.equal(output.result.output, 'none none /x\n');
});
