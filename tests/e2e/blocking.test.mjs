// Blocking work stops no other: a drive that never answers, a log that nobody reads, a disk that is bad.
// Release too: how long anybody waits is measured.
// TSan too: the pool that blocks has threads of its own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dial, RELEASES } from './support/acp.mjs';
import { freshThread } from './support/envelope.mjs';
import { alive, childrenOf, eventually, gone } from './support/process.mjs';
import { scenario } from './support/stage.mjs';
import { Trouble } from './support/trouble.mjs';

const HANG = fileURLToPath(new URL('support/hang.py', import.meta.url));

/** A folder that is gone after `body(folder)`, whatever happens there. */
async function withFolder(body) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-blocking-'));
  try {
    await body(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A test of a server for which `drive` is a folder that never answers. With one loop: who hangs there stops everybody.
 * With `clock` the test can slow the server's clock down.
 */
const withDeadDrive = (name, body, { clock = false } = {}) =>
  scenario(name, (stage) => withFolder((drive) => withFolder(async (folder) => {
    const trouble = clock && new Trouble(folder);
    const server = await stage.server({ threads: 1, wrapper: ['python3', HANG, drive, '--'], env: trouble ? trouble.env : {} });
    await body(stage, server, drive, trouble);
    // The drive is mounted for the server alone, and a folder like any other once that has ended.
    await server.stop();
    await gone(server.pid);
    if (trouble) trouble.close();
  })));

withDeadDrive('an open on a drive that never answers is refused, and other terminals hear nothing of it', async (stage, server, drive, clock) => {
  const client = await stage.client(server);
  const { key } = await client.open();
  clock.slowClock(100);
  let isRefused = false;
  const refused = client.reply('terminal.open', { threadId: freshThread(), cwd: drive }).finally(() => { isRefused = true; });
  assert.equal(await client.capture(key, 'echo meanwhile'), 'meanwhile');
  assert.equal(isRefused, false, 'it has waited for the drive');
  clock.usualClock();
  assert.match((await refused).error.message, /there was no answer for \d+ s/);
  assert.equal(await client.capture(key, 'echo afterwards'), 'afterwards');
}, { clock: true });

withDeadDrive('whoever asks for a dead drive keeps only his own thread waiting, and there nobody who types', async (stage, server, drive) => {
  const client = await stage.client(server);
  const { key } = await client.open();
  const refused = client.reply('terminal.open', { threadId: key.threadId, terminalId: 'dead', cwd: drive });
  const below = client.reply('terminal.open', { threadId: freshThread(), cwd: path.join(drive, 'below') });
  assert.equal(await client.capture(key, 'echo typed'), 'typed');
  const other = await client.open();
  assert.equal(await client.capture(other.key, 'echo other'), 'other');
  // The same again and again takes no more than one helper: others go on being opened.
  const again = Array.from({ length: 40 }, () => client.reply('terminal.open', { threadId: freshThread(), cwd: drive }));
  assert.equal((await client.open()).status, 'running');
  for (const { error } of await Promise.all([refused, below, ...again])) assert.match(error.message, /there was no answer/);
  const next = await client.open({ threadId: key.threadId, terminalId: 'next' });
  assert.equal(next.status, 'running');
});

/** Patience with an open or a launch, of 5 s, is longer than that with the whole test. */
const SLOWED = 100;

withDeadDrive('any number of directories on a dead drive stop no other open, and are refused at once later', async (stage, server, drive, clock) => {
  const client = await stage.client(server);
  const openAt = (cwd) => client.reply('terminal.open', { threadId: freshThread(), cwd });
  const below = (name, count) => Array.from({ length: count }, (_, i) => openAt(path.join(drive, name + i)));
  const waiting = below('first', 40);
  assert.equal((await client.open()).status, 'running');
  const messages = async (replies) => (await Promise.all(replies)).map(({ error }) => error.message);
  // One that arrives when others were given up already is refused at once.
  const [first, ...others] = await messages(waiting);
  assert.match(first, /there was no answer for 5 s/);
  for (const message of others) assert.match(message, /there was no answer for 5 s|the drive at .* does not answer/);
  assert.equal((await client.open()).status, 'running');
  const link = path.join(os.tmpdir(), `ptyd-to-drive-${process.pid}`);
  fs.symlinkSync(drive, link);
  try {
    clock.slowClock(SLOWED); // a refusal that waits for the drive does not come
    const next = await messages([...below('next', 40), openAt(drive), openAt(path.join(drive, 'first0')), openAt(link)]);
    for (const message of next) assert.match(message, /there was no answer|the drive at .* does not answer/);
    clock.usualClock();
  } finally {
    fs.unlinkSync(link);
  }
}, { clock: true });

withDeadDrive('who waits for a dead drive when the server ends is answered, and the server ends', async (stage, server, drive) => {
  const client = await stage.client(server);
  const waiting = client.reply('terminal.open', { threadId: freshThread(), cwd: drive });
  await client.call('terminal.list', {}); // the open has arrived
  server.signal('SIGTERM');
  assert.match((await waiting).error.message, /ending|there was no answer/);
  assert.equal(await server.exit(), 0);
});

/** An agent whose program lies on `drive`: its launch hangs. `refused` is its answer. */
async function launchFrom(drive, stage, server, client) {
  const agent = await dial(RELEASES[0], await stage.socket(server, { path: '/acp' }), freshThread());
  const threadId = `acp/${agent.sessionId}`;
  const refused = agent.create({ command: path.join(drive, 'program') }).then(() => assert.fail('it runs'), (error) => error);
  const status = async () => (await client.call('terminal.list', { threadId })).terminals[0]?.status;
  await eventually(async () => (await status()) === 'starting', 'the launch to begin');
  return { threadId, refused };
}

withDeadDrive('a program on a drive that never answers is given up, and no other launch waits for it', async (stage, server, drive) => {
  const client = await stage.client(server);
  const { threadId, refused } = await launchFrom(drive, stage, server, client);
  const { key } = await client.open();
  assert.equal(await client.capture(key, 'echo meanwhile'), 'meanwhile');
  const closed = client.call('terminal.close', { threadId });
  assert.match((await refused).message, /there was no answer for \d+ s/);
  await closed;
  assert.deepEqual((await client.call('terminal.list', { threadId })).terminals, []);
  await eventually(() => childrenOf(server.pid).length === 1, 'the process that hung there to end');
});

withDeadDrive('any number of programs on a dead drive hold up no other launch', async (stage, server, drive, clock) => {
  const client = await stage.client(server);
  const agents = await Promise.all(Array.from({ length: 20 }, async () =>
    dial(RELEASES[0], await stage.socket(server, { path: '/acp' }), freshThread())));
  clock.slowClock(SLOWED); // no launch is given up before the open is answered
  let hanging = agents.length;
  const refused = agents.map((agent, i) => agent.create({ command: path.join(drive, `program${i}`) })
    .then(() => assert.fail('it runs'), (error) => error).finally(() => { hanging -= 1; }));
  const starting = async () => (await client.call('terminal.list', {})).terminals.filter(({ status }) => status === 'starting').length;
  await eventually(async () => (await starting()) === agents.length, 'all launches to begin');
  const { key } = await client.open();
  assert.equal(hanging, agents.length, 'the open has waited for none of them');
  clock.usualClock();
  assert.equal(await client.capture(key, 'echo meanwhile'), 'meanwhile');
  for (const error of await Promise.all(refused)) assert.match(error.message, /there was no answer for \d+ s/);
}, { clock: true });

withDeadDrive('creates of a session that hang on a dead drive hold up none of its other programs', async (stage, server, drive, clock) => {
  const agent = await dial(RELEASES[0], await stage.socket(server, { path: '/acp' }), freshThread());
  const client = await stage.client(server);
  clock.slowClock(SLOWED); // no launch is given up before the others have ended
  let answered = 0;
  const hangs = (params) => agent.create(params).then(() => assert.fail('it runs'), (error) => error).finally(() => answered++);
  const refused = [hangs({ command: 'true', cwd: path.join(drive, 'below') }), hangs({ command: path.join(drive, 'program') })];
  const threadId = `acp/${agent.sessionId}`;
  const listed = async () => (await client.call('terminal.list', { threadId })).terminals;
  const hanging = await eventually(async () => (await listed()).find(({ status }) => status === 'starting'), 'a launch that hangs');
  const quick = await agent.create({ command: 'echo', args: ['meanwhile'] });
  assert.equal((await quick.waitForExit()).exitCode, 0);
  assert.equal((await quick.currentOutput()).output, 'meanwhile\n');
  await quick.release();
  // A person's Stop waits for the launch that it stops, and nothing else waits for it.
  const stopped = client.call('terminal.close', { threadId, terminalId: hanging.terminalId });
  await (await agent.create({ command: 'true' })).release();
  await eventually(async () => answered > 0 || (await listed()).length === 1, 'released programs to leave the list');
  assert.equal(answered, 0, 'nothing has waited for what hangs');
  clock.usualClock();
  for (const error of await Promise.all(refused)) assert.match(error.message, /there was no answer for \d+ s/);
  await stopped;
  assert.deepEqual(await listed(), []);
}, { clock: true });

withDeadDrive('a launch that hangs when the server ends is answered, and the server ends', async (stage, server, drive) => {
  const client = await stage.client(server);
  const { refused } = await launchFrom(drive, stage, server, client);
  server.signal('SIGTERM');
  assert.match((await refused).message, /The server is ending/);
  assert.equal(await server.exit(), 0);
});

scenario('a log that nobody reads stops no terminal, and not the end', (stage) => withFolder(async (folder) => {
  const pipe = path.join(folder, 'unread');
  execFileSync('mkfifo', [pipe]);
  const unread = fs.openSync(pipe, 'r+');
  try {
    const server = await stage.server({
      wrapper: ['/bin/sh', '-c', 'exec "$@" 2>"$0"', pipe], args: ['--trace'],
    });
    const client = await stage.client(server);
    const { key } = await client.open();
    const dropped = async () => Number((await (await server.fetch('/metrics')).text()).match(/^ptyd_log_lines_dropped_total (\d+)$/m)[1]);
    await eventually(async () => {
      await Promise.all(Array.from({ length: 200 }, () => client.call('terminal.list', {})));
      return (await dropped()) > 0;
    }, 'lines to be dropped');
    assert.equal(await client.capture(key, 'echo still here'), 'still here');
    server.signal('SIGTERM');
    assert.equal(await server.exit(), 0);
    assert.ok(!alive(server.pid));
  } finally {
    fs.closeSync(unread);
  }
}));

scenario('a transcript that its disk cannot read is set aside, and other terminals hear nothing of it', (stage) => withFolder(async (folder) => {
  const stateDir = path.join(folder, 'state');
  const trouble = new Trouble(folder, { state: stateDir });
  const server = await stage.server({ stateDir, env: trouble.env });
  const client = await stage.client(server);
  const [spoilt, other] = [await client.open(), await client.open()];
  assert.equal(await client.capture(spoilt.key, 'echo before'), 'before');
  await client.call('terminal.close', spoilt.key);
  trouble.spoil('state', 8192); // behind the header
  const { history } = await client.open(spoilt.key);
  assert.ok(!history.includes('before'), 'it was read all the same');
  assert.equal(await client.capture(spoilt.key, 'echo anew'), 'anew');
  assert.equal(await client.capture(other.key, 'echo still here'), 'still here');
  assert.match(server.log, /set aside.*Input\/output error/);
  trouble.close();
}));
