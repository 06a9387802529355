// The numbers of /metrics that an operator is woken by, each moved by what it is about.
import assert from 'node:assert/strict';
import http from 'node:http';
import { RawConnection, request, UPGRADE } from './support/http.mjs';
import { eventually } from './support/process.mjs';
import { drain } from './support/server.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

/** The value of a line, labels included. */
const value = async (server, line) => {
  const text = await (await server.fetch('/metrics', { headers: { Connection: 'close' } })).text();
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  assert.ok(found, `${line} in\n${text}`);
  return Number(found.slice(line.length + 1));
};
const becomes = (server, line, wanted) => eventually(async () => (await value(server, line)) === wanted, `${line} to be ${wanted}`);
const refused = (reason) => `ptyd_refusals_total{reason="${reason}"}`;

scenario('each reason to refuse a request is counted by its name', async (stage) => {
  const server = await stage.server({ looksOn: true, args: ['--max-connections', '1'] });
  const Host = `127.0.0.1:${server.port}`;
  const ask = (headers, options) => request(server, { path: '/ws', headers: { Host, ...UPGRADE, ...headers }, ...options });
  const garbage = await RawConnection.open(server);
  garbage.write('this is no HTTP\r\n\r\n');
  await garbage.end();
  await ask({ ...server.bearer, Host: 'evil.example' });
  await ask({ ...server.bearer, Origin: 'http://evil.example' });
  await ask({});
  await request(server, { method: 'POST', path: '/mcp', headers: { Host, ...server.viewerBearer }, body: '{}' });
  await request(server, { method: 'POST', path: '/api/login', headers: { Host }, body: 'x'.repeat(16385) });
  await stage.client(server);
  await ask(server.bearer);
  await drain(server.stateDir).ended;
  await ask(server.bearer);
  for (const reason of ['unreadable', 'host', 'origin', 'token', 'rights', 'body', 'places', 'draining']) assert.equal(await value(server, refused(reason)), 1, reason);
  for (const reason of ['guesses', 'crowd', 'late']) assert.equal(await value(server, refused(reason)), 0, reason);
});

scenario('requests of one client, one after the other, are not too many for the least of servers', async (stage) => {
  const server = await stage.server({ args: ['--max-connections', '1'] });
  const places = refused('places');
  for (let n = 0; n < 100; n += 1) assert.equal(await value(server, places), 0);
});

scenario('guesses beyond the burst are counted as such', async (stage) => {
  const server = await stage.server();
  const guess = () => refusal(stage.url(server), { headers: { Authorization: 'Bearer wrong-wrong-wrong-wrong' } });
  const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await guess()).status));
  const tooMany = statuses.filter((status) => status === 429).length;
  assert.ok(tooMany > 0, statuses.join());
  assert.equal(await value(server, refused('guesses')), tooMany);
  assert.equal(await value(server, refused('token')), statuses.length - tooMany);
});

scenario('connections that were cut since they brought nothing, or to make room, are counted', async (stage) => {
  const server = await stage.server({ threads: 1, wrapper: ['prlimit', '--nofile=128:128'] });
  const late = await RawConnection.open(server);
  late.write('GET /');
  await late.end();
  assert.equal(await value(server, refused('late')), 1);
  const crowd = await Promise.all(Array.from({ length: 48 }, () => RawConnection.open(server)));
  await eventually(async () => (await value(server, refused('crowd'))) >= 16, 'the crowd to be cut');
  for (const { socket } of crowd) socket.destroy();
});

scenario('every event loop tells how late it is', async (stage) => {
  const server = await stage.server({ threads: 2 });
  for (const loop of [0, 1]) {
    await eventually(async () => (await value(server, `ptyd_loop_lag_seconds_count{loop="${loop}"}`)) > 0, 'a look at the lag');
    assert.ok((await value(server, `ptyd_loop_lag_seconds_sum{loop="${loop}"}`)) > 0);
    assert.ok((await value(server, `ptyd_loop_lag_longest_seconds{loop="${loop}"}`)) > 0);
  }
});

scenario('a client whose answers wait is counted for as long as it is not read', async (stage) => {
  const server = await stage.server();
  const rude = await stage.socket(server);
  assert.equal(await value(server, 'ptyd_paused_connections'), 0);
  rude.pause();
  rude.send(`[${Array.from({ length: 150_000 }, () => '{"_tag":"Ping"}').join()}]`);
  await becomes(server, 'ptyd_paused_connections', 1);
  assert.ok((await value(server, 'ptyd_pauses_total')) > 0);
  rude.resume();
  await becomes(server, 'ptyd_paused_connections', 0);
  rude.pause();
  rude.send(`[${Array.from({ length: 150_000 }, () => '{"_tag":"Ping"}').join()}]`);
  await becomes(server, 'ptyd_paused_connections', 1);
  rude.ws.terminate();
  await becomes(server, 'ptyd_paused_connections', 0);
});

scenario('programs that could not be started are counted', async (stage) => {
  const server = await stage.server();
  const agent = await stage.socket(server, { path: '/acp?role=delegate' });
  agent.send({ jsonrpc: '2.0', id: 1, method: 'terminal/create', params: { sessionId: 's', command: '/no/such/program' } });
  await agent.frames.first(({ id }) => id === 1, 'an answer');
  await becomes(server, 'ptyd_failed_starts_total', 1);
  const client = await stage.client(server);
  await client.open();
  assert.equal(await value(server, 'ptyd_failed_starts_total'), 1);
});

scenario('transcripts for which the disk has no room are counted', async (stage) => {
  const server = await stage.server({ wrapper: ['prlimit', `--fsize=${64 << 10}`] });
  const client = await stage.client(server);
  assert.equal(await value(server, 'ptyd_journals_in_memory'), 0);
  const { key } = await client.open();
  assert.equal(await value(server, 'ptyd_journals_in_memory'), 1);
  assert.equal(await client.capture(key, 'echo all the same'), 'all the same');
  await client.call('terminal.close', key);
  await becomes(server, 'ptyd_journals_in_memory', 0);
});

scenario('messages of MCP have the time of an event loop that frames have, and wait for more', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: Array.from({ length: 60_000 }, () => ['a']).flat() } });
  const headers = { ...server.bearer, Host: `127.0.0.1:${server.port}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const post = () => new Promise((resolve, reject) => {
    const sent = http.request({ port: server.port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent, headers });
    sent.on('response', (answer) => answer.resume().on('end', resolve)).on('error', reject).end(body);
  });
  await eventually(async () => {
    await Promise.all(Array.from({ length: 40 }, post));
    return (await value(server, 'ptyd_pauses_total')) > 0;
  }, 'a message to wait for its turn');
  agent.destroy();
  await becomes(server, 'ptyd_paused_connections', 0);
});

scenario('requests without a token have one part of the time of an event loop, over however many connections', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const asked = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`.repeat(100);
  await eventually(async () => {
    const raws = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server)));
    for (const raw of raws) raw.write(asked);
    const isAnswered = (raw) => raw.received.toString('latin1').split('HTTP/1.1 200').length > 100;
    await Promise.all(raws.map((raw) => raw.until(() => isAnswered(raw), 'a hundred answers')));
    for (const raw of raws) raw.socket.destroy();
    return (await value(server, 'ptyd_pauses_total')) > 0;
  }, 'a request to wait for its turn');
  await becomes(server, 'ptyd_paused_connections', 0);
});
