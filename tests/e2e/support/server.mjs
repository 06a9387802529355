// The real binary: own port, own state folder, own home, its log kept; ended with the test that started it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Arrivals, within } from './deadline.mjs';
import { killTree } from './process.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const BINARY = path.resolve(process.env.PTYD_BIN ?? path.join(root, 'build/release/ptyd'));
export const WEB_DIST = path.join(root, 'web/dist');
/** No test depends on whether the real page is built, unless it says so. */
const PAGE = path.join(root, 'tests/e2e/support/page');

const SANITIZER = /ERROR: (Address|Leak|Thread)Sanitizer|WARNING: ThreadSanitizer|runtime error:/;
const running = new Set();
function endAll() {
  for (const server of running) {
    try {
      server.cleanUp();
    } catch {
      // A shell may have written to its folder up to its last moment: then that stays.
    }
  }
}
process.on('exit', endAll);
// The signal to a file that takes too long; it still dies of it.
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, () => [endAll(), process.kill(process.pid, name)]);

/** The environment of a server under test: no secrets and no settings of whoever runs the tests, but the suite it belongs to. */
function environment(home, extra) {
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|LANG|LC_|(A|L|T|UB)SAN_|PTYD_SUITE$)/.test(name)));
  return { ...kept, HOME: home, USER: os.userInfo().username, SHELL: '/bin/bash', ...extra };
}

/** Output of a command of `ptyd` on a state folder and further options, and its exit code. */
function ask(command, stateDir, ...args) {
  const run = spawnSync(BINARY, [command, '--state-dir', stateDir, ...args], { env: environment(path.dirname(stateDir)), encoding: 'utf8' });
  return { code: run.status, report: run.stdout, errors: run.stderr };
}
export const doctor = (...of) => ask('doctor', ...of);
export const health = (...of) => ask('health', ...of);

/** `ptyd drain` for a state folder, under way: `ended` gives its exit code and all it printed; `lines` comes as it prints. */
export function drain(stateDir, ...args) {
  const child = spawn(BINARY, ['drain', '--state-dir', stateDir, ...args], { env: environment(path.dirname(stateDir)), stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = new Arrivals();
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text;
      for (const line of text.split('\n').filter(Boolean)) lines.add(line);
    });
  const ended = once(child, 'close').then(([code]) => {
    lines.end(new Error(`ptyd drain has ended (${code})`));
    return { code, printed };
  });
  return { lines, ended: within(ended, 'ptyd drain to end') };
}

const VIEW_TOKEN = 'a-token-for-looking-on-only';

export class Server {
  #child;
  #log = '';
  #exit;
  lines = new Arrivals();

  /**
   * options: args (after those below), env, shell, auth, listen, stateDir, folder (kept by the caller), threads,
   * wrapper (command before the binary), looksOn (there is a second token, see `viewerBearer`).
   */
  static async start(options = {}) {
    const server = new Server(options);
    await server.#ready().catch((error) => {
      server.cleanUp();
      throw error;
    });
    return server;
  }

  /** For a start that is meant to fail: the exit code and everything printed. */
  static async fails(options = {}) {
    const server = new Server(options);
    try {
      return { code: await server.exit(), log: server.log };
    } catch (error) {
      error.message += `\n${server.log}`;
      throw error;
    } finally {
      server.cleanUp();
    }
  }

  constructor(options) {
    this.folder = options.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'ptyd-e2e-'));
    this.ownsFolder = !options.folder;
    this.home = path.join(this.folder, 'home');
    this.stateDir = options.stateDir ?? path.join(this.folder, 'state');
    this.readyFile = path.join(this.folder, 'ready.json');
    fs.mkdirSync(this.home, { recursive: true });
    fs.rmSync(this.readyFile, { force: true });
    this.command = this.#commandLine(options);
    const [program, ...args] = this.command;
    this.#child = spawn(program, args, { cwd: this.home, env: environment(this.home, options.env), stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(this);
    this.#exit = once(this.#child, 'close').then(([code, signal]) => {
      running.delete(this);
      this.lines.end(new Error(`the server has ended (${signal ?? code})`));
      return signal ?? code;
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) this.#keep(stream);
  }

  #commandLine({ args = [], shell = '/bin/bash', auth = 'token', listen = '127.0.0.1:0', threads, wrapper = [], looksOn = false }) {
    const count = threads ?? process.env.PTYD_THREADS;
    const viewTokenFile = path.join(this.folder, 'view-token');
    if (looksOn) fs.writeFileSync(viewTokenFile, VIEW_TOKEN + '\n', { mode: 0o600 });
    return [
      ...wrapper, BINARY, 'serve', '--listen', listen, '--state-dir', this.stateDir, '--ready-file', this.readyFile,
      '--auth', auth, '--shell', shell, ...(count ? ['--threads', String(count)] : []),
      ...(looksOn ? ['--view-token-file', viewTokenFile] : []), ...(args.includes('--web-dir') ? [] : ['--web-dir', PAGE]), ...args,
    ];
  }

  #keep(stream) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text) => {
      this.#log += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.lines.add(line);
    });
  }

  /** The ready file is put in its place at once when the server accepts. */
  async #ready() {
    let watcher;
    const appeared = new Promise((resolve) => {
      const look = () => fs.existsSync(this.readyFile) && resolve();
      watcher = fs.watch(this.folder, look);
      look();
    });
    const died = this.#exit.then((code) => {
      throw new Error(`the server ended with ${code} before it was ready\n${this.log}`);
    });
    try {
      await within(Promise.race([appeared, died]), 'the server to be ready');
    } finally {
      watcher.close();
      died.catch(() => {});
    }
    Object.assign(this, { ready: JSON.parse(fs.readFileSync(this.readyFile, 'utf8')) });
  }

  get log() {
    return this.#log;
  }
  get pid() {
    return this.ready.pid;
  }
  get port() {
    return this.ready.port;
  }
  get token() {
    return this.ready.token;
  }
  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }
  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Headers of a client that is no browser. */
  get bearer() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** The same of one who may only look on. */
  get viewerBearer() {
    return { Authorization: `Bearer ${VIEW_TOKEN}` };
  }

  fetch(target, options = {}) {
    return fetch(this.origin + target, { redirect: 'manual', ...options, headers: { ...this.bearer, ...options.headers } });
  }

  /** A wrapper that does not become the server keeps signals to itself: `signalled` then tells the process that is meant. */
  signal(name) {
    if (this.signalled) process.kill(this.signalled(this.#child.pid), name);
    else this.#child.kill(name);
  }

  /** Exit code, or the name of the signal it died of. */
  exit() {
    return within(this.#exit, 'the server to end');
  }

  /** Stops in good order. Throws when it did not, or when a sanitizer had something to say. */
  async stop() {
    if (this.alive) this.signal('SIGTERM');
    const code = await this.exit();
    if (code !== 0) throw new Error(`the server ended with ${code}`);
    this.complain();
  }

  async kill() {
    this.signal('SIGKILL');
    await this.exit();
  }

  complain() {
    if (SANITIZER.test(this.log)) throw new Error('a sanitizer reported: ' + this.log.match(SANITIZER)[0]);
  }

  cleanUp() {
    if (this.alive) killTree(this.#child.pid);
    if (this.ownsFolder) fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
