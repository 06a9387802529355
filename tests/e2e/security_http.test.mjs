// Lines 1 to 10 of the security checklist: who gets in.
// Release too: memory is measured.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { within } from './support/deadline.mjs';
import { RawConnection, request, UPGRADE } from './support/http.mjs';
import { assertGrowsLess, assertNeverGrewBy, childrenOf, eventually, mostFiles, watchMemory } from './support/process.mjs';
import { Server } from './support/server.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';
import { Trouble } from './support/trouble.mjs';

const host = (server) => `127.0.0.1:${server.port}`;
/** How a page that has logged in shows its key when it opens a WebSocket. */
const protocols = (key) => ['ptyd', `ptyd.key.${key}`];
const offering = (key) => ({ 'Sec-WebSocket-Protocol': protocols(key).join(', ') });

const HOUR_S = 3600;

scenario('security 01: an upgrade from a foreign page is refused and starts nothing', async (stage) => {
  const server = await stage.server();
  const foreign = [
    'http://evil.example', 'null', 'http://127.0.0.1:1', `https://${host(server)}`, `http://127.0.0.1.:${server.port}`,
    `http://LOCALHOST.evil.example:${server.port}`, `http://${host(server)}.evil.example`, '', 'file://', `http://${host(server)}@evil.example`,
  ];
  for (const origin of foreign) {
    const { status } = await refusal(stage.url(server), { headers: { ...server.bearer, Origin: origin } });
    assert.equal(status, 403, `Origin: ${origin}`);
  }
  assert.deepEqual(childrenOf(server.pid), []);
});

scenario('security 01: an upgrade from our own page is accepted', async (stage) => {
  const server = await stage.server();
  for (const name of [host(server), `localhost:${server.port}`]) {
    const client = await stage.client(server, { headers: { Origin: `http://${name}` } });
    assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
  }
});

scenario('security 02: without an Origin a token is needed, a cookie alone is not enough', async (stage) => {
  const server = await stage.server();
  await stage.client(server);
  const { cookie, key } = await login(server);
  const { status } = await refusal(stage.url(server), { headers: { Cookie: cookie, ...offering(key) } });
  assert.ok([401, 403].includes(status), String(status));
});

scenario('security 03: a name that is not ours is refused, for pages and upgrades', async (stage) => {
  const server = await stage.server();
  for (const name of ['evil.example', `evil.example:${server.port}`, '127.0.0.1:1', `127.0.0.1.nip.example:${server.port}`]) {
    const page = await request(server, { headers: { Host: name, ...server.bearer } });
    assert.ok([403, 421].includes(page.status), `${name}: ${page.status}`);
    const upgrade = await request(server, { path: '/ws', headers: { Host: name, ...UPGRADE, ...server.bearer } });
    assert.ok([403, 421].includes(upgrade.status), `${name}: ${upgrade.status}`);
  }
  const none = await request(server, { headers: { ...server.bearer } });
  assert.ok([400, 403, 421].includes(none.status), `no Host: ${none.status}`);
});

scenario('security 04: without the token nobody gets in, whatever it is given by', async (stage) => {
  const server = await stage.server();
  const wrong = 'x'.repeat(server.token.length);
  const { name } = await login(server);
  const attempts = [
    [{}, ''], [{ Authorization: `Bearer ${wrong}` }, ''], [{ Authorization: 'Basic abc' }, ''], [{}, `?token=${wrong}`], [{}, '?token='],
    [{ Cookie: `${name}=${wrong}`, Origin: `http://${host(server)}`, ...offering(wrong) }, ''], [{ Authorization: `Bearer ${server.token}x` }, ''],
    [{ Authorization: `Bearer ${server.token.slice(0, -1)}` }, ''],
  ];
  for (const [headers, query] of attempts) {
    const { status } = await refusal(stage.url(server, { path: `/ws${query}` }), { headers });
    assert.ok([401, 403].includes(status), `${JSON.stringify(headers)} ${query}: ${status}`);
  }
  assert.deepEqual(childrenOf(server.pid), []);
});

scenario('security 04: the token is taken from a header and from the query', async (stage) => {
  const server = await stage.server();
  await stage.client(server);
  const byQuery = new WebSocket(stage.url(server, { path: `/ws?token=${encodeURIComponent(server.token)}` }));
  await within(new Promise((resolve, reject) => byQuery.on('open', resolve).on('error', reject)), 'the upgrade');
  byQuery.terminate();
});

/** Ten wrong ones at once are answered, then one more every three seconds; all others are told to go away, as late. */
const BURST = 10;
const FORGIVEN_EVERY_MS = 3000;
const ANSWERED_AFTER_MS = 300;
const REPORTED_EVERY_MS = 60_000;

scenario('security 04: wrong tokens are answered late, then later and with 429; the right one still works', async (stage) => {
  const server = await stage.server();
  const guess = async (n) => (await refusal(stage.url(server), { headers: { Authorization: `Bearer wrong-${n}-wrong-wrong` } })).status;
  const statuses = [];
  const begun = performance.now();
  while (!statuses.includes(429)) statuses.push(await guess(statuses.length));
  const elapsed = performance.now() - begun;
  const late = statuses.length - 1;
  assert.deepEqual(statuses.slice(0, late), Array(late).fill(401));
  assert.ok(late >= BURST && late <= BURST + Math.ceil(elapsed / FORGIVEN_EVERY_MS), `${statuses} in ${elapsed} ms`);
  assert.ok(elapsed > late * ANSWERED_AFTER_MS, 'guesses cost time');
  const client = await stage.client(server);
  assert.ok(await client.call('terminal.list', {}));
});

scenario('security 04: a crowd of guesses costs each its connection and the log one line', async (stage) => {
  const server = await stage.server();
  const guess = async () => {
    const raw = await RawConnection.open(server);
    raw.write(`GET /metrics HTTP/1.1\r\nHost: ${host(server)}\r\nAuthorization: Bearer wrong-wrong-wrong-wrong\r\n\r\n`);
    await raw.until(() => raw.received.includes('\r\n\r\n'), 'an answer');
    const status = Number(raw.received.toString('latin1').slice(9, 12));
    if (status === 429) await raw.end();
    raw.socket.destroy();
    return status;
  };
  const begun = performance.now();
  const statuses = await Promise.all(Array.from({ length: 40 }, guess));
  assert.ok(statuses.every((status) => [401, 429].includes(status)), statuses.join());
  const answered = BURST + Math.ceil((performance.now() - begun) / FORGIVEN_EVERY_MS);
  assert.ok(statuses.filter((status) => status === 401).length <= answered, statuses.join());
  const client = await stage.client(server);
  assert.ok(await client.call('terminal.list', {}));
  assert.match(await (await server.fetch('/metrics')).text(), /^ptyd_auth_failures_total 40$/m);
  await server.stop();
  const lines = server.log.split('\n').filter((line) => line.includes('wrong credential')).length;
  assert.ok(lines <= 1 + (performance.now() - begun) / REPORTED_EVERY_MS, `${lines} lines`);
});

scenario('security 05: an address others can reach needs a token', async () => {
  const { code, log } = await Server.fails({ listen: '0.0.0.0:0', auth: 'none' });
  assert.notEqual(code, 0);
  assert.match(log, /token/i);
});

scenario('security 05: an address others can reach without TLS or public URL is warned about', async (stage) => {
  const server = await stage.server({ listen: '0.0.0.0:0' });
  await server.lines.first((line) => /warn/i.test(line) && /tls|https|public-url/i.test(line), 'a warning');
});

scenario('security 05: without a token on loopback everybody on this machine is let in', async (stage) => {
  const server = await stage.server({ auth: 'none' });
  const client = await stage.client(server);
  assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
});

scenario('security 06: the token in an address opens a WebSocket and nothing else', async (stage) => {
  const server = await stage.server();
  for (const target of ['/metrics', '/debug/sessions', '/api/session', '/mcp']) {
    const headers = { Host: host(server) };
    const { status } = await request(server, { method: target === '/mcp' ? 'POST' : 'GET', path: `${target}?token=${server.token}`, headers });
    assert.equal(status, 401, target);
  }
});

scenario('security 06: the token is in no log, no metric, no page, and goes to no other site', async (stage) => {
  const server = await stage.server({ args: ['--log-level', 'trace'] });
  await refusal(stage.url(server, { path: `/nothing?token=${server.token}` })).catch(() => {});
  const seen = [];
  for (const target of [`/?token=${server.token}`, '/metrics', '/healthz', `/no-such-page?token=${server.token}`]) {
    const response = await server.fetch(target);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer', target);
    seen.push(await response.text(), JSON.stringify([...response.headers]));
  }
  const client = await stage.client(server, { path: `/ws?token=${server.token}` });
  await client.capture((await client.open()).key, 'true');
  await server.stop();
  const shown = server.log.split('\n').filter((line) => line.includes(server.token));
  assert.ok(shown.every((line) => line.includes('#')), `only the one-click address may show it:\n${shown.join('\n')}`);
  assert.ok(shown.length <= 1, shown.join('\n'));
  for (const text of seen) assert.ok(!text.includes(server.token), text.slice(0, 200));
});

scenario('the log names the address for which a proxy connects, and escapes it', async (stage) => {
  const server = await stage.server();
  await stage.client(server, { headers: { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1' } });
  await server.lines.first((line) => /WebSocket from 127\.0\.0\.1:\d+ for 203\.0\.113\.7, 10\.0\.0\.1$/.test(line), 'the address');
  const headers = { Authorization: 'Bearer wrong-wrong-wrong-wrong', Forwarded: 'for=\xe9' };
  await refusal(stage.url(server), { headers });
  await server.lines.first((line) => /wrong credential from 127\.0\.0\.1:\d+ for for=\\xe9$/i.test(line), 'the refusal');
});

/** The page's way with the token of its address: it swaps it for a cookie, and a key that stays in its origin. */
async function login(server, token = server.token) {
  const answer = await request(server, {
    method: 'POST', path: '/api/login', body: JSON.stringify({ token }),
    headers: { Host: host(server), Origin: `http://${host(server)}`, 'Content-Type': 'application/json' },
  });
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  const [cookie] = answer.headers['set-cookie'];
  assert.match(cookie, /HttpOnly/i);
  assert.match(cookie, /SameSite=Strict/i);
  assert.ok(!cookie.includes(token), 'the cookie is not the token');
  const { pageKey } = JSON.parse(answer.text);
  assert.ok(!cookie.includes(pageKey), 'nor has it the key');
  return { name: cookie.split('=')[0], cookie: cookie.split(';')[0], key: pageKey };
}

scenario('security 07: the page swaps its token for a cookie that scripts cannot read', async (stage) => {
  const server = await stage.server();
  const { cookie, key } = await login(server);
  assert.ok(cookie.includes(String(server.port)), 'cookies do not tell ports apart, so the name does');
  const ws = new WebSocket(stage.url(server), protocols(key), { headers: { Cookie: cookie, Origin: `http://${host(server)}` } });
  await within(new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject)), 'the upgrade by cookie');
  assert.equal(ws.protocol, 'ptyd');
  ws.terminate();
});

scenario('security 07: what a browser sends to other ports of this host opens nothing', async (stage) => {
  const server = await stage.server();
  const { cookie, key } = await login(server);
  const headers = { Host: host(server), Cookie: cookie, Origin: `http://${host(server)}`, 'Sec-Fetch-Site': 'same-origin' };
  assert.equal((await refusal(stage.url(server), { headers })).status, 401);
  for (const path of ['/metrics', '/debug/sessions', '/api/session']) {
    assert.equal((await request(server, { path, headers })).status, 401, path);
    assert.equal((await request(server, { path, headers: { ...headers, 'Ptyd-Page-Key': key } })).status, 200, path);
  }
});

scenario('security 07: a WebSocket ends with the login that opened it', async (stage) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-login-'));
  const trouble = new Trouble(folder);
  const server = await stage.server({ args: ['--ping-interval', '1'], env: trouble.env });
  const { name } = await login(server);
  const ends = Math.floor(Date.now() / 1000) + HOUR_S;
  const text = `full.${ends - 30 * 24 * HOUR_S}.number`;
  const signature = createHmac('sha256', `ptyd cookie ${server.token}`).update(`${text}.key`).digest('base64url');
  const headers = { Cookie: `${name}=${text}.${signature}`, Origin: `http://${host(server)}` };
  const ws = new WebSocket(stage.url(server), protocols('key'), { headers });
  const closed = new Promise((resolve) => ws.on('close', (code, reason) => resolve([code, String(reason)])));
  await within(new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject)), 'the upgrade by cookie');
  trouble.shiftCalendar(2 * HOUR_S * 1000);
  assert.deepEqual(await within(closed, 'the end of the login'), [1008, 'the login has ended']);
  assert.equal((await refusal(stage.url(server), { headers: { ...headers, ...offering('key') } })).status, 401);
  trouble.close();
  fs.rmSync(folder, { recursive: true });
});

scenario('security 07: a logout ends the cookie, and what it opened, but no other login', async (stage) => {
  const server = await stage.server({ threads: 2 });
  const pages = [await login(server), await login(server)];
  const headersOf = ({ cookie }) => ({ Host: host(server), Cookie: cookie, Origin: `http://${host(server)}` });
  const open = async (page) => {
    const ws = new WebSocket(stage.url(server), protocols(page.key), { headers: headersOf(page) });
    const closed = new Promise((resolve) => ws.on('close', (code, reason) => resolve([code, String(reason)])));
    await within(new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject)), 'the upgrade by cookie');
    return { ws, closed };
  };
  const sockets = [await open(pages[0]), await open(pages[0]), await open(pages[1])];
  const logOut = (headers) => request(server, { method: 'POST', path: '/api/logout', headers: { ...headersOf(pages[0]), ...headers } });
  await logOut({});
  (await open(pages[0])).ws.terminate(); // the cookie alone ends nothing either
  await logOut({ 'Ptyd-Page-Key': pages[0].key });
  for (const { closed } of sockets.slice(0, 2)) assert.deepEqual(await within(closed, 'the end of the login'), [1008, 'logged out']);
  const { status } = await refusal(stage.url(server), { headers: { ...headersOf(pages[0]), ...offering(pages[0].key) } });
  assert.equal(status, 401);
  (await open(pages[1])).ws.terminate();
  assert.equal(sockets[2].ws.readyState, WebSocket.OPEN);
  sockets[2].ws.terminate();
});

scenario('security 07: a changed cookie is worth nothing', async (stage) => {
  const server = await stage.server();
  const { name, cookie, key } = await login(server);
  const value = cookie.slice(name.length + 1);
  const changed = value.slice(0, -1) + (value.endsWith('A') ? 'B' : 'A');
  const { status } = await refusal(stage.url(server), { headers: { Cookie: `${name}=${changed}`, Origin: `http://${host(server)}`, ...offering(key) } });
  assert.ok([401, 403].includes(status), String(status));
});

scenario('security 08: who may only look on changes nothing, whatever he sends', async (stage) => {
  const server = await stage.server({ looksOn: true });
  const owner = await stage.client(server);
  const { key, pid } = await owner.open();
  const viewer = await stage.client(server, { headers: server.viewerBearer });
  const forbidden = [
    ['terminal.write', { ...key, data: 'echo in\x74ruder\r' }], ['terminal.resize', { ...key, cols: 50, rows: 20 }], ['terminal.clear', key],
    ['terminal.restart', { ...key, cwd: '/', cols: 50, rows: 20 }], ['terminal.close', key], ['terminal.open', { threadId: 'new', cwd: '/' }],
  ];
  for (const [tag, params] of forbidden) assert.ok((await viewer.reply(tag, params)).error, `${tag} was carried out`);
  const { terminals } = await viewer.call('terminal.list', {});
  assert.deepEqual(terminals.map((terminal) => [terminal.pid, terminal.cols]), [[pid, 120]]);
  assert.equal(await owner.capture(key, 'stty size'), '30 120');
  assert.ok(!owner.output(key).includes('intruder'));
});

scenario('there is no token for looking on unless a file of one is named, whatever an earlier server left', async (stage) => {
  const first = await stage.server();
  const file = path.join(first.stateDir, 'view-token');
  assert.ok(!fs.existsSync(file), 'a credential that nobody asked for');
  await first.stop();
  fs.writeFileSync(file, 'a-token-for-looking-on-only\n', { mode: 0o600 });
  const second = await stage.server({ folder: first.folder });
  const { status } = await refusal(stage.url(second), { headers: second.viewerBearer });
  assert.equal(status, 401);
});

scenario('security 08: what stands beside the chunks of a body is bounded as they are', async (stage) => {
  const server = await stage.server({ threads: 1 });
  await (await stage.client(server)).call('terminal.list', {});
  const memory = watchMemory(server.pid);
  const much = 'a'.repeat(1 << 20);
  for (const begun of ['1;', '0\r\nX: ']) {
    const raw = await RawConnection.open(server);
    raw.write(`POST /api/login HTTP/1.1\r\nHost: ${host(server)}\r\nTransfer-Encoding: chunked\r\n\r\n${begun}`);
    for (let n = 0; n < 64 && !raw.socket.destroyed; n += 1) {
      raw.write(much);
      await raw.drained();
    }
    await within(raw.ended, 'the end of the connection');
  }
  await assertGrowsLess(stage, memory, 32 << 20);
  assertNeverGrewBy(stage, memory, 32 << 20);
});

scenario('security 08: a token that changes while a body comes opens nothing', async (stage) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-change-'));
  const token = path.join(folder, 'token');
  fs.writeFileSync(token, 'the-token-before-it-changes\n', { mode: 0o600 });
  const server = await stage.server({ wrapper: ['setsid'], args: ['--token-file', token] });
  const raw = await RawConnection.open(server);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  raw.write(`POST /mcp HTTP/1.1\r\nHost: ${host(server)}\r\nAuthorization: Bearer the-token-before-it-changes\r\n` +
    `Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nExpect: 100-continue\r\n` +
    `Content-Length: ${body.length}\r\n\r\n`);
  await raw.until(() => raw.received.includes('100 Continue'), 'the header to be judged');
  fs.writeFileSync(token, 'the-token-after-it-has-changed\n');
  server.signal('SIGHUP');
  await server.lines.first((line) => line.includes('tokens and certificates are reloaded'), 'the reload');
  raw.write(body);
  await raw.until(() => raw.received.includes('HTTP/1.1 401'), 'the refusal');
  fs.rmSync(folder, { recursive: true });
});

scenario('security 09: every answer forbids what it need not do', async (stage) => {
  const server = await stage.server();
  for (const target of ['/', '/healthz', '/nothing-here', '/metrics']) {
    const { headers } = await server.fetch(target);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/, target);
    assert.doesNotMatch(policy, /unsafe/, target);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', target);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', target);
  }
});

scenario('security 09: no path leaves the page folder', async (stage) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-web-'));
  const secret = path.join(folder, 'secret.txt');
  const web = path.join(folder, 'web');
  fs.mkdirSync(web);
  fs.writeFileSync(secret, 'outside');
  fs.writeFileSync(path.join(web, 'index.html'), '<title>inside</title>');
  fs.symlinkSync(secret, path.join(web, 'link.txt'));
  const server = await stage.server({ args: ['--web-dir', web] });
  const inside = await server.fetch('/index.html');
  assert.match(await inside.text(), /inside/);
  const tricks = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/%2e%2e%2fsecret.txt', '/link.txt', '/index.html%00.txt',
    '/./../secret.txt', '//secret.txt', `/${secret}`, '/..\\secret.txt', '/%c0%ae%c0%ae/secret.txt'];
  for (const trick of tricks) {
    const { status, text } = await request(server, { path: trick, headers: { Host: host(server), ...server.bearer } });
    assert.ok(!text.includes('outside'), trick);
    assert.ok([200, 400, 403, 404].includes(status), `${trick}: ${status}`);
  }
  fs.rmSync(folder, { recursive: true });
});

scenario('security 10: a handshake that drips is cut', async (stage) => {
  const server = await stage.server();
  const raw = await RawConnection.open(server);
  const drip = setInterval(() => raw.write('G'), 50);
  try {
    await raw.end();
  } finally {
    clearInterval(drip);
  }
});

scenario('security 10: a thousand half-open connections do not keep a new one out', async (stage) => {
  assert.ok(mostFiles() >= 1500, `this machine lets a process have ${mostFiles()} open files; this test needs 1500 (ulimit -Hn)`);
  const server = await stage.server();
  const half = await Promise.all(Array.from({ length: 1000 }, async () => {
    const raw = await RawConnection.open(server).catch(() => null);
    raw?.write('GET / HTTP/1.1\r\n');
    return raw;
  }));
  const client = await stage.client(server);
  assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
  for (const raw of half) raw?.socket.destroy();
  await eventually(async () => (await server.fetch('/healthz')).status === 200, 'the server to answer');
});
