// Lines 17 to 26 of the security checklist: what a child gets, and what becomes of it.
// Release too: signals, and what descends from a child.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { daemonOf } from './support/daemon.mjs';
import { DEADLINE_MS, SCENARIO_MS, within } from './support/deadline.mjs';
import { alive, childrenOf, commandLine, descriptors, environ, eventually, gone, holdsOnly, measuresMemory, treeOf } from './support/process.mjs';
import { doctor } from './support/server.mjs';
import { scenario } from './support/stage.mjs';

scenario('security 17: a child holds only its terminal, however much the server holds', async (stage) => {
  const server = await stage.server();
  const clients = await Promise.all(Array.from({ length: 200 }, () => stage.client(server)));
  await Promise.all(clients.map((client) => client.open()));
  const { pid, key } = await clients[0].open();
  // A shell opens descriptors of its own between commands; what it inherited, it passes on to the program that replaces it.
  await clients[0].write(key, 'exec cat\r');
  await eventually(() => commandLine(pid)[0] === 'cat', 'the shell to be replaced');
  await holdsOnly(pid, ['0', '1', '2']);
  for (const fd of ['0', '1', '2']) assert.match(fs.readlinkSync(`/proc/${pid}/fd/${fd}`), /^\/dev\/pts\//);
});

scenario('security 17: every descriptor of the server closes on exec', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  await client.open();
  const inherited = new Set(descriptors(process.pid).map((fd) => readLink(`/proc/self/fd/${fd}`)));
  for (const fd of descriptors(server.pid).filter((name) => Number(name) > 2)) {
    let flags;
    try {
      flags = fs.readFileSync(`/proc/${server.pid}/fdinfo/${fd}`, 'utf8').match(/flags:\s+(\d+)/)[1];
    } catch {
      continue;
    }
    const what = readLink(`/proc/${server.pid}/fd/${fd}`);
    if (what === null || inherited.has(what)) continue;
    // Asio's sockets are not; children close everything instead (close_range), which the test above shows.
    if (/socket:/.test(what)) continue;
    assert.ok(parseInt(flags, 8) & 0o2000000, `${fd} -> ${what}`);
  }
});

function readLink(file) {
  try {
    return fs.readlinkSync(file);
  } catch {
    return null;
  }
}

scenario('security 18: no secret and nothing of the loader reaches a child', async (stage) => {
  const server = await stage.server({
    env: {
      PTYD_SECRET: 's', NOTIFY_SOCKET: '/x', LISTEN_FDS: '1', LISTEN_PID: '1', LISTEN_FDNAMES: 'x', LD_LIBRARY_PATH: '/nowhere', PORT: '1',
      VITE_X: '1', T3CODE_X: '1', ELECTRON_RUN_AS_NODE: '1', TERM_PROGRAM: 'inherited', KITTY_PID: '1', KEPT: 'kept',
    },
  });
  const client = await stage.client(server);
  const { pid } = await client.open({ env: { DECLARED: 'yes' } });
  // Of a program that has begun a moment ago the kernel does not say it yet.
  const env = await eventually(() => environ(pid).DECLARED && environ(pid), 'the environment to be seen');
  const leaked = Object.keys(env).filter((name) => /^(PTYD_|LD_|NOTIFY_SOCKET|LISTEN_|PORT$|VITE_|T3CODE_|ELECTRON_RUN|KITTY_)/.test(name));
  assert.deepEqual(leaked, []);
  assert.notEqual(env.TERM_PROGRAM, 'inherited');
  assert.equal(env.KEPT, 'kept');
  assert.equal(env.DECLARED, 'yes');
  assert.equal(env.TERM, 'xterm-256color');
  assert.equal(env.COLORTERM, 'truecolor');
  assert.ok(!JSON.stringify(env).includes(server.token));
});

const environments = [
  ['a key with an equals sign', { 'A=B': 'x' }], ['an empty key', { '': 'x' }], ['a key that begins with a digit', { '1A': 'x' }],
  ['a key of 129 characters', { ['K'.repeat(129)]: 'x' }], ['a value of 8193 characters', { A: 'x'.repeat(8193) }],
  ['129 entries', Object.fromEntries(Array.from({ length: 129 }, (_, n) => [`K${n}`, 'x']))],
  ['a NUL in a value', { A: 'x\0y' }], ['a number as value', { A: 1 }],
];
for (const [name, env] of environments) {
  scenario(`security 18: an environment with ${name} is refused`, async (stage) => {
    const client = await stage.client(await stage.server());
    const { error } = await client.reply('terminal.open', { threadId: 't', cwd: '/', env });
    assert.match(error?.message ?? '', /Invalid request format: .*env/s);
  });
}

scenario('security 18: an environment at every limit is taken', async (stage) => {
  const client = await stage.client(await stage.server());
  const env = Object.fromEntries(Array.from({ length: 127 }, (_, n) => [`K${n}`, 'x']));
  env['K'.repeat(128)] = 'y'.repeat(8192);
  const { key } = await client.open({ env });
  assert.equal(await client.capture(key, `printf %s $${'K'.repeat(128)} | wc -c; env | grep -c '^K[0-9]*=x'`), '8192\n127');
});

scenario('security 19: no secret is on any command line', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { pid } = await client.open({ env: { API_KEY: 'hidden-value' } });
  for (const each of [server.pid, pid, ...childrenOf(server.pid)]) {
    const line = await eventually(() => commandLine(each).join(' '), 'the command line to be seen');
    assert.ok(!line.includes(server.token) && !line.includes('hidden-value'), line);
  }
});

scenario('security 20: a working folder is resolved before anything starts', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const broken = path.join(server.home, 'broken');
  fs.symlinkSync('/no/such/place', broken);
  for (const cwd of [broken, '/proc/self/no-such', '/etc/hostname/x', '   ', '']) {
    assert.ok((await client.reply('terminal.open', { threadId: 't', cwd })).error, JSON.stringify(cwd));
  }
  assert.deepEqual(childrenOf(server.pid), []);
});

/** Starts the server with a umask, and with signals ignored and blocked, as whoever starts services may do. */
const STRANGELY = `import os, signal, sys
os.umask(int(sys.argv[1], 8))
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE, signal.SIGCHLD, signal.SIGTSTP, signal.SIGUSR1):
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGWINCH, signal.SIGUSR2, signal.SIGALRM})
os.execvp(sys.argv[2], sys.argv[2:])`;

for (const umask of ['077', '002']) {
  scenario(`security 21: a child has default signals, none blocked, and the umask that the server was given: ${umask}`, async (stage) => {
    const server = await stage.server({ shell: '/bin/sh', wrapper: ['python3', '-c', STRANGELY, umask] });
    const client = await stage.client(server);
    const { key } = await client.open();
    const text = await client.capture(key, "exec 2>&1; sh -c 'exec grep -E ^Sig /proc/self/status'; umask");
    assert.match(text, /SigBlk:\s+0{16}/);
    assert.match(text, /SigIgn:\s+0{16}/);
    assert.match(text, new RegExp(`^0?${umask}$`, 'm'));
  });
}

scenario('security 22: a child leads its own session on its own terminal; the server has none', async (stage) => {
  const server = await stage.server({ wrapper: ['setsid'] });
  const client = await stage.client(server);
  const { pid } = await client.open();
  const stat = (id) => fs.readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [, , , session, terminal] = stat(pid);
  assert.equal(Number(session), pid);
  assert.notEqual(Number(terminal), 0);
  assert.equal(Number(stat(server.pid)[4]), 0, 'the server took a terminal');
});

/**
 * Gives the server a terminal of its own, which nobody types into and which is kept, and takes away root's right to type
 * into everybody's.
 */
const ON_A_TERMINAL = `import fcntl, os, pty, sys, termios
command = sys.argv[1:]
if os.getuid() == 0:
    command = ["setpriv", "--bounding-set", "-sys_admin"] + command
keeper, terminal = pty.openpty()
os.set_inheritable(keeper, True)
os.setsid()
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
os.dup2(terminal, 0)
os.execvp(command[0], command)`;
/** Tries to type into each of the terminals it is told, and says how that went. */
const TYPES = `import fcntl, os, sys, termios
for path in sys.argv[1:]:
    try:
        fcntl.ioctl(os.open(path, os.O_RDWR | os.O_NOCTTY), termios.TIOCSTI, b"x")
        print("typed")
    except OSError as error:
        print("refused")
`;
const WAITING = 'import array, fcntl, os, sys, termios; n = array.array("i", [0]); ' +
  'fcntl.ioctl(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), termios.FIONREAD, n); print(n[0])';

scenario("security 23: a program types nothing into the server's terminal", async (stage) => {
  const server = await stage.server({ shell: '/bin/sh', wrapper: ['python3', '-c', ON_A_TERMINAL] });
  const terminal = fs.readlinkSync(`/proc/${server.pid}/fd/0`);
  assert.match(terminal, /^\/dev\/pts\//);
  const script = path.join(server.home, 'types.py');
  fs.writeFileSync(script, TYPES);
  const client = await stage.client(server);
  const { key } = await client.open();
  assert.equal(await client.capture(key, `python3 ${script} ${terminal}`), 'refused');
  const waiting = spawnSync('python3', ['-c', WAITING, terminal], { encoding: 'utf8', timeout: DEADLINE_MS });
  assert.equal(waiting.stdout.trim(), '0', waiting.stderr);
});

scenario('security 23: doctor says whether programs may type into a terminal they share', async () => {
  const { report } = doctor('/tmp/ptyd-none/state');
  const file = '/proc/sys/dev/tty/legacy_tiocsti';
  const setting = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : 'none';
  const sentences = { 0: /^ok +TIOCSTI +programs cannot/m, 1: /^note +TIOCSTI +is allowed/m, none: /^note +TIOCSTI +this kernel always/m };
  assert.match(report, sentences[setting]);
});

scenario('security 24: names and values arrive byte for byte, no shell looks at them', async (stage) => {
  const server = await stage.server();
  const odd = 'a b"c\'d;e`f$g\\h*i\tj';
  const folder = path.join(server.home, odd);
  fs.mkdirSync(folder);
  const client = await stage.client(server);
  const { pid } = await client.open({ cwd: folder, env: { ODD: `${odd}\nline two` }, threadId: odd, terminalId: odd });
  assert.equal(fs.readlinkSync(`/proc/${pid}/cwd`), folder);
  // The kernel closes our pipe before it says where the new program's variables are.
  assert.equal(await eventually(() => environ(pid).ODD, 'the variables to be seen'), `${odd}\nline two`);
});

scenario('security 25: close ends the whole tree, background jobs and those that changed session too', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open();
  const script = 'sh -c "trap \\"\\" HUP TERM; while :; do sleep 0.02; done" & sh -c "setsid tail -f /dev/null; true" & nohup tail -f /dev/null >/dev/null 2>&1 & ';
  await client.capture(key, `${script} true`);
  const before = new Set(treeOf(server.pid));
  assert.ok(before.size >= 2, 'the shell and its jobs run');
  await client.call('terminal.close', key);
  for (const pid of before) await gone(pid);
});

scenario('security 25: close ends daemons too, and those of no other terminal', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const [running, ended, other] = [await client.open(), await client.open(), await client.open()];
  const daemons = ['running', 'ended', 'other'].map((name) => daemonOf(server, name));
  for (const [n, { key }] of [running, ended, other].entries()) await client.write(key, `${daemons[n].line}\r`);
  const [first, second, third] = [await daemons[0].pid(), await daemons[1].pid(), await daemons[2].pid()];
  await client.write(ended.key, 'exit\r');
  await client.event(ended.key, 'exited');
  assert.ok(alive(second), 'it outlives its shell');
  for (const { key } of [running, ended]) await client.call('terminal.close', key);
  for (const pid of [first, second]) await gone(pid);
  assert.ok(alive(third));
  await server.stop();
  await gone(third); // the end of the server is the end of its terminals
});

scenario('security 25: doctor says how daemons are found', async () => {
  const { report } = doctor('/tmp/ptyd-none/state');
  assert.match(report, /^ok +orphans +subreaper: /m);
});

/** With sanitizers a session takes ten times as long, and leaves the same behind. */
const SHORT_SESSIONS = measuresMemory ? 10_000 : 1_000;

scenario(`security 26: ${SHORT_SESSIONS} short sessions leave no zombie and no descriptor`, async (stage) => {
  const server = await stage.server({ shell: '/bin/true' });
  const client = await stage.client(server);
  await client.call('terminal.close', (await client.open()).key);
  const before = descriptors(server.pid).length;
  const one = async () => {
    const { key } = await client.open();
    await client.event(key, 'exited', { from: Math.max(0, client.events.all.length - 200) });
    await client.call('terminal.close', { ...key, deleteHistory: true });
  };
  for (let n = 0; n < SHORT_SESSIONS; n += 8) await Promise.all(Array.from({ length: 8 }, one));
  await eventually(() => childrenOf(server.pid).length === 0, 'every child to be reaped');
  await eventually(() => descriptors(server.pid).length <= before + 8, 'the descriptors to be closed');
}, { timeout: 4 * SCENARIO_MS });

scenario('security 26: what the server adopts leaves no zombie', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { pid, key } = await client.open();
  await client.capture(key, "for i in 1 2 3 4 5; do (sh -c 'exit 0' &); (setsid sh -c 'exit 0' &); done");
  await eventually(() => childrenOf(server.pid).join() === String(pid), 'orphans to be collected');
});

/** Runs a program as PID 1 of a namespace of its own; who may not make one gets a namespace of users to make it in. */
const AS_PID_1 = ['unshare', ...(process.getuid() === 0 ? [] : ['--user', '--map-root-user']),
  '--fork', '--pid', '--mount-proc', '--propagation', 'unchanged', '--kill-child'];

/** Runs a program on a terminal of its own, and types Ctrl-C there when it is told to by a line. */
const TYPED_AT = `import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
sys.stdin.readline()
os.write(terminal, b"\\x03")
try:
    while os.read(terminal, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;

scenario('Ctrl-C in a container ends the server in good order', async (stage) => {
  const fifo = path.join(fs.mkdtempSync('/tmp/ptyd-typed-'), 'fifo');
  spawnSync('mkfifo', [fifo]);
  const typed = ['/bin/sh', '-c', 'exec python3 -c "$0" "$@" <>"$FIFO"', TYPED_AT];
  const server = await stage.server({ wrapper: [...typed, ...AS_PID_1], env: { FIFO: fifo } });
  const client = await stage.client(server);
  await client.open();
  fs.writeFileSync(fifo, 'now\n');
  assert.equal((await within(client.socket.closed, 'the goodbye')).code, 1001);
  assert.equal(await server.exit(), 0);
  assert.ok(!fs.existsSync(server.readyFile));
  fs.rmSync(path.dirname(fifo), { recursive: true });
});

scenario('security 26: as PID 1 the server reaps what it adopts', async (stage) => {
  const tried = spawnSync(AS_PID_1[0], [...AS_PID_1.slice(1), 'true'], { encoding: 'utf8', timeout: DEADLINE_MS });
  assert.equal(tried.status, 0, `this machine lets us make no PID namespace with a /proc of its own: ${tried.stderr ?? tried.error}`);
  const server = await stage.server({ wrapper: AS_PID_1 });
  server.signalled = (wrapper) => childrenOf(wrapper)[0];
  const client = await stage.client(server);
  const { key } = await client.open();
  const orphans = "for i in 1 2 3 4 5; do (sh -c 'exit 0' &); (setsid sh -c 'exit 0' &); done";
  await client.capture(key, orphans);
  const zombies = "ps -eo stat= | grep -c '^Z'";
  await eventually(async () => (await client.capture(key, zombies)) === '0', 'no zombie to be left');
});
