// Lines 28 to 38 of the security checklist: limits, output, files.
// Release too: memory is measured.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { DEADLINE_MS, LONG_MS, within } from './support/deadline.mjs';
import { assertGrowsLess, eventually, measuresMemory, watchMemory } from './support/process.mjs';
import { Server } from './support/server.mjs';
import { scenario } from './support/stage.mjs';

const MIB = 1 << 20;

scenario('security 28: more terminals than a thread may have are refused by name of the limit', async (stage) => {
  const client = await stage.client(await stage.server());
  for (let n = 0; n < 64; n += 1) await client.open({ threadId: 'full', terminalId: `t${n}` });
  await assert.rejects(client.open({ threadId: 'full', terminalId: 'one more' }), /64/);
  assert.equal((await client.open({ threadId: 'other' })).status, 'running');
});

scenario('security 28: more terminals than the server may have are refused, and a closed one makes room', async (stage) => {
  const server = await stage.server({ args: ['--max-sessions', '3'] });
  const client = await stage.client(server);
  const { key } = await client.open();
  await client.open();
  await client.open();
  await assert.rejects(client.open(), /3/);
  await client.call('terminal.close', key);
  assert.equal((await client.open()).status, 'running');
});

scenario('security 28: more viewers than a terminal may have are refused, and one that leaves makes room', async (stage) => {
  const server = await stage.server();
  const clients = await Promise.all(Array.from({ length: 257 }, () => stage.client(server)));
  const { key } = await clients[0].open();
  for (const client of clients.slice(1, 256)) await client.open(key);
  await assert.rejects(clients[256].open(key), /the limit is 256/);
  await clients[0].close();
  await eventually(() => clients[256].open(key).catch(() => null), 'room for another');
});

scenario('security 28: larger screens than the server may have are refused, and the terminal keeps its size', async (stage) => {
  const client = await stage.client(await stage.server({ shell: '/bin/sh' }));
  const { key } = await client.open();
  for (let n = 0; n < 33; n += 1) await client.open({ cols: 2000, rows: 1000 });
  await assert.rejects(client.call('terminal.resize', { ...key, cols: 2000, rows: 1000 }), /2000 x 1000 are 2000000 cells.*the limit is 67108864/);
  const { cols, rows } = await client.open({ ...key, attach: true });
  assert.deepEqual([cols, rows], [120, 30]);
});

scenario('security 28: more connections than the server may have are refused, and others live on', async (stage) => {
  const server = await stage.server({ args: ['--max-connections', '5'] });
  const clients = [];
  for (let n = 0; n < 5; n += 1) clients.push(await stage.client(server));
  await assert.rejects(stage.client(server));
  assert.ok(await clients[0].call('terminal.list', {}));
  await clients[4].close();
  await eventually(() => stage.client(server).catch(() => null), 'room for another');
});

scenario('security 28: connections that may only view take no place of others', async (stage) => {
  const server = await stage.server({ args: ['--max-connections', '4'], looksOn: true });
  const view = () => stage.client(server, { headers: server.viewerBearer });
  await Promise.all([view(), view()]);
  await assert.rejects(view(), /503/);
  const clients = await Promise.all(Array.from({ length: 4 }, () => stage.client(server)));
  await assert.rejects(stage.client(server), /503/);
  assert.ok(await clients[3].call('terminal.list', {}));
});

const known = [
  ['the title (CVE-2003-0063)', '\\033]2;;echo owned;\\007\\033[21t'],
  ['DECRQSS (CVE-2008-2383)', '\\033P$q\\necho owned\\n\\033\\\\'],
  ['DECRQSS with a line (CVE-2022-45872)', '\\033P$qm;echo owned\\015\\033\\\\'],
  ['the font (CVE-2022-45063)', '\\033]50;i$(echo owned)\\007\\033]50;?\\007'],
  ['the clipboard', '\\033]52;c;ZWNobyBvd25lZAo=\\007\\033]52;c;?\\007'],
  ['the palette', '\\033]4;1;rgb:ec/ho/ow;?\\007\\033]10;echo owned;?\\007'],
  ['the answerback (ENQ)', '\\005'],
  ['XTGETTCAP', '\\033P+q6563686f206f776e6564\\033\\\\'],
  ['window reports', '\\033[18t\\033[14t\\033[19t\\033[20t'],
  ['every plain question', '\\033[c\\033[>c\\033[=c\\033[5n\\033[6n\\033[?6n\\033[>q\\033[?2026$p\\033[?u'],
];
/** A program that keeps what it is typed in a file, and is no shell: whatever arrives there came from the server. */
function listener(folder) {
  const [program, heard] = [path.join(folder, 'listener'), path.join(folder, 'heard')];
  fs.writeFileSync(program, `#!/bin/sh\nstty raw -echo\n: >'${heard}'\nprintf 'listening'\nexec cat >'${heard}'\n`, { mode: 0o755 });
  return { program, answers: () => fs.readFileSync(heard, 'latin1') };
}

const bytesOf = (escaped) => escaped.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))).replaceAll('\\\\', '\\').replaceAll('\\n', '\n');

for (const [name, sequence] of known) {
  scenario(`security 29: nothing a program chose comes back as input through ${name}`, async (stage) => {
    const folder = fs.mkdtempSync('/tmp/ptyd-heard-');
    const { program, answers } = listener(folder);
    const client = await stage.client(await stage.server({ shell: program }));
    const { key, pid } = await client.open();
    await client.seen(key, 'listening');
    const terminal = fs.readlinkSync(`/proc/${pid}/fd/2`);
    fs.writeFileSync(terminal, Buffer.from(bytesOf(sequence), 'latin1'));
    fs.writeFileSync(terminal, '\x1b[5n');
    await eventually(() => answers().endsWith('\x1b[0n'), 'the last question to be answered');
    assert.ok(!/echo|owned/i.test(answers()), JSON.stringify(answers()));
    assert.ok(!/[\r\n]/.test(answers()), JSON.stringify(answers()));
    fs.rmSync(folder, { recursive: true });
  });
}

scenario('security 29: nothing that a client announces comes back as input, but a plain name of one with full access', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-heard-');
  const { program, answers } = listener(folder);
  const server = await stage.server({ shell: program, looksOn: true });
  const owner = await stage.client(server);
  const { key, pid } = await owner.open();
  await owner.seen(key, 'listening');
  await owner.close();
  const viewer = await stage.client(server, { headers: server.viewerBearer });
  const viewers = async () => (await viewer.call('terminal.list', {})).terminals[0].viewers;
  await eventually(async () => (await viewers()) === 0, 'the owner to be gone');
  await assert.rejects(viewer.open({ ...key, attach: true, emulator: '/dev/null; touch pwned; #' }), /emulator: .* is not of the form/);
  const plain = { ...key, attach: true, emulator: 'viewers(1)', cellSize: { width: 7, height: 13 } };
  await viewer.open(plain);
  const ask = async (heard) => {
    fs.writeFileSync(fs.readlinkSync(`/proc/${pid}/fd/2`), '\x1b[>q\x1b[16t\x1b[5n');
    await eventually(() => answers().endsWith(heard), `${JSON.stringify(heard)} to be answered`);
  };
  await ask('\x1b[6;17;8t\x1b[0n');
  assert.match(answers(), /^\x1bP>\|ptyd\([0-9.]+\)\x1b\\/);
  await (await stage.client(server)).open({ ...plain, emulator: 'owners(1)' });
  await ask('\x1bP>|owners(1)\x1b\\\x1b[6;13;7t\x1b[0n');
  fs.rmSync(folder, { recursive: true });
});

const QUESTION = /\x1b\[[>=?]?[0-9;]*c|\x1b\[\??6n|\x1b\[>[0-9]*q|\x1b\][0-9;c]*;\?|\x1bP|\x1b\[\?\d+\$p|\x1b\[21t|\x05/;

scenario('security 30: history asks nothing, and ten viewers add no byte to the input', async (stage) => {
  const folder = fs.mkdtempSync('/tmp/ptyd-heard-');
  const { program, answers } = listener(folder);
  const server = await stage.server({ shell: program });
  const client = await stage.client(server);
  const { key, pid } = await client.open();
  await client.seen(key, 'listening');
  const terminal = fs.readlinkSync(`/proc/${pid}/fd/2`);
  fs.writeFileSync(terminal, '\x1b[c\x1b[6n\x1b[>q\x1b]10;?\x07\x1bP$qm\x1b\\\x1b[?2026$p\x1b]52;c;?\x07\x1b[21t\x05\x1b[5n');
  await eventually(() => answers().includes('\x1b[0n'), 'the last question to be answered');
  fs.writeFileSync(terminal, 'visible');
  await client.seen(key, 'visible');
  const before = answers();
  for (const historyFormat of ['raw', 'screen']) {
    const viewers = await Promise.all(Array.from({ length: 5 }, () => stage.client(server)));
    const snapshots = await Promise.all(viewers.map((viewer) => viewer.open({ ...key, attach: true, historyFormat })));
    for (const { history } of snapshots) {
      assert.match(history, /visible/);
      assert.doesNotMatch(history, QUESTION);
    }
  }
  await client.write(key, 'typed');
  await eventually(() => answers().endsWith('typed'), 'what was typed');
  assert.equal(answers(), `${before}typed`);
  fs.rmSync(folder, { recursive: true });
});

scenario('security 31: a title is stripped of control characters and cut', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ features: ['title'] });
  await client.capture(key, "printf '\\033]2;<b>a\\001b</b>%s\\007' $(printf 'x%.0s' $(seq 5000))");
  const title = await client.event(key, 'title');
  assert.doesNotMatch(title.title, /[\x00-\x1f\x7f]/);
  assert.ok(title.title.length <= 1024, `${title.title.length} characters`);
});

/** Begins a string, says a lot in it, ends it, and clears the screen. */
const endless = (begin, length) => `printf '${begin}'; head -c ${length} /dev/zero | tr '\\0' 7; printf '\\030\\033\\\\\\033cbehi%s\\n' nd\r`;

scenario('security 32: a string without end costs a fixed amount, and the terminal goes on', async (stage) => {
  const server = await stage.server({ threads: 2 });
  const client = await stage.client(server);
  const { key } = await client.open({ policy: 'lossless' });
  const begins = ['\\033]2;', '\\033P', '\\033_', '\\033^', '\\033]52;c;', '\\033[1;'];
  const print = (begin, length) => client.run(key, endless(begin, length), 'behind\r\n', { deadline: LONG_MS });
  for (const begin of begins) await print(begin, 300_000);
  const memory = watchMemory(server.pid);
  for (const begin of begins) await print(begin, measuresMemory ? 8_000_000 : 500_000); // sanitizers look at every byte
  await assertGrowsLess(stage, memory, 4 * MIB);
  assert.equal(await client.capture(key, 'echo ok'), 'ok');
});

scenario('security 35: a unix socket is private from its first moment', async (stage) => {
  const base = fs.mkdtempSync('/tmp/ptyd-sock-');
  const file = path.join(base, 'private', 'ptyd.sock');
  fs.mkdirSync(path.dirname(file), { mode: 0o700 });
  const server = await stage.server({ listen: `unix:${file}` });
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  const asked = new Promise((resolve, reject) => http.get({ socketPath: file, path: '/healthz', headers: { Host: 'localhost' } }, resolve).on('error', reject));
  const answer = await within(asked, 'an answer');
  assert.equal(answer.statusCode, 200);
  answer.resume();
  await server.stop();
  assert.ok(!fs.existsSync(file), 'the socket goes with the server');
  fs.rmSync(base, { recursive: true });
});

scenario('security 35: a socket path that is a link, or in a folder others may write to, is refused', async () => {
  const base = fs.mkdtempSync('/tmp/ptyd-sock-');
  const link = path.join(base, 'link.sock');
  fs.symlinkSync('/tmp/elsewhere.sock', link);
  assert.notEqual((await Server.fails({ listen: `unix:${link}` })).code, 0);
  const open = path.join(base, 'open');
  fs.mkdirSync(open);
  fs.chmodSync(open, 0o777);
  assert.notEqual((await Server.fails({ listen: `unix:${path.join(open, 'x.sock')}` })).code, 0);
  fs.rmSync(base, { recursive: true });
});

/** Asks for /healthz through a socket, as another user; prints the status, or what came of it. */
const ASKS = `import os, socket, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(20)
try:
    connection.connect(sys.argv[1])
    connection.sendall(b"GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
    print(connection.recv(12).decode() or "closed")
except OSError as error:
    print(type(error).__name__)`;

scenario('security 35: another user gets no answer, also where the socket has been opened up to him', async (stage) => {
  const base = fs.mkdtempSync('/tmp/ptyd-sock-');
  const file = path.join(base, 'ptyd.sock');
  await stage.server({ listen: `unix:${file}` });
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  const asked = () => {
    const [program, ...args] = [...asRoot, 'python3', '-c', ASKS, file];
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: DEADLINE_MS });
    assert.notEqual(stdout, '', `to be another user takes root: ${stderr}`);
    return stdout.trim();
  };
  assert.equal(asked(), 'PermissionError');
  fs.chmodSync(base, 0o755);
  assert.equal(asked(), 'PermissionError');
  fs.chmodSync(file, 0o666);
  assert.match(asked(), /^(closed|ConnectionResetError|BrokenPipeError)$/);
  fs.rmSync(base, { recursive: true });
});

function* filesBelow(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(file);
    else yield file;
  }
}

scenario('security 36: whatever a thread is called, its files stay inside, private, and go when asked', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const hostile = ['../../../x', '/'.repeat(128), '..', '.', 'a/b\\c', 'nul\u0001', '%2e%2e%2f', 'x'.repeat(1024), '日本/..'];
  const opened = [];
  for (const threadId of hostile) opened.push(await client.open({ threadId: threadId === '.' ? 'dot.' : threadId, terminalId: 't/../..' }));
  for (const { key } of opened) await client.capture(key, 'echo said-by-nobody-else');
  const outside = [...filesBelow(server.folder)].filter((file) => !file.startsWith(server.stateDir) && !file.startsWith(server.home) && file !== server.readyFile);
  assert.deepEqual(outside, []);
  for (const file of filesBelow(server.stateDir)) assert.equal(fs.statSync(file).mode & 0o077, 0, file);
  assert.equal(fs.statSync(server.stateDir).mode & 0o777, 0o700);
  const before = [...filesBelow(server.stateDir)].length;
  for (const { key } of opened) await client.call('terminal.close', { threadId: key.threadId, deleteHistory: true });
  const secret = 'said-by-nobody-else';
  await eventually(() => [...filesBelow(server.stateDir)].every((file) => !fs.readFileSync(file).includes(secret)), 'every copy to go');
  assert.ok([...filesBelow(server.stateDir)].length <= before);
});

const PIECE = 8;
/** Files below the state directory that hold `secret`, or a piece of it. */
function holding(server, secret, length = PIECE) {
  const pieces = Array.from({ length: secret.length - length + 1 }, (_, at) => secret.slice(at, at + length));
  const holds = (file) => {
    const bytes = fs.existsSync(file) ? fs.readFileSync(file) : Buffer.alloc(0);
    return pieces.some((piece) => bytes.includes(piece));
  };
  return [...filesBelow(server.stateDir)].filter(holds);
}
const isWhole = (server, secret, ending) => holding(server, secret, secret.length).some((file) => file.endsWith(ending));

/** Types `command` with a new secret in place of SECRET, in two halves, so that the echo does not hold it whole. */
async function sayASecret(client, key, command) {
  const secret = randomBytes(16).toString('hex');
  await client.write(key, `${command.replace('SECRET', `${secret.slice(0, 16)}''${secret.slice(16)}`)}\r`);
  return secret;
}

async function printASecret(server, client, key) {
  const secret = await sayASecret(client, key, 'echo SECRET');
  await client.seen(key, secret);
  assert.ok(isWhole(server, secret, '.journal'), 'or this shows nothing');
  return secret;
}

const parked = (server, secret) => eventually(() => isWhole(server, secret, '.screen'), 'the screen to be parked');
const gone = (server, secret) => eventually(() => holding(server, secret).length === 0, () => `no piece in ${holding(server, secret)}`);

scenario('security 36: what is cleared, restarted or deleted is in no file any more', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open();
  const ways = [
    ['terminal.clear', key],
    ['terminal.restart', { ...key, cwd: '/', cols: 80, rows: 24 }],
    ['terminal.close', { ...key, deleteHistory: true }],
  ];
  for (const [tag, params] of ways) {
    const secret = await printASecret(server, client, key);
    await client.call(tag, params);
    await gone(server, secret);
  }
});

scenario('security 36: what is cleared, restarted or deleted while its screen is parked is in no file any more', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const [cleared, restarted, deleted] = await Promise.all([client.open(), client.open(), client.open()]);
  const keys = [cleared, restarted, deleted].map(({ key }) => key);
  const secrets = [];
  for (const key of keys) secrets.push(await printASecret(server, client, key));
  for (const secret of secrets) await parked(server, secret);
  await client.call('terminal.clear', keys[0]);
  await client.call('terminal.restart', { ...keys[1], cwd: '/', cols: 80, rows: 24 });
  await client.call('terminal.close', { ...keys[2], deleteHistory: true });
  for (const secret of secrets) await gone(server, secret);
});

scenario('security 36: an unfinished sequence that is cleared is in no file any more', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open();
  // Nothing follows: the shell's prompt would end the sequence, perhaps before it is anywhere.
  const secret = await sayASecret(client, key, "printf '\\033]52;c;%s' SECRET; exec sleep 100000");
  await eventually(() => isWhole(server, secret, '.journal'), 'the sequence to be read');
  await client.call('terminal.clear', key);
  await gone(server, secret);
});

scenario('security 28: what closed terminals said is kept for so long and no longer', async (stage) => {
  const first = await stage.server();
  const client = await stage.client(first);
  const { key } = await client.open();
  const secret = await printASecret(first, client, key);
  await client.call('terminal.close', key);
  assert.ok(isWhole(first, secret, '.journal'), 'nobody asked to delete it');
  await first.stop();
  const second = await stage.server({ folder: first.folder, args: ['--retain-days', '0'] });
  await gone(second, secret);
  await second.lines.first((line) => line.includes('transcripts of closed terminals deleted: 1,'), 'a line in the log');
});

scenario('security 38: logs hold nothing that was typed or printed, and no control characters', async (stage) => {
  const server = await stage.server({ args: ['--log-level', 'trace'] });
  const client = await stage.client(server);
  const { key } = await client.open({ threadId: 'th\x1b[31mred\nFAKE LINE' });
  await client.capture(key, "echo typed-sec''ret");
  await client.reply('terminal.nothing\x1b[0m\nFAKE LINE', {});
  await client.call('terminal.close', key);
  await server.stop();
  assert.doesNotMatch(server.log, /typed-sec/);
  assert.doesNotMatch(server.log, /^FAKE LINE/m);
  const escapes = server.log.replace(/\x1b\[[0-9;]*m/g, '');
  assert.doesNotMatch(escapes, /\x1b/);
});
