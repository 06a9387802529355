// The program as whoever operates it meets it: start, settings, probes, end.
// Release too: packaging, signals, and the end.
// TSan too: loops begin and end.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { within } from './support/deadline.mjs';
import { keyOf } from './support/envelope.mjs';
import { RawConnection } from './support/http.mjs';
import { childrenOf, eventually, gone, threads } from './support/process.mjs';
import { BINARY, doctor, Server } from './support/server.mjs';
import { scenario } from './support/stage.mjs';

scenario('the ready file says where, who and how to get in, and only we may read it', async (stage) => {
  const server = await stage.server();
  assert.deepEqual(Object.keys(server.ready).sort(), ['pid', 'port', 'token', 'url']);
  assert.equal(fs.statSync(server.readyFile).mode & 0o077, 0);
  assert.match(server.ready.url, new RegExp(`^http://127\\.0\\.0\\.1:${server.port}/`));
  assert.ok(server.token.length >= 32, 'hard to guess');
});

scenario('a server removes its own ready file at its end, and no other', async (stage) => {
  const first = await stage.server();
  const second = await stage.server({ folder: first.folder, stateDir: path.join(first.folder, 'second') });
  await first.stop();
  assert.equal(JSON.parse(fs.readFileSync(second.readyFile, 'utf8')).pid, second.pid);
  await second.stop();
  assert.ok(!fs.existsSync(second.readyFile));
});

scenario('one line with one address to click is printed', async (stage) => {
  const server = await stage.server();
  const line = await server.lines.first((text) => text.includes(`http://127.0.0.1:${server.port}/`), 'the address');
  assert.ok(line.includes(`#`), line);
});

scenario('probes need no token, numbers do', async (stage) => {
  const server = await stage.server();
  const health = await fetch(`${server.origin}/healthz`);
  assert.equal(health.status, 200);
  for (const target of ['/metrics', '/debug/sessions']) assert.equal((await fetch(server.origin + target)).status, 401, target);
  const client = await stage.client(server);
  await client.open();
  const text = await (await server.fetch('/metrics')).text();
  assert.match(text, /^# TYPE \w+ (gauge|counter)$/m);
  assert.match(text, /^ptyd_sessions(_running)?(\{[^}]*\})? 1$/m);
});

scenario('a body beyond what its place takes is refused by that number, announced or in chunks', async (stage) => {
  const server = await stage.server();
  const post = (options) => fetch(`${server.origin}/api/login`, {
    method: 'POST', headers: { Origin: server.origin }, duplex: 'half', ...options });
  const chunks = (count) => new ReadableStream({
    start(controller) {
      for (let n = 0; n < count; n += 1) controller.enqueue(new Uint8Array(1024).fill(32));
      controller.close();
    },
  });
  for (const [body, status] of [[' '.repeat(16384), 400], [' '.repeat(16385), 413], [chunks(16), 400], [chunks(17), 413]]) {
    const answer = await post({ body });
    assert.equal(answer.status, status);
    if (status === 413) assert.match((await answer.json()).error, /longer than 16384 bytes/);
  }
  assert.equal((await fetch(`${server.origin}/healthz`)).status, 200);
});

/** The status lines of all that is answered to `text`, until the server hangs up. */
async function answersTo(server, text) {
  const raw = await RawConnection.open(server);
  raw.write(text.replaceAll('\n', '\r\n').replace('HOST', `127.0.0.1:${server.port}`));
  await raw.end();
  return raw.received.toString('latin1').match(/^HTTP\/1.1 \d+/gm);
}

scenario('a transfer whose end nobody can tell is refused, and what follows is no request', async (stage) => {
  const server = await stage.server();
  for (const coding of ['xchunked', 'gzip, chunked', 'chunked, identity', 'identity', 'chunked\nTransfer-Encoding: chunked']) {
    const smuggled = 'GET /healthz HTTP/1.1\nHost: HOST\n\n';
    const text = `POST /api/session HTTP/1.1\nHost: HOST\nTransfer-Encoding: ${coding}\n\n${smuggled}`;
    const answers = await answersTo(server, text);
    assert.equal(answers.length, 1, `${coding}: ${answers}`);
    assert.match(answers[0], / (400|501)$/, coding);
  }
});

scenario('a client that expects 100 Continue is told to go on, unless its body is refused anyway', async (stage) => {
  const server = await stage.server();
  const ask = async (length) => {
    const raw = await RawConnection.open(server);
    const head = ['POST /api/login HTTP/1.1', `Host: 127.0.0.1:${server.port}`, 'Expect: 100-continue', 'Connection: close', `Content-Length: ${length}`];
    raw.write(`${head.join('\r\n')}\r\n\r\n`);
    await raw.until(() => raw.received.includes('\r\n\r\n'), 'an answer to the head');
    return raw;
  };
  const body = JSON.stringify({ token: server.token });
  const raw = await ask(body.length);
  assert.match(raw.received.toString('latin1'), /^HTTP\/1.1 100 /);
  raw.write(body);
  await raw.end();
  assert.match(raw.received.toString('latin1'), /\r\n\r\nHTTP\/1.1 200 /);
  const refused = await ask(16385);
  assert.match(refused.received.toString('latin1'), /^HTTP\/1.1 413 /);
  refused.socket.destroy();
});

scenario('the page is served below the base path of a public address', async (stage) => {
  const web = fs.mkdtempSync('/tmp/ptyd-web-');
  fs.writeFileSync(path.join(web, 'index.html'), '<title>the page</title>');
  const server = await stage.server({ args: ['--web-dir', web, '--public-url', 'https://term.example/deep/base/'] });
  const headers = { Host: 'term.example' };
  const page = await import('./support/http.mjs').then(({ request }) => request(server, { path: '/deep/base/', headers: { ...headers, ...server.bearer } }));
  assert.match(page.text, /the page/);
  const client = await stage.client(server, { path: '/deep/base/ws', headers: { ...headers, Origin: 'https://term.example' } });
  assert.deepEqual((await client.call('terminal.list', {})).terminals, []);
  fs.rmSync(web, { recursive: true });
});

scenario('settings come from a file and from the environment; the command line wins', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-conf-');
  const file = path.join(folder, 'ptyd.conf');
  fs.writeFileSync(file, 'shell = "/bin/sh"\nmax-sessions = 1\n');
  const server = await stage.server({ args: ['--config', file], env: { PTYD_MAX_SESSIONS: '2' } });
  const client = await stage.client(server);
  await client.open();
  await client.open();
  await assert.rejects(client.open(), /2/);
  fs.rmSync(folder, { recursive: true });
});

scenario('doctor says that a port is taken and a state folder in use, as a start would', async (stage) => {
  const server = await stage.server();
  const elsewhere = path.join(server.folder, 'elsewhere');
  const port = doctor(elsewhere, '--listen', `127.0.0.1:${server.port}`);
  assert.equal(port.code, 1);
  assert.match(port.report, new RegExp(`^BAD +address +127\\.0\\.0\\.1:${server.port}: `, 'm'));
  const state = doctor(server.stateDir, '--listen', '127.0.0.1:0');
  assert.equal(state.code, 1);
  assert.match(state.report, new RegExp(`^BAD +state .*pid ${server.pid}`, 'm'));
  await server.stop();
  const good = doctor(server.stateDir, '--listen', `127.0.0.1:${server.port}`, '--listen', `unix:${path.join(elsewhere, 'p.sock')}`);
  assert.equal(good.code, 0, good.report);
  assert.match(good.report, /^ok +address +127/m);
  assert.ok(!fs.existsSync(path.join(elsewhere, 'p.sock')));
});

scenario('a server and a doctor of root say so', async (stage) => {
  const isRoot = process.getuid() === 0;
  const server = await stage.server();
  const { report } = doctor(path.join(server.folder, 'none'));
  assert.match(report, isRoot ? /^note +user +root:/m : /^ok +user +is not root$/m);
  await server.stop();
  assert.equal(/runs as root/.test(server.log), isRoot);
});

const wrong = [
  ['a port that is none', ['--listen', '127.0.0.1:99999'], /listen/i],
  ['an address that is none', ['--listen', 'not an address'], /listen/i],
  ['an unknown option', ['--no-such-option'], /no-such-option/],
  ['a certificate without key', ['--tls-cert', '/tmp/x.pem'], /tls-key/],
  ['no threads', ['--threads', '0'], /threads/],
  ['an unknown auth', ['--auth', 'maybe'], /auth/],
  ['a public address that is none', ['--public-url', 'term.example'], /public-url/i],
];
for (const [name, args, message] of wrong) {
  scenario(`a start with ${name} says what is wrong and ends`, async () => {
    const { code, log } = await Server.fails({ args });
    assert.ok(Number.isInteger(code) && code !== 0, String(code));
    assert.match(log, message);
  });
}

scenario('a port that is taken is named', async (stage) => {
  const server = await stage.server();
  const { code, log } = await Server.fails({ listen: `127.0.0.1:${server.port}` });
  assert.notEqual(code, 0);
  assert.match(log, new RegExp(String(server.port)));
});

scenario('a state folder has one server', async (stage) => {
  const server = await stage.server();
  const { code, log } = await Server.fails({ stateDir: server.stateDir });
  assert.notEqual(code, 0);
  assert.match(log, new RegExp(`${server.pid}|in use|another`, 'i'));
});

/** Runs a program that has a terminal, whose other end it keeps. */
const ON_A_TERMINAL = `import fcntl, os, pty, sys, termios
keeper, terminal = pty.openpty()
os.set_inheritable(keeper, True)
os.setsid()
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])`;

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  scenario(`${name} ends every shell, tells those who asked, and leaves in good order`, async (stage) => {
    const server = await stage.server(name === 'SIGHUP' ? { wrapper: ['python3', '-c', ON_A_TERMINAL] } : {});
    const client = await stage.client(server);
    const { pid, key } = await client.open({ features: ['shutdown'] });
    await client.run(key, "(trap '' HUP TERM; printf 'rea%s' dy; while :; do sleep 0.02; done)\r", 'ready');
    const watcher = await stage.socket(server);
    const effect = (id, tag, payload) => watcher.send({ _tag: 'Request', id, tag, payload, headers: [] });
    effect('0', 'terminal.subscribeEvents', { features: ['shutdown'] });
    effect('1', 'terminal.list', {});
    await watcher.frames.first((frame) => frame._tag === 'Exit' && frame.requestId === '1', 'the list');
    const children = childrenOf(server.pid);
    server.signal(name);
    await client.events.first((event) => event.type === 'shutdown', 'the event shutdown');
    await watcher.frames.first((frame) => frame._tag === 'Chunk' && frame.values.some(({ type }) => type === 'shutdown'), 'the same in a stream');
    for (const socket of [client.socket, watcher]) {
      assert.equal((await within(socket.closed, 'the socket to close')).code, 1001);
      assert.ok(!JSON.stringify(socket.frames.all).includes('"exited"'), 'the end of the server is none of the shell');
    }
    assert.equal(await server.exit(), 0);
    for (const child of [pid, ...children]) await gone(child);
    assert.ok(!fs.existsSync(server.readyFile), 'nobody is sent to a server that is gone');
  });
}

scenario('the next server goes on below the old text, and who comes back hears of no exit', async (stage) => {
  const first = await stage.server();
  const client = await stage.client(first);
  const { key } = await client.open();
  await client.run(key, "printf '\\033]4;1;#00ff00\\033\\\\\\033]11;#aa0000\\033\\\\old te%s\\n' xt\r", 'old text');
  const after = client.cursors.get(keyOf(key));
  await first.stop();
  const second = await stage.server({ stateDir: first.stateDir });
  const back = await stage.client(second);
  assert.equal((await back.open({ ...key, after })).resumed, true);
  await back.event(key, 'started');
  assert.ok(!back.events.all.some(({ type }) => type === 'exited'));
  assert.ok(back.output(key).includes('\x1b]111\x1b\\'), 'the colours of before are taken back');
  const { history } = await (await stage.client(second)).open({ ...key, attach: true });
  assert.match(history, /old text/);
  assert.doesNotMatch(history, /\x1b\](4|1\d);/);
});

scenario('a name that people give is told to everybody, and the next server knows it', async (stage) => {
  const first = await stage.server();
  const [client, other] = [await stage.client(first), await stage.client(first)];
  const { key } = await client.open();
  await other.call('terminal.subscribeEvents', { features: ['renamed'] });
  await client.call('terminal.rename', { ...key, name: ' Bühne 🚀 ' });
  assert.equal((await other.event(key, 'renamed')).name, 'Bühne 🚀');
  assert.ok(!client.events.all.some(({ type }) => type === 'renamed'), 'it did not ask');
  await first.stop();
  const second = await stage.server({ stateDir: first.stateDir });
  const back = await stage.client(second);
  assert.equal((await back.open(key)).name, 'Bühne 🚀');
  await back.call('terminal.rename', { ...key, name: '' });
  await second.stop();
  const third = await stage.server({ stateDir: first.stateDir });
  assert.equal((await (await stage.client(third)).open(key)).name, undefined);
});

scenario('a server that was started with nohup stays when its terminal goes', async (stage) => {
  const server = await stage.server({ wrapper: ['nohup'] });
  const client = await stage.client(server);
  const { key } = await client.open();
  server.signal('SIGHUP');
  assert.equal(await client.capture(key, 'echo stays'), 'stays');
});

scenario('children killed one after the other each end their own terminal only', async (stage) => {
  const client = await stage.client(await stage.server());
  const opened = [];
  for (let n = 0; n < 20; n += 1) opened.push(await client.open());
  for (const { pid, key } of opened.slice(0, 19)) {
    process.kill(pid, 'SIGKILL');
    assert.equal((await client.event(key, 'exited')).exitSignal, 9);
  }
  assert.equal(await client.capture(opened[19].key, 'echo alive'), 'alive');
});

scenario('a hundred sessions add no thread that stays, and each is its own', async (stage) => {
  const server = await stage.server();
  const clients = await Promise.all(Array.from({ length: 10 }, () => stage.client(server)));
  await clients[0].open();
  const before = threads(server.pid);
  const all = await Promise.all(Array.from({ length: 100 }, async (_, n) => {
    const client = clients[n % 10];
    const { key } = await client.open();
    return [await client.capture(key, `echo number-$((${n} + 1000))`), `number-${n + 1000}`];
  }));
  for (const [got, wanted] of all) assert.equal(got, wanted);
  await eventually(() => threads(server.pid) <= before, () => `${threads(server.pid)} threads to be ${before} again`);
});

scenario('doctor finds nothing in the way of a good start, and names what is', async () => {
  const folder = fs.mkdtempSync('/tmp/ptyd-doctor-');
  const state = path.join(folder, 'state');
  const good = doctor(state, '--listen', '127.0.0.1:0');
  assert.equal(good.code, 0, good.report + good.errors);
  assert.doesNotMatch(good.report, /^BAD/m);
  const rows = ['ptys', 'descriptors', 'pidfd', 'TIOCSTI', 'cgroups', 'namespaces', 'state', 'space', 'posix_fallocate', 'TLS', 'page'];
  for (const what of rows) assert.match(good.report, new RegExp(`^(ok|note) +${what} `, 'm'));
  assert.ok(!fs.existsSync(state), 'it only looks');
  fs.symlinkSync('/tmp', state);
  const none = path.join(folder, 'none.pem');
  fs.writeFileSync(none, 'no certificate');
  const bad = doctor(state, '--tls-cert', none, '--tls-key', none, '--max-sessions', '77');
  assert.equal(bad.code, 1, bad.report + bad.errors);
  assert.match(bad.report, /^BAD +state .*link/m);
  assert.match(bad.report, /^BAD +TLS .*none\.pem/m);
  assert.match(bad.report, /^\w+ +ptys .*--max-sessions is 77$/m);
  fs.rmSync(folder, { recursive: true });
});

/** Both refuse `state`, and the doctor's BAD line about `what` says why. */
async function bothRefuse(state, what, why, ...args) {
  const { code, report } = doctor(state, '--listen', '127.0.0.1:0', ...args);
  assert.equal(code, 1, report);
  assert.match(report, new RegExp(`^BAD +${what} .*${why}`, 'm'));
  const start = await Server.fails({ stateDir: state, args });
  assert.equal(start.code, 1, start.log);
  assert.match(start.log, new RegExp(why));
}

scenario('doctor refuses a state folder and tokens that a start refuses', async () => {
  const folder = fs.mkdtempSync('/tmp/ptyd-doctor-');
  const state = path.join(folder, 'state');
  fs.mkdirSync(state);
  fs.chmodSync(state, 0o755);
  const empty = doctor(state, '--listen', '127.0.0.1:0');
  assert.equal(empty.code, 0, empty.report);
  assert.match(empty.report, /^note +state .*is open to other users/m);
  fs.writeFileSync(path.join(state, 'thesis.txt'), 'years of work');
  await bothRefuse(state, 'state', 'holds other files');
  fs.chmodSync(state, 0o700);
  const wrong = [['too short', '9 characters, fewer than 16'], ['a blank is in this token', 'letters, digits'], ['x'.repeat(65537), 'is longer than 65536']];
  for (const [token, why] of wrong) {
    const [own, named] = [path.join(state, 'token'), path.join(folder, 'named')];
    for (const file of [own, named]) fs.writeFileSync(file, token, { mode: 0o600 });
    await bothRefuse(state, 'secrets', why);
    await bothRefuse(state, 'secrets', why, '--token-file', named);
    fs.rmSync(own);
    await bothRefuse(state, 'secrets', why, '--view-token-file', named);
    const unused = doctor(state, '--listen', '127.0.0.1:0', '--view-token-file', named, '--auth', 'none');
    assert.equal(unused.code, 0, unused.report);
  }
  fs.rmSync(folder, { recursive: true });
});

scenario('doctor tells how much space there is, and that a disk cannot be reserved', async () => {
  const folder = fs.mkdtempSync('/tmp/ptyd-doctor-');
  const asked = ['doctor', '--state-dir', path.join(folder, 'not/yet'), '--listen', '127.0.0.1:0'];
  const report = execFileSync('prlimit', [`--fsize=${64 << 10}`, BINARY, ...asked], { encoding: 'utf8' });
  assert.match(report, /^note +posix_fallocate .*transcripts are kept in memory only$/m);
  assert.match(report, new RegExp(`^(ok|note) +space +\\d+ MiB are free at ${folder}; `, 'm'));
  assert.match(execFileSync(BINARY, asked, { encoding: 'utf8' }), /^(ok +posix_fallocate works there|note +posix_fallocate could not be tried there)$/m);
  fs.rmSync(folder, { recursive: true });
});

scenario('version and help are there', async () => {
  assert.match(execFileSync(BINARY, ['--version'], { encoding: 'utf8' }), /\d+\.\d+\.\d+/);
  const help = execFileSync(BINARY, ['serve', '--help'], { encoding: 'utf8' });
  for (const option of ['listen', 'state-dir', 'shell', 'threads', 'auth', 'token-file', 'web-dir', 'public-url', 'ready-file', 'tls-cert', 'tls-key']) {
    assert.match(help, new RegExp(`--${option}\\b`));
  }
  const readme = fs.readFileSync(new URL('../../server/config/README.md', import.meta.url), 'utf8');
  const undocumented = [...new Set(help.match(/--[a-z][a-z-]+/g))].filter((option) => option !== '--help' && !readme.includes(`\`${option}\``));
  assert.deepEqual(undocumented, [], 'server/config/README.md has every option');
});
