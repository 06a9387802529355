// One terminal from open to close, on the envelope dialect.
// Release too: the binary that people run opens, writes and closes.
// TSan too: a session and its viewers on several loops.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { freshThread } from './support/envelope.mjs';
import { eventually, gone } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

scenario('welcome comes before the first reply', async (stage) => {
  const client = await stage.client(await stage.server());
  await client.open();
  const [first] = client.socket.frames.all;
  assert.equal(first.type, 'push');
  assert.equal(first.channel, 'server.welcome');
  assert.equal(typeof first.data.cwd, 'string');
  assert.equal(typeof first.data.projectName, 'string');
});

scenario('an open terminal runs what is typed', async (stage) => {
  const client = await stage.client(await stage.server());
  const snapshot = await client.open({ cols: 100, rows: 30 });
  assert.equal(snapshot.status, 'running');
  assert.equal(snapshot.terminalId, 'default');
  assert.equal(snapshot.cwd, '/');
  assert.equal(snapshot.history, '');
  assert.equal(snapshot.exitCode, null);
  assert.equal(snapshot.exitSignal, null);
  assert.equal(snapshot.cols, 100);
  assert.equal(snapshot.rows, 30);
  assert.equal(typeof snapshot.cursor, 'string');
  assert.match(snapshot.updatedAt, ISO);
  assert.ok(Number.isInteger(snapshot.pid) && snapshot.pid > 0);
  await client.run(snapshot.key, "printf 'hel%s\\n' lo\r", 'hello');
  assert.equal(await client.capture(snapshot.key, 'echo $$'), String(snapshot.pid));
});

scenario('events carry who, when and where, and sequences only grow', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.capture(key, 'seq 5');
  for (const event of client.eventsOf(key)) {
    assert.equal(event.threadId, key.threadId);
    assert.equal(event.terminalId, key.terminalId);
    assert.match(event.createdAt, ISO);
    assert.equal(typeof event.cursor, 'string');
    if (event.type === 'output') assert.equal(event.byteLength, Buffer.byteLength(event.data));
  }
  const sequences = client.pushes.all.map((push) => push.sequence);
  assert.ok(sequences.every((value, n) => n === 0 || value > sequences[n - 1]), `not growing: ${sequences}`);
});

scenario('started comes with a snapshot, and before any output', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key, pid } = await client.open();
  const started = await client.event(key, 'started');
  assert.equal(started.snapshot.pid, pid);
  assert.equal(started.snapshot.status, 'running');
  await client.event(key, 'output');
  const types = client.eventsOf(key).map((event) => event.type);
  assert.ok(types.indexOf('started') < types.indexOf('output'), types.join());
});

scenario('a shell tells its exit code, after all its output', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.write(key, "seq 20000; printf 'la%s\\n' st; exit 7\r");
  const exited = await client.event(key, 'exited');
  assert.equal(exited.exitCode, 7);
  assert.equal(exited.exitSignal, null);
  assert.match(client.output(key), /\r\n20000\r\n/);
  assert.match(client.output(key), /last\r\n/);
  const types = client.eventsOf(key).map((event) => event.type);
  assert.equal(types.lastIndexOf('output') < types.indexOf('exited'), true, types.join());
});

scenario('a killed shell tells its signal', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key, pid } = await client.open();
  process.kill(pid, 'SIGKILL');
  const exited = await client.event(key, 'exited');
  assert.equal(exited.exitSignal, 9);
});

scenario('writing to an exited terminal is silently taken, resizing it is an error', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.write(key, 'exit\r');
  await client.event(key, 'exited');
  assert.deepEqual(Object.keys(await client.reply('terminal.write', { ...key, data: 'x' })), ['id']);
  const message = `Terminal is not running for thread: ${key.threadId}, terminal: default`;
  await assert.rejects(client.call('terminal.resize', { ...key, cols: 80, rows: 24 }), (error) => error.message.includes(message));
});

scenario('opening an exited terminal starts a new shell with an empty history', async (stage) => {
  const client = await stage.client(await stage.server());
  const first = await client.open();
  await client.run(first.key, "printf 'ol%s\\n' d; exit\r", 'old');
  await client.event(first.key, 'exited');
  const second = await client.open(first.key);
  assert.equal(second.status, 'running');
  assert.notEqual(second.pid, first.pid);
  assert.ok(!second.history.includes('old\r\n'), second.history);
  assert.equal(await client.capture(second.key, 'echo ok'), 'ok');
});

scenario('opening a running terminal again returns it as it is', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const first = await client.open();
  await client.run(first.key, "printf 'se%s\\n' en\r", 'seen');
  const before = client.eventsOf(first.key).filter((event) => event.type !== 'output' && event.type !== 'activity').length;
  const other = await stage.client(server);
  const second = await other.open({ ...first.key, cwd: '/tmp', env: { A: 'b' } });
  assert.equal(second.pid, first.pid);
  assert.equal(second.cwd, '/');
  assert.match(second.history, /seen/);
  const after = client.eventsOf(first.key).filter((event) => event.type !== 'output' && event.type !== 'activity').length;
  assert.equal(after, before, 'a second open makes no lifecycle event');
});

scenario('two opens at once start one shell', async (stage) => {
  const server = await stage.server();
  const [one, two] = [await stage.client(server), await stage.client(server)];
  const threadId = freshThread();
  const [first, second] = await Promise.all([one.open({ threadId }), two.open({ threadId })]);
  assert.equal(first.pid, second.pid);
});

scenario('the shell sees the size it was given, and a resize', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ cols: 101, rows: 31 });
  assert.equal(await client.capture(key, 'stty size'), '31 101');
  await client.call('terminal.resize', { ...key, cols: 77, rows: 22 });
  assert.equal(await client.capture(key, 'stty size'), '22 77');
});

scenario('without a size a terminal has 120 columns and 30 rows', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  assert.equal(await client.capture(key, 'stty size'), '30 120');
});

scenario('a second open changes only the dimension it names, an attach none', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 100, rows: 30 });
  await client.open({ ...key, rows: 40 });
  assert.equal(await client.capture(key, 'stty size'), '40 100');
  const other = await stage.client(server);
  const attached = await other.open({ ...key, attach: true, cols: 50, rows: 10 });
  assert.deepEqual([attached.cols, attached.rows], [100, 40]);
  assert.equal(await client.capture(key, 'stty size'), '40 100');
});

scenario('attaching to what does not exist is an error and starts nothing', async (stage) => {
  const client = await stage.client(await stage.server());
  const threadId = freshThread();
  await assert.rejects(client.open({ threadId, attach: true }), /Unknown terminal thread/);
  assert.deepEqual((await client.call('terminal.list', { threadId })).terminals, []);
});

scenario('the list tells which program is in the foreground, where it is, and since when', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const listed = async () => (await client.call('terminal.list', { threadId: key.threadId })).terminals[0];
  await client.run(key, "cd /etc; printf 'the%s\\n' re\r", 'there');
  assert.equal((await listed()).cwd, '/etc');
  assert.match((await listed()).process, /sh$/);
  assert.match((await listed()).startedAt, ISO);
  await client.run(key, "(cd /usr; exec sh -c 'echo beg''un; exec cat')\r", 'begun');
  await eventually(async () => (await listed()).process === 'cat', 'the program in the foreground');
  assert.equal((await listed()).cwd, '/usr');
});

scenario('those that ask are told when another program is in the foreground, or the shell goes elsewhere', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ features: ['process'] });
  await client.run(key, "cd /etc; printf 'the%s\\n' re\r", 'there');
  const told = (process, cwd) =>
    client.socket.frames.until(
      () => client.eventsOf(key).some((event) => event.type === 'process' && event.process === process && event.cwd === cwd),
      `${process} in ${cwd}`,
    );
  await told('bash', '/etc');
  await client.run(key, "(cd /usr; exec sh -c 'echo beg''un; exec cat')\r", 'begun');
  await told('cat', '/usr');
});

scenario('clear empties the history and leaves the shell running', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key, pid } = await client.open();
  await client.run(key, "printf 'se%s\\n' cret\r", 'secret');
  assert.equal((await client.reply('terminal.clear', key)).error, undefined);
  await client.event(key, 'cleared');
  const again = await client.open(key);
  assert.equal(again.pid, pid);
  assert.ok(!again.history.includes('secret\r\n'), again.history);
  assert.equal(await client.capture(key, 'echo ok'), 'ok');
});

scenario('restart gives a new shell, one event, and no exit of the old one', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key, pid } = await client.open();
  await client.run(key, "printf 'be%s\\n' fore\r", 'before');
  const snapshot = await client.call('terminal.restart', { ...key, cwd: '/tmp', cols: 90, rows: 28 });
  assert.equal(snapshot.status, 'running');
  assert.equal(snapshot.history, '');
  assert.equal(snapshot.cwd, '/tmp');
  assert.notEqual(snapshot.pid, pid);
  const restarted = await client.event(key, 'restarted');
  assert.equal(restarted.snapshot.pid, snapshot.pid);
  assert.equal(await client.capture(key, 'pwd; stty size'), '/tmp\n28 90');
  const types = client.eventsOf(key).map((event) => event.type);
  assert.ok(!types.includes('exited'), types.join());
  assert.equal(types.filter((type) => type === 'started').length, 1);
});

scenario('restarting an unknown terminal opens it', async (stage) => {
  const client = await stage.client(await stage.server());
  const snapshot = await client.call('terminal.restart', { threadId: freshThread(), cwd: '/', cols: 80, rows: 24 });
  assert.equal(snapshot.status, 'running');
});

scenario('close ends the shell, says nothing, and may be repeated', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key, pid } = await client.open();
  await client.event(key, 'started');
  const before = client.eventsOf(key).length;
  assert.equal((await client.reply('terminal.close', key)).error, undefined);
  assert.equal((await client.reply('terminal.close', key)).error, undefined);
  assert.deepEqual((await client.call('terminal.list', { threadId: key.threadId })).terminals, []);
  const later = client.eventsOf(key).slice(before).map((event) => event.type).filter((type) => type !== 'output');
  assert.deepEqual(later, []);
  await gone(pid);
});

scenario('closing a thread closes all its terminals', async (stage) => {
  const client = await stage.client(await stage.server());
  const threadId = freshThread();
  const one = await client.open({ threadId, terminalId: 'one' });
  const two = await client.open({ threadId, terminalId: 'two' });
  const other = await client.open();
  await client.call('terminal.close', { threadId });
  assert.deepEqual((await client.call('terminal.list', { threadId })).terminals, []);
  await Promise.all([gone(one.pid), gone(two.pid)]);
  assert.equal(await client.capture(other.key, 'echo ok'), 'ok');
});

scenario('close takes what ignores hang-up and terminate along', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const text = await client.run(key, "bash -c 'trap \"\" HUP TERM; echo pid=$$; while :; do sleep 0.02; done'\r", /pid=\d+\r\n/);
  const stubborn = Number(text.match(/pid=(\d+)/)[1]);
  await client.call('terminal.close', key);
  await gone(stubborn);
});

scenario('a working folder that does not exist or is none is refused before anything starts', async (stage) => {
  const client = await stage.client(await stage.server());
  const threadId = freshThread();
  await assert.rejects(client.open({ threadId, cwd: '/no/such/folder' }), /Terminal cwd does not exist: \/no\/such\/folder/);
  await assert.rejects(client.open({ threadId, cwd: '/etc/passwd' }), /Terminal cwd is not a directory: \/etc\/passwd/);
  assert.deepEqual((await client.call('terminal.list', { threadId })).terminals, []);
});

scenario("a working folder that is not absolute counts from the server's own, as in the reference", async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  fs.mkdirSync(path.join(server.home, 'below'));
  for (const [cwd, wanted] of [['.', server.home], ['below', path.join(server.home, 'below')]]) {
    const { key } = await client.open({ cwd });
    assert.equal(await client.capture(key, 'pwd -P'), fs.realpathSync(wanted));
  }
  await assert.rejects(client.open({ cwd: '~' }), /Terminal cwd does not exist: ~/);
});

scenario('a working folder with spaces and letters of any script is taken as it is', async (stage) => {
  const server = await stage.server();
  const folder = path.join(server.home, 'mit Leerzeichen → 日本');
  fs.mkdirSync(folder);
  const client = await stage.client(server);
  const { key } = await client.open({ cwd: `  ${folder}  ` });
  assert.equal(await client.capture(key, 'pwd'), folder);
});

scenario('the environment asked for is on top', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ env: { GREETING: 'a "b" $c\'d', TERM: 'vt100' } });
  assert.equal(await client.capture(key, 'printf %s "$GREETING"; echo; echo $TERM $COLORTERM'), 'a "b" $c\'d\nvt100 truecolor');
});

scenario('a shell that does not exist gives way to the next; its name is told when none works', async (stage) => {
  const client = await stage.client(await stage.server({ shell: '/no/such/shell' }));
  const snapshot = await client.open();
  assert.equal(snapshot.status, 'running');
});

scenario('list tells every terminal and how it is', async (stage) => {
  const client = await stage.client(await stage.server());
  const threadId = freshThread();
  const { pid } = await client.open({ threadId, terminalId: 'a', cols: 90, rows: 20 });
  const b = await client.open({ threadId, terminalId: 'b' });
  await client.write(b.key, 'exit 3\r');
  await client.event(b.key, 'exited');
  const { terminals } = await client.call('terminal.list', { threadId });
  const [a, other] = terminals.sort((x, y) => (x.terminalId < y.terminalId ? -1 : 1));
  assert.deepEqual([a.threadId, a.terminalId, a.status, a.pid, a.cwd, a.cols, a.rows], [threadId, 'a', 'running', pid, '/', 90, 20]);
  assert.deepEqual([other.status, other.exitCode, other.exitSignal, other.pid], ['exited', 3, null, null]);
  const all = await client.call('terminal.list', {});
  assert.equal(all.terminals.length, 2);
});

scenario('unknown terminals are named in the error', async (stage) => {
  const client = await stage.client(await stage.server());
  const key = { threadId: 'nobody', terminalId: 'x' };
  const message = 'Unknown terminal thread: nobody, terminal: x';
  for (const [tag, params] of [['terminal.write', { data: 'x' }], ['terminal.resize', { cols: 80, rows: 24 }], ['terminal.clear', {}]]) {
    await assert.rejects(client.call(tag, { ...key, ...params }), (error) => error.message.includes(message), tag);
  }
  assert.equal((await client.reply('terminal.ackOutput', { ...key, bytes: 5 })).error, undefined);
});

scenario('a program in the foreground makes an activity event, its end another', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.capture(key, 'true');
  await client.write(key, 'cat\r');
  const busy = await client.event(key, 'activity');
  assert.equal(busy.hasRunningSubprocess, true);
  const from = client.events.all.length;
  await client.write(key, '\x04');
  const idle = await client.event(key, 'activity', { from });
  assert.equal(idle.hasRunningSubprocess, false);
});
