// How many WebSockets an address and a token may have open, and how an operator sees and ends one.
// TSan too: shares are given back, and connections are looked at and ended, across loops.
import assert from 'node:assert/strict';
import { RawConnection } from './support/http.mjs';
import { eventually } from './support/process.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const TRUST = ['--trusted-proxies', '127.0.0.1'];
const from = (server, address) => ({ headers: { ...server.bearer, 'X-Forwarded-For': address } });

scenario('an address has so many WebSockets and not one more, behind a proxy that is trusted', async (stage) => {
  const server = await stage.server({ threads: 2, args: [...TRUST, '--max-per-address', '2'] });
  const first = await stage.client(server, from(server, '203.0.113.7'));
  await stage.client(server, from(server, '192.0.2.1, 203.0.113.7'));
  const refused = await refusal(stage.url(server), from(server, '203.0.113.7'));
  assert.equal(refused.status, 429);
  assert.match(refused.body, /2 WebSockets of this address are open, the limit is 2 \(--max-per-address\)/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  await stage.client(server, from(server, '203.0.113.8'));
  for (let n = 0; n < 3; n += 1) await stage.client(server); // this machine's own
  await first.close();
  await eventually(() => stage.client(server, from(server, '203.0.113.7')).then(() => true, () => false), 'the place to be free again');
});

scenario('requests of viewers whose bodies do not come take no place of others', async (stage) => {
  const server = await stage.server({ threads: 1, looksOn: true, args: ['--max-connections', '4'] });
  for (let n = 0; n < 24; n += 1) {
    const raw = await RawConnection.open(server);
    const headers = { Host: `127.0.0.1:${server.port}`, ...server.viewerBearer, Expect: '100-continue', 'Content-Length': 1 };
    raw.write(`GET /metrics HTTP/1.1\r\n${Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    await raw.until(() => raw.received.includes('100 Continue'), 'the request to be judged');
  }
  assert.equal((await server.fetch('/metrics')).status, 200);
});

scenario('a viewer behind the address of an owner takes none of its places', async (stage) => {
  const server = await stage.server({ threads: 2, looksOn: true, args: [...TRUST, '--max-per-address', '2'] });
  const there = { 'X-Forwarded-For': '203.0.113.7' };
  const viewing = { headers: { ...server.viewerBearer, ...there } };
  for (let n = 0; n < 2; n += 1) await stage.client(server, viewing);
  assert.equal((await refusal(stage.url(server), viewing)).status, 429);
  for (let n = 0; n < 2; n += 1) await stage.client(server, from(server, '203.0.113.7'));
  const refused = await refusal(stage.url(server), from(server, '203.0.113.7'));
  assert.match(refused.body, /2 WebSockets of this address are open, the limit is 2 \(--max-per-address\)/);
});

scenario('a client in a private network does not choose the address that it is counted by', async (stage) => {
  const server = await stage.server({ args: ['--public-url', 'https://example.org/', '--max-per-address', '1'] });
  await stage.client(server, from(server, '203.0.113.1, 192.168.1.9'));
  assert.equal((await refusal(stage.url(server), from(server, '203.0.113.2, 192.168.1.9'))).status, 429);
  await stage.client(server, from(server, '127.0.0.1'));
  assert.equal((await refusal(stage.url(server), from(server, '127.0.0.1'))).status, 429, 'a program of the machine of the proxy');
});

scenario('what a proxy says that is not trusted counts for nothing', async (stage) => {
  const server = await stage.server({ args: ['--max-per-address', '1'] });
  for (let n = 0; n < 3; n += 1) await stage.client(server, from(server, '203.0.113.7'));
});

scenario('a token has so many WebSockets and not one more, from wherever', async (stage) => {
  const server = await stage.server({ threads: 2, looksOn: true, args: ['--max-per-token', '2'] });
  await stage.client(server);
  await stage.client(server);
  const refused = await refusal(stage.url(server), { headers: server.bearer });
  assert.equal(refused.status, 429);
  assert.match(refused.body, /2 WebSockets of this token are open, the limit is 2 \(--max-per-token\)/);
  const metrics = await (await server.fetch('/metrics')).text();
  assert.match(metrics, /^ptyd_refusals_total\{reason="bearer"\} 1$/m);
  await stage.client(server, { headers: server.viewerBearer });
});

const list = async (server) => (await (await server.fetch('/debug/connections')).json()).connections;
const end = (server, number, options) => server.fetch(`/debug/connections/${number}`, { method: 'DELETE', ...options });

scenario('an operator sees the WebSockets that are open, and ends one', async (stage) => {
  const server = await stage.server({ threads: 2, looksOn: true });
  const owner = await stage.client(server);
  const { key } = await owner.open();
  const viewer = await stage.client(server, { headers: { ...server.viewerBearer, 'X-Forwarded-For': '203.0.113.7' } });
  const open = await list(server);
  assert.deepEqual(open.map(({ role, languages, paused }) => [role, languages, paused]), [['full', 'envelope', false], ['view', '', false]]);
  assert.ok(open[0].number < open[1].number && open[0].bytesIn > 0 && open[0].bytesOut > 0 && open[0].seconds >= 0);
  assert.match(open[1].from, /^127\.0\.0\.1:\d+ for 203\.0\.113\.7$/);
  assert.equal((await end(server, open[1].number)).status, 200);
  assert.deepEqual(await viewer.socket.ended(), { code: 1008, reason: 'ended by an operator' });
  assert.equal(await owner.capture(key, 'echo still here'), 'still here');
  await eventually(async () => (await list(server)).length === 1, 'it to be gone');
  assert.equal((await end(server, open[1].number)).status, 404);
});

scenario('a WebSocket that is ended and does not take what waits for it is heard no more, and cut', async (stage) => {
  const server = await stage.server({ threads: 2, looksOn: true });
  const owner = await stage.client(server);
  const { key } = await owner.open({ cols: 500 });
  await owner.run(key, 'seq -f "%0490.0f" 5000; echo do""ne\r', 'done');
  const slow = await stage.client(server);
  const [, { number }] = await list(server);
  slow.socket.pause();
  for (let n = 0; n < 12; n += 1) slow.send('terminal.snapshot', { ...key, scrollback: 5000 }); // more than the kernel takes
  const it = async () => (await list(server)).find((each) => each.number === number);
  let before = 0;
  const isFull = async () => {
    const last = before;
    return (before = (await it()).bytesOut) > 1e6 && before === last;
  };
  await eventually(isFull, 'the line to be full');
  assert.equal((await end(server, number)).status, 200);
  await eventually(async () => (slow.send('terminal.close', key), (await it()) === undefined), 'it to be gone');
  await server.lines.first((line) => line.includes('did not take what waits before our goodbye'), 'why');
  assert.deepEqual((await owner.call('terminal.list', {})).terminals.map(({ status }) => status), ['running']);
});

scenario('what is no WebSocket cannot be ended, nor any by who may only view, or from another machine', async (stage) => {
  const server = await stage.server({ looksOn: true });
  await stage.client(server);
  const [{ number }] = await list(server);
  for (const wrong of ['', '0', 'nonsense', `${number}/`, `c${number}`, '%31', '../sessions'])
    assert.ok([404, 405].includes((await end(server, wrong)).status), wrong);
  for (const method of ['GET', 'POST', 'PUT']) {
    const { status, headers } = await end(server, number, { method });
    assert.deepEqual([status, headers.get('allow')], [405, 'DELETE'], method);
  }
  assert.equal((await server.fetch('/debug/connections', { method: 'DELETE' })).status, 405);
  const others = [[401, { Authorization: 'Bearer ' }], [403, server.viewerBearer], [403, { 'X-Forwarded-For': '203.0.113.7' }]];
  for (const [status, headers] of others) {
    assert.equal((await end(server, number, { headers })).status, status);
    assert.equal((await server.fetch('/debug/connections', { headers })).status, status);
  }
  assert.equal((await list(server)).length, 1);
});
