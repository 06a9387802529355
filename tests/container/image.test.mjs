// The image of Dockerfile, run by podman and runc: what `docker run` gives a user.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Arrivals, DEADLINE_MS, LONG_MS, SCENARIO_MS } from '../e2e/support/deadline.mjs';
import { EnvelopeClient } from '../e2e/support/envelope.mjs';
import '../e2e/support/leave.mjs';
import { eventually } from '../e2e/support/process.mjs';

const PODMAN = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../scripts/support/podman');
const IMAGE = 'localhost/ptyd-test';
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096', '--pids-limit', '200', '--memory', '256m'];
let count = 0;

/** Containers that run, to be removed with this process, also when it is told to end. */
const running = new Set();
process.on('exit', () => running.forEach((container) => container.remove()));
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(name, () => process.exit(1));

/** Podman's answer to it. No timer of ours runs meanwhile, so that it has a limit of its own. */
const ask = (...args) => spawnSync(PODMAN, args, { encoding: 'utf8', timeout: LONG_MS });

function podman(...args) {
  const { status, stdout, stderr, error } = ask(...args);
  if (status !== 0) throw new Error(`podman ${args.join(' ')}: ${error?.message ?? status}\n${stdout}${stderr}`);
  return stdout.trim();
}

/** On a port of this machine that is free. */
const HERE = { network: 'host', words: ['serve', '--listen', '0.0.0.0:0', '--ready-file', '/tmp/ready.json'] };

/** A running container whose server has said where it is. */
class Container {
  lines = new Arrivals();
  log = '';

  /** `options` of podman, and the `words` behind the image. */
  static async run(options = [], { network, words } = HERE) {
    const container = new Container();
    container.name = `ptyd-test-${process.pid}-${++count}`;
    container.process = spawn(PODMAN, ['run', '--name', container.name, '--network', network, ...LIMITS, ...options, IMAGE, ...words]);
    container.ended = new Promise((resolve) => container.process.on('close', resolve));
    running.add(container);
    for (const stream of [container.process.stdout, container.process.stderr]) stream.setEncoding('utf8').on('data', (text) => container.#heard(text));
    container.ended.then((code) => container.lines.end(new Error(`the container ended with ${code}\n${container.log}`)));
    await container.#ready(words.includes('--ready-file')).catch((error) => {
      container.remove();
      throw error;
    });
    return container;
  }

  /** Storage without layers copies the image for each container: that alone can take a while. */
  async #ready(tells) {
    await this.lines.until(() => /^https?:\S+\//m.test(this.log), 'the address', SCENARIO_MS);
    if (!tells) return;
    const text = await eventually(() => ask('exec', this.name, 'cat', '/tmp/ready.json').stdout, 'the ready file');
    ({ port: this.port, token: this.token } = JSON.parse(text));
  }

  #heard(text) {
    this.log += text;
    this.lines.add(text);
  }

  client() {
    return EnvelopeClient.connect(`ws://127.0.0.1:${this.port}/ws`, { headers: { Authorization: `Bearer ${this.token}` } });
  }

  exec(...command) {
    return podman('exec', this.name, ...command);
  }

  async stop() {
    podman('stop', '--time', String(DEADLINE_MS / 1000), this.name);
    return this.ended;
  }

  remove() {
    running.delete(this);
    ask('rm', '--force', '--time', '0', this.name);
  }
}

function withContainer(name, options, body, how = HERE) {
  test(name, { timeout: 3 * SCENARIO_MS }, async () => {
    const container = await Container.run(options, how);
    try {
      await body(container);
    } catch (error) {
      error.message += `\n--- log of the container\n${container.log}`;
      throw error;
    } finally {
      container.remove();
    }
  });
}

withContainer('a shell runs in it, as an ordinary user, in UTF-8', [], async (container) => {
  const client = await container.client();
  const { key } = await client.open({ cwd: '/home/ptyd' });
  assert.equal(await client.capture(key, 'id -un; locale charmap; echo $SHELL; pwd'), 'ptyd\nUTF-8\n/bin/bash\n/home/ptyd');
  await client.close();
});

/** Bash's question for /healthz at the port that the image exposes, at an address of this machine that is not 127.0.0.1. */
const ASKS_FROM_OUTSIDE = `exec 3<>/dev/tcp/127.0.0.2/7681 && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3`;

// A network of its own has this port free; nobody else is in it, and a server on 127.0.0.1 alone would refuse 127.0.0.2.
for (const [name, words] of [['no argument', []], ['one option of serve', ['serve', '--public-url', 'https://example.org/terminal/']]])
  withContainer(`with ${name} it is reached from outside, and its token is in the volume`, [], async (container) => {
    assert.match(container.exec('bash', '-c', ASKS_FROM_OUTSIDE), /^HTTP\/1\.. 200 /);
    assert.match(container.exec('cat', '/var/lib/ptyd/token'), /^\S{22,}$/);
  }, { network: 'none', words });

withContainer('the page is in it', [], async (container) => {
  const answer = await fetch(`http://127.0.0.1:${container.port}/`);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<title>/);
});

withContainer('the server is PID 1 and reaps orphans', [], async (container) => {
  assert.match(container.exec('cat', '/proc/1/comm'), /^ptyd/);
  const client = await container.client();
  const { key } = await client.open();
  await client.capture(key, "for i in 1 2 3 4 5 6 7 8; do (setsid sh -c 'exit 0' &); done");
  const zombies = "cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z '";
  await eventually(async () => (await client.capture(key, zombies)) === '0', 'no zombie to be left');
  await client.close();
});

test('its health check belongs to the image and holds', { timeout: 3 * SCENARIO_MS }, async () => {
  const declared = JSON.parse(podman('inspect', '--type', 'image', IMAGE))[0];
  const health = (declared.HealthCheck ?? declared.Healthcheck ?? declared.Config.Healthcheck).Test;
  assert.equal(health[0], 'CMD');
  assert.equal(declared.Config.User, 'ptyd');
  assert.equal(declared.Config.StopSignal, 'SIGTERM');
  const container = await Container.run();
  try {
    const check = health.slice(1);
    assert.match(container.exec(...check), /"status":"ok"/);
    assert.throws(() => container.exec('env', 'PTYD_STATE_DIR=/tmp', ...check), /no server uses it/);
  } finally {
    container.remove();
  }
});

withContainer('it runs without any right, on a read-only system', ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  async (container) => {
    const client = await container.client();
    const { key } = await client.open();
    assert.equal(await client.capture(key, 'grep CapEff /proc/self/status | tr -d "\\t"; touch /x 2>&1 | grep -o "Read-only"'), 'CapEff:0000000000000000\nRead-only');
    await client.close();
  });

test('stop ends it in good order, and the token outlives it in its volume', { timeout: 3 * SCENARIO_MS }, async () => {
  const volume = `ptyd-test-${process.pid}`;
  try {
    const first = await Container.run(['--volume', `${volume}:/var/lib/ptyd`]);
    const client = await first.client();
    await client.open();
    assert.equal(await first.stop(), 0, first.log);
    first.remove();
    const second = await Container.run(['--volume', `${volume}:/var/lib/ptyd`]);
    assert.equal(second.token, first.token);
    second.remove();
  } finally {
    ask('volume', 'rm', '--force', volume);
  }
});

test('it is small and holds no compiler', { timeout: 3 * SCENARIO_MS }, () => {
  const [{ Size }] = JSON.parse(podman('inspect', '--type', 'image', IMAGE));
  const [base] = JSON.parse(podman('inspect', '--type', 'image', 'docker.io/library/debian:bookworm-slim'));
  assert.ok(Size - base.Size < 100e6, `${(Size - base.Size) / 1e6} MB above the base`);
  assert.equal(podman('run', '--rm', '--network', 'none', ...LIMITS, '--entrypoint', 'bash', IMAGE, '-c', 'command -v g++ node npm cmake || true'), '');
});
