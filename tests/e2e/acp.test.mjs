// Coding agents dial in at /acp: the official SDK drives terminal/*, in three of its releases.
// TSan too: agents and people on several loops.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { RELEASES, dial } from './support/acp.mjs';
import { daemonOf } from './support/daemon.mjs';
import { SCENARIO_MS } from './support/deadline.mjs';
import { alive, childrenOf, descriptors, eventually, gone, withTsan } from './support/process.mjs';
import { scenario } from './support/stage.mjs';
import { slowly } from './support/trouble.mjs';

let sessions = 0;
/** An agent of its own, of that release. */
async function agentOf(stage, server, release, sessionId = `session-${++sessions}`) {
  const socket = await stage.socket(server, { path: '/acp' });
  return { socket, ...(await dial(release, socket, sessionId)) };
}

/** So many times slower goes the clock of a server that is to end what it starts before it gives that up. */
const SLOWER = 4;

/** A scenario for each release, with one agent. `ends`: it asserts that a program has ended when its end is answered. */
function agentScenario(name, body, { only = () => true, ends = false, ...options } = {}) {
  for (const release of RELEASES.filter(only)) {
    scenario(`${release.name}: ${name}`, async (stage) => {
      const play = async (env) => {
        const server = await stage.server({ env });
        await body(await agentOf(stage, server, release), { stage, server, release });
      };
      await (ends ? slowly(SLOWER, play) : play({}));
    }, options);
  }
}

/** Runs on until the file `go` is in its folder: no test has to guess how long anything takes. */
const UNTIL_GO = 'while [ ! -e go ]; do sleep 0.05; done';
const shell = (line) => ({ command: 'sh', args: ['-c', line] });
const go = (server) => fs.writeFileSync(path.join(server.home, 'go'), '');

/** The processes whose numbers a terminal shows as `pid N`, once it shows `count` of them. */
async function processesOf(handle, count) {
  const shown = async () => [...(await handle.currentOutput()).output.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
  return eventually(async () => (await shown()).length === count && shown(), `${count} process numbers`);
}

/** A port of this machine that nobody uses now. */
async function freePort() {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  taken.close();
  await once(taken, 'close');
  return port;
}

/** Of so many texts, each place has so many values: chance does that but for one time in 10^20, and no counter does. */
const SAMPLE = 32, VALUES = 4;
function assertUnguessable(ids) {
  for (const place of ids[0].split('').keys()) {
    const values = new Set(ids.map((id) => id[place]));
    assert.ok(values.size >= VALUES, `place ${place} is one of ${[...values]} in ${ids}`);
  }
}

const isUnknown = (error) => error.code === -32002;

// --- the whole life of a terminal

agentScenario('the server introduces itself as a client with terminals and asks for a session', async ({ asked }, { server }) => {
  assert.equal(asked.initialize.protocolVersion, 1);
  assert.equal(asked.initialize.clientCapabilities.terminal, true);
  assert.ok(!asked.initialize.clientCapabilities.fs?.readTextFile);
  assert.ok(!asked.initialize.clientCapabilities.fs?.writeTextFile);
  assert.deepEqual(asked['session/new'].mcpServers, []);
  assert.equal(fs.realpathSync(asked['session/new'].cwd), fs.realpathSync(server.home));
});

agentScenario('a program runs, is read, ends and is released', async (agent, { server }) => {
  const handle = await agent.create({ ...shell(`echo begun; ${UNTIL_GO}; echo ended; exit 3`), cwd: server.home });
  const running = await eventually(async () => {
    const output = await handle.currentOutput();
    return output.output === 'begun\n' && output;
  }, 'the first line');
  assert.equal(running.truncated, false);
  assert.equal(running.exitStatus ?? null, null);
  const exit = handle.waitForExit();
  go(server);
  assert.deepEqual(await exit, { exitCode: 3, signal: null });
  assert.deepEqual(await handle.currentOutput(), { output: 'begun\nended\n', truncated: false, exitStatus: { exitCode: 3, signal: null }, exitCode: 3, signal: null });
  await handle.release();
  await assert.rejects(handle.currentOutput(), isUnknown);
  await assert.rejects(handle.waitForExit(), isUnknown);
});

agentScenario('a whole line without arguments, an environment and a limit do what an agent means by them', async (agent) => {
  const handle = await agent.create({
    command: 'printf "%s" "$GREETING" | tr a-z A-Z', env: [{ name: 'GREETING', value: 'good day' }], outputByteLimit: 3,
  });
  assert.equal((await handle.waitForExit()).exitCode, 0);
  const { output, truncated } = await handle.currentOutput();
  assert.deepEqual([output, truncated], ['DAY', true]);
  await handle.release();
});

agentScenario('a handle that goes out of scope releases what was released already', async (agent) => {
  const handle = await agent.create(shell('echo done'));
  await handle.waitForExit();
  await handle.release();
  // The effect of `await using`.
  await handle[Symbol.asyncDispose]();
  await assert.rejects(handle.kill(), isUnknown);
});

agentScenario('ten programs at once are ten, whichever ends first', async (agent, { server }) => {
  const lines = Array.from({ length: 10 }, (_, n) => `${n % 2 ? UNTIL_GO : ':'}; echo ${n}; exit ${n}`);
  const handles = await Promise.all(lines.map((line) => agent.create({ ...shell(line), cwd: server.home })));
  assert.equal(new Set(handles.map(({ id }) => id)).size, 10);
  const exits = handles.map((handle) => handle.waitForExit());
  for (let n = 0; n < 10; n += 2) assert.equal((await exits[n]).exitCode, n, 'the others still run');
  go(server);
  for (let n = 1; n < 10; n += 2) assert.equal((await exits[n]).exitCode, n);
  for (const [n, handle] of handles.entries()) assert.equal((await handle.currentOutput()).output, `${n}\n`);
  await Promise.all(handles.map((handle) => handle.release()));
});

scenario('ids of terminals cannot be guessed: no counter gives them, and no other server', async (stage) => {
  const counters = [(n) => n.toString(16), (n) => n * 0x10001, (n) => `${Date.now() + n}`];
  for (const count of counters) {
    const ids = Array.from({ length: SAMPLE }, (_, n) => String(count(n)).padStart(32, '0'));
    assert.throws(() => assertUnguessable(ids), /place \d+ is one of/);
  }
  const idsOf = async (server) => {
    const agent = await agentOf(stage, server, RELEASES[0], 'the same');
    const handles = await Promise.all(Array.from({ length: SAMPLE }, () => agent.create({ command: 'true' })));
    return handles.map(({ id }) => id.match(/^term_([0-9a-f]{32})$/)[1]);
  };
  const all = [...(await idsOf(await stage.server())), ...(await idsOf(await stage.server()))];
  assert.equal(new Set(all).size, 2 * SAMPLE);
  assertUnguessable(all.slice(0, SAMPLE));
  assertUnguessable(all.slice(SAMPLE));
});

agentScenario('who has waited long enough kills and reads what there was', async (agent) => {
  const handle = await agent.create(shell('echo begun; sleep 100000 & echo pid $!; wait'));
  const exit = handle.waitForExit();
  const [child] = await processesOf(handle, 1);
  assert.equal((await handle.currentOutput()).exitStatus ?? null, null);
  await handle.kill();
  const { exitCode, signal } = await exit;
  assert.equal(exitCode, null);
  assert.match(signal, /^SIG(HUP|TERM|KILL)$/);
  await gone(child);
  const { output, exitStatus } = await handle.currentOutput();
  assert.match(output, /^begun\npid \d+\n$/);
  assert.deepEqual(exitStatus, { exitCode, signal });
  await handle.kill();
  await handle.release();
});

agentScenario('a server in the background lives on after its command, and is read and killed', async (agent, { server }) => {
  const handle = await agent.create({ ...shell(`(${UNTIL_GO}; echo later; exec sleep 100000) & echo pid $!; exit 3`), cwd: server.home });
  assert.equal((await handle.waitForExit()).exitCode, 3);
  const [job] = await processesOf(handle, 1);
  assert.ok(alive(job));
  go(server);
  await eventually(async () => (await handle.currentOutput()).output.endsWith('later\n'), 'what the job prints');
  assert.equal((await handle.currentOutput()).exitStatus.exitCode, 3);
  await handle.kill();
  assert.ok(!alive(job), 'it is gone when kill is answered');
  await handle.release();
}, { only: (release) => release === RELEASES[0], ends: true });

agentScenario('kill is answered when the port is free again', async (agent) => {
  const port = await freePort();
  const serves = `(trap '' HUP TERM; exec python3 -u -m http.server ${port} --bind 127.0.0.1) & wait`;
  for (const ends of ['kill', 'release']) {
    const handle = await agent.create(shell(serves));
    await eventually(async () => (await handle.currentOutput()).output.includes('Serving HTTP'), 'the server');
    await handle[ends]();
  }
  const last = await agent.create(shell(serves));
  await eventually(async () => /Serving HTTP|in use/.test((await last.currentOutput()).output), 'the server');
  assert.doesNotMatch((await last.currentOutput()).output, /in use/);
  await last.release();
}, { only: (release) => release === RELEASES[0], ends: true });

agentScenario('who would be asked a password fails at once', async (agent) => {
  const handle = await agent.create(shell("read x </dev/tty; echo asked $?"));
  await handle.waitForExit();
  assert.match((await handle.currentOutput()).output, /\/dev\/tty/);
  await handle.release();
}, { only: (release) => release === RELEASES[0] });

agentScenario('one who no longer waits is told so, and the others hear of the end', async (agent, { server }) => {
  const handle = await agent.create({ ...shell(`${UNTIL_GO}; exit 4`), cwd: server.home });
  const cancelled = new AbortController();
  const waits = (options) => agent.request('terminal/wait_for_exit', { terminalId: handle.id }, options);
  const given = waits({ cancellationSignal: cancelled.signal });
  const other = waits();
  cancelled.abort();
  await assert.rejects(given, (error) => error.code === -32800);
  go(server);
  assert.equal((await other).exitCode, 4, 'it was not the program that was cancelled');
  await handle.release();
}, { only: ({ cancels }) => cancels });

agentScenario('release answers who waits, ends the tree and forgets the terminal', async (agent) => {
  const handle = await agent.create(shell('setsid sleep 100000 & echo pid $!; sleep 100000 & echo pid $!; wait'));
  const children = await processesOf(handle, 2);
  const waiting = Promise.all([handle.waitForExit(), handle.waitForExit()]);
  await handle.release();
  for (const { exitCode, signal } of await waiting) assert.deepEqual([exitCode, typeof signal], [null, 'string']);
  for (const child of children) await gone(child);
});

for (const how of ['kill', 'release']) {
  agentScenario(`${how} ends a daemon too, and is answered when it has ended`, async (agent, { server }) => {
    const daemon = daemonOf(server);
    const handle = await agent.create(shell(`${daemon.line}; exec sleep 100000`));
    const pid = await daemon.pid();
    await handle[how]();
    assert.ok(!alive(pid));
    if (how === 'kill') await handle.release();
  }, { only: (release) => release === RELEASES[0], ends: true });
}

agentScenario('a daemon lives on when the program that started it has ended, until that is released', async (agent, { server }) => {
  const [daemon, other] = [daemonOf(server), daemonOf(server, 'other')];
  const [handle, beside] = await Promise.all([agent.create(shell(daemon.line)), agent.create(shell(other.line))]);
  for (const each of [handle, beside]) assert.equal((await each.waitForExit()).exitCode, 0);
  const [pid, neighbour] = [await daemon.pid(), await other.pid()];
  assert.ok(alive(pid));
  await handle.release();
  assert.ok(!alive(pid));
  assert.ok(alive(neighbour), 'it was started in another terminal');
  await beside.release();
  assert.ok(!alive(neighbour));
}, { only: (release) => release === RELEASES[0], ends: true });

agentScenario('a terminal that a tool call shows stays for people after its release, another does not', async (agent, { stage, server }) => {
  const [shown, other] = await Promise.all([agent.create(shell('echo for people')), agent.create(shell('echo for nobody'))]);
  await Promise.all([shown.waitForExit(), other.waitForExit()]);
  const content = [{ type: 'terminal', terminalId: shown.id }];
  await agent.update({ sessionUpdate: 'tool_call', toolCallId: 'call', title: 'a command', kind: 'execute', status: 'in_progress', content });
  await Promise.all([shown.release(), other.release()]);
  await assert.rejects(shown.currentOutput(), isUnknown);
  const people = await stage.client(server);
  const threadId = `acp/${agent.sessionId}`;
  const { terminals } = await people.call('terminal.list', { threadId });
  assert.deepEqual(terminals.map(({ terminalId }) => terminalId), [shown.id]);
  const { text } = await people.call('terminal.snapshot', { threadId, terminalId: shown.id, format: 'plain' });
  assert.equal(text, 'for people');
});

agentScenario('people watch what an agent runs, and cannot type into it', async (agent, { stage, server }) => {
  const handle = await agent.create({ ...shell(`echo begun; ${UNTIL_GO}; echo ended`), cwd: server.home });
  const key = { threadId: `acp/${agent.sessionId}`, terminalId: handle.id };
  const people = await stage.client(server);
  const { history } = await people.open({ ...key, attach: true });
  if (!history.includes('begun')) await people.seen(key, 'begun');
  const { error } = await people.reply('terminal.write', { ...key, data: 'x' });
  assert.equal(error?.code, 'denied');
  const { terminals } = await people.call('terminal.list', { threadId: key.threadId });
  assert.equal(terminals[0].takesInput, false);
  assert.match(terminals[0].commandLine, /^sh -c /);
  go(server);
  await people.seen(key, 'ended');
  await people.event(key, 'exited');
  await handle.release();
});

// --- beside the protocol

const INPUT = { _meta: { ptyd: { input: true } } };
const bytesOf = (chunk) => Buffer.from(chunk, 'base64');

agentScenario('what there is beside the protocol is said from the first', async ({ asked }) => {
  const { methods, notifications } = asked.initialize.clientCapabilities._meta.ptyd;
  assert.ok(methods.includes('_ptyd/terminal/input') && methods.includes('_ptyd/terminal/subscribe'));
  assert.deepEqual(notifications, ['_ptyd/terminal/output', '_ptyd/terminal/update']);
}, { only: ({ cancels }) => cancels });

agentScenario('an agent answers its program, changes its size and looks at its screen', async (agent) => {
  const handle = await agent.create({ ...shell("read x; echo \"<$x>\"; stty size; printf 'caret'; read x"), ...INPUT });
  const terminalId = handle.id;
  await agent.ours('resize', { terminalId, cols: 91, rows: 31 });
  await agent.ours('input', { terminalId, data: 'yes\r' });
  const screen = await eventually(async () => {
    const now = await agent.ours('screen', { terminalId });
    return now.text.includes('caret') && now;
  }, 'the screen');
  assert.match(screen.text, /<yes>\n31 91\ncaret/);
  assert.deepEqual([screen.cols, screen.rows, screen.alternate], [91, 31, false]);
  assert.equal(screen.caret.column, 5);
  await handle.release();
  await assert.rejects(agent.ours('input', { terminalId, data: 'x' }), isUnknown);
});

agentScenario('an agent interrupts what runs, and is refused signals that there are not', async (agent) => {
  const handle = await agent.create(shell('echo ready; exec sleep 100000'));
  const terminalId = handle.id;
  await eventually(async () => (await handle.currentOutput()).output === 'ready\n', 'the first line');
  await assert.rejects(agent.ours('signal', { terminalId, signal: 'SIGSEGV' }), (error) => error.code === -32602);
  await agent.ours('signal', { terminalId, signal: 'SIGINT' });
  assert.deepEqual(await handle.waitForExit(), { exitCode: null, signal: 'SIGINT' });
  await assert.rejects(agent.ours('signal', { terminalId, signal: 'SIGINT' }), (error) => error.code === -32011);
  await handle.release();
});

agentScenario('an agent hears its program byte by byte until the exit', async (agent, { server }) => {
  const handle = await agent.create({ ...shell(`printf 'a\\377'; ${UNTIL_GO}; printf '\\033[1mb'; exit 3`), cwd: server.home });
  const terminalId = handle.id;
  await eventually(async () => (await handle.currentOutput()).output.startsWith('a'), 'the first bytes');
  const { output } = await agent.ours('subscribe', { terminalId });
  assert.equal(bytesOf(output.data).toString(), 'a\uFFFD');
  go(server);
  await eventually(() => agent.told.some(({ exitStatus }) => exitStatus), 'the exit');
  const heard = Buffer.concat(agent.told.filter(({ data }) => data).map(({ data }) => bytesOf(data)));
  assert.equal(heard.toString('latin1'), '\x1b[1mb');
  assert.deepEqual(agent.told.at(-1), { sessionId: agent.sessionId, terminalId, exitStatus: { exitCode: 3, signal: null } });
  await handle.release();
});

/** Bytes: more than is kept for a client, and printed long before one that takes nothing is given up for its missing pongs. */
const FLOOD = 4_000_000;

agentScenario('who does not keep up with a flood is told how much was skipped, and nothing grows', async (agent, { server }) => {
  const handle = await agent.create({ ...shell(`${UNTIL_GO}; yes 0123456789abcdef | head -c ${FLOOD}; echo; echo the end`), cwd: server.home });
  await agent.ours('subscribe', { terminalId: handle.id });
  agent.socket.ws.pause();
  go(server);
  await eventually(() => childrenOf(server.pid).length === 0, 'the program to end');
  agent.socket.ws.resume();
  await eventually(() => agent.told.some(({ exitStatus }) => exitStatus), 'the exit');
  const heard = Buffer.concat(agent.told.filter(({ data }) => data).map(({ data }) => bytesOf(data))).toString();
  assert.match(heard, /the end/);
  assert.match(heard, /skipped/);
  assert.ok(heard.length < FLOOD / 2, `${heard.length} bytes`);
  await handle.release();
}, { only: (release) => release === RELEASES[0] });

// --- the end of a connection

for (const ends of ['close', 'cut']) {
  scenario(`an agent whose connection is lost (${ends}) leaves no process once the linger is over`, async (stage) => {
    const server = await stage.server({ args: ['--agent-linger', '0.1'] });
    const agent = await agentOf(stage, server, RELEASES[0]);
    const daemon = daemonOf(server);
    const handle = await agent.create(shell(`trap '' HUP TERM; ${daemon.line}; setsid sleep 100000 & echo pid $!; sleep 100000 & echo pid $!; echo pid $$; wait`));
    const processes = [...(await processesOf(handle, 3)), await daemon.pid()];
    const exit = handle.waitForExit();
    await Promise.all([assert.rejects(exit), agent.socket[ends]()]);
    for (const pid of processes) await gone(pid);
    const people = await stage.client(server);
    const ofAgent = () => people.call('terminal.list', { threadId: `acp/${agent.sessionId}` });
    await eventually(async () => (await ofAgent()).terminals.length === 0, 'the terminal to be released');
  });
}

scenario('an agent that comes back in time finds its terminals, and another name finds nothing', async (stage) => {
  const server = await stage.server({ args: ['--agent-linger', '3600'] });
  const first = await agentOf(stage, server, RELEASES[0]);
  const { id: terminalId } = await first.create({ ...shell(`${UNTIL_GO}; exit 6`), cwd: server.home });
  await first.socket.cut();
  const again = await agentOf(stage, server, RELEASES[0], first.sessionId);
  const stranger = await agentOf(stage, server, RELEASES[0]);
  await assert.rejects(stranger.request('terminal/output', { terminalId }), isUnknown);
  const exit = again.request('terminal/wait_for_exit', { terminalId });
  go(server);
  assert.equal((await exit).exitCode, 6);
  await again.request('terminal/release', { terminalId });
});

// --- nothing is left

/** With TSan each start of a process copies its shadow memory, 55 ms; what is left behind, ASan's 1000 show. */
const CYCLES = withTsan ? 200 : 1000;

scenario(`security 26: ${CYCLES} terminals of an agent leave no process, no descriptor and no file`, async (stage) => {
  const server = await stage.server();
  const agent = await agentOf(stage, server, RELEASES[0]);
  const one = async (n) => {
    const handle = await agent.create(n % 2 ? { command: 'true' } : { command: 'sleep', args: ['100000'] });
    if (n % 2) await handle.waitForExit();
    await handle.release();
  };
  await one(0);
  await one(1);
  const files = () => fs.readdirSync(server.stateDir, { recursive: true }).length;
  const before = { descriptors: descriptors(server.pid).length, files: files() };
  for (let n = 0; n < CYCLES; n += 8) await Promise.all(Array.from({ length: 8 }, (_, k) => one(n + k)));
  await eventually(() => childrenOf(server.pid).length === 0, 'every child to be reaped');
  await eventually(() => descriptors(server.pid).length <= before.descriptors + 8, 'the descriptors to be closed');
  await eventually(() => files() <= before.files, 'the files to be gone');
  const people = await stage.client(server);
  assert.deepEqual((await people.call('terminal.list', {})).terminals, []);
}, { timeout: 4 * SCENARIO_MS });
