// Tokens, certificates and keys: where they come from, who may touch them, and how they are exchanged.
// TSan too: secrets are exchanged on all loops.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import tls from 'node:tls';
import { WebSocket } from 'ws';
import { certificateIn } from './support/certificate.mjs';
import { within } from './support/deadline.mjs';
import { EnvelopeClient, numbersIn } from './support/envelope.mjs';
import { eventually } from './support/process.mjs';
import { Server } from './support/server.mjs';
import { scenario } from './support/stage.mjs';
import { Trouble } from './support/trouble.mjs';

scenario('TLS with a certificate of ours', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-tls-');
  const server = await stage.server({ args: certificateIn(folder) });
  assert.match(server.ready.url, /^https:/);
  const options = { host: '127.0.0.1', port: server.port, path: '/healthz', rejectUnauthorized: false };
  const answer = await within(new Promise((resolve, reject) => https.get(options, resolve).on('error', reject)), 'an answer over TLS');
  assert.equal(answer.statusCode, 200);
  answer.resume();
  const ws = new WebSocket(`wss://127.0.0.1:${server.port}/ws`, { headers: server.bearer, rejectUnauthorized: false });
  await within(new Promise((resolve, reject) => ws.on('open', resolve).on('error', reject)), 'the upgrade over TLS');
  ws.terminate();
  fs.rmSync(folder, { recursive: true });
});

scenario('a megabyte goes through TLS whole, both ways', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-tls-');
  const server = await stage.server({ args: certificateIn(folder) });
  const url = `wss://127.0.0.1:${server.port}/ws`;
  const client = await EnvelopeClient.connect(url, { headers: server.bearer, rejectUnauthorized: false });
  const { key } = await client.open({ policy: 'lossless' });
  const numbers = await client.capture(key, 'seq 1 150000');
  assert.deepEqual(numbersIn(numbers), Array.from({ length: 150_000 }, (_, n) => n + 1));
  await client.run(key, "stty raw -echo; echo rea''dy; head -c 1000000 | sha256sum; stty sane\r", 'ready');
  const typed = 'x'.repeat(50_000);
  for (let n = 0; n < 20; n += 1) await client.write(key, typed);
  await client.seen(key, createHash('sha256').update('x'.repeat(1_000_000)).digest('hex'));
  client.socket.ws.terminate();
  fs.rmSync(folder, { recursive: true });
});

scenario('the token comes from a file when one is named', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-token-');
  const file = path.join(folder, 'token');
  fs.writeFileSync(file, 'a-token-of-my-own-choice\n', { mode: 0o600 });
  const server = await stage.server({ args: ['--token-file', file] });
  assert.equal(server.token, 'a-token-of-my-own-choice');
  await stage.client(server);
  fs.rmSync(folder, { recursive: true });
});

scenario('a token or a key that others could have written is refused, and what they can read is warned about', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-token-');
  const file = path.join(folder, 'token');
  fs.writeFileSync(file, 'a-token-of-my-own-choice\n');
  const withTls = certificateIn(folder);
  const key = withTls.at(-1);
  for (const [secret, args] of [[file, ['--token-file', file]], [file, ['--view-token-file', file]], [key, withTls]]) {
    fs.chmodSync(secret, 0o620);
    const { code, log } = await Server.fails({ args });
    assert.equal(code, 1);
    assert.match(log, /can be written by other users/);
    fs.chmodSync(secret, 0o644);
    const server = await stage.server({ args });
    await server.lines.first((line) => line.includes(`${secret}: can be read by other users`), 'a warning');
  }
  fs.rmSync(folder, { recursive: true });
});

scenario('the token is printed when it is made; the next start has the same, and names its file', async (stage) => {
  const first = await stage.server();
  const { token } = first;
  await first.stop();
  assert.ok(first.log.includes(`#token=${token}\n`));
  const second = await stage.server({ folder: first.folder });
  assert.equal(second.token, token);
  await second.lines.first((line) => line.endsWith(`/ (the token is in ${path.join(second.stateDir, 'token')})`), 'the address');
  await second.stop();
  assert.ok(!second.log.includes(token));
});

scenario('SIGHUP while the server starts is not its end, and what has changed meanwhile is read', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-early-');
  const [slow, stateDir] = [path.join(folder, 'slow'), path.join(folder, 'state')];
  const token = path.join(slow, 'token');
  fs.mkdirSync(slow);
  fs.writeFileSync(token, 'a-token-on-a-disk-that-is-slow\n', { mode: 0o600 });
  const trouble = new Trouble(folder, { slow });
  trouble.hang('slow');
  const starting = stage.server({ wrapper: ['setsid'], stateDir, env: trouble.env, args: ['--token-file', token] });
  const lock = path.join(stateDir, 'lock');
  const pid = await eventually(() => fs.existsSync(lock) && Number(fs.readFileSync(lock, 'utf8')), 'the start to come to its token');
  process.kill(pid, 'SIGHUP');
  trouble.calm();
  const server = await starting;
  await server.lines.first((line) => line.includes('tokens and certificates are reloaded'), 'the reload');
  const client = await stage.client(server);
  const { key } = await client.open();
  assert.equal(await client.capture(key, 'grep SigBlk /proc/self/status | tr -d "\\t"'), 'SigBlk:0000000000000000');
  await server.stop();
  trouble.close();
  fs.rmSync(folder, { recursive: true });
});

scenario('SIGHUP without a terminal reads tokens and certificate again, and ends no shell', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-reload-');
  const [token, view] = [path.join(folder, 'token'), path.join(folder, 'view')];
  const put = (file, text) => fs.writeFileSync(file, `${text}\n`, { mode: 0o600 });
  put(token, 'the-first-token-of-this-server');
  put(view, 'a-token-for-looking-on-only');
  const args = [...certificateIn(folder), '--token-file', token, '--view-token-file', view];
  const server = await stage.server({ wrapper: ['setsid'], threads: 2, args });
  const connect = (text) => EnvelopeClient.connect(`wss://127.0.0.1:${server.port}/ws`, { headers: { Authorization: `Bearer ${text}` }, rejectUnauthorized: false });
  const certificate = () => new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on('error', reject);
  });
  const [owner, viewer] = [await connect('the-first-token-of-this-server'), await connect('a-token-for-looking-on-only')];
  const { key, pid } = await owner.open();
  const before = await certificate();
  put(token, 'too short');
  server.signal('SIGHUP');
  await server.lines.first((line) => line.includes('nothing is reloaded'), 'the error');
  assert.equal(await owner.capture(key, 'echo stays'), 'stays');
  put(token, 'the-second-token-of-this-server');
  certificateIn(folder);
  server.signal('SIGHUP');
  assert.deepEqual(await within(owner.socket.closed, 'the old token to end'), { code: 1008, reason: 'the token has changed' });
  await assert.rejects(connect('the-first-token-of-this-server'));
  const again = await connect('the-second-token-of-this-server');
  assert.deepEqual((await again.call('terminal.list', {})).terminals.map((terminal) => terminal.pid), [pid]);
  assert.notEqual(await certificate(), before);
  assert.ok(Array.isArray((await viewer.call('terminal.list', {})).terminals), 'its token is the same');
  assert.equal(JSON.parse(fs.readFileSync(server.readyFile, 'utf8')).token, 'the-second-token-of-this-server');
  for (const client of [again, viewer]) client.socket.ws.terminate();
  await server.stop();
  assert.ok(!fs.existsSync(server.readyFile));
  fs.rmSync(folder, { recursive: true });
});
