// The examples of scripts/deploy, as they stand, with only the ports exchanged: nginx and HAProxy in front of the server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { within } from './support/deadline.mjs';
import { EnvelopeClient } from './support/envelope.mjs';
import { eventually } from './support/process.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const DEPLOY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../scripts/deploy');

/** An address that only this process listens on, so that the ports of the examples are free there. */
const [HERE, PORT] = [`127.${100 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`, 18443];

const answers = () => new Promise((resolve) => {
  const socket = net.connect(PORT, HERE, () => resolve(true) || socket.destroy()).on('error', () => resolve(false));
});

/** Starts the program and waits until it accepts; returns what ends it. */
async function start(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await within(ended, `${command} to end`);
  };
  const accepts = async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended\n${log}`);
    return answers();
  };
  await eventually(accepts, `${command} to accept`).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}

const example = (name, port) => fs.readFileSync(path.join(DEPLOY, name), 'utf8').replaceAll('7681', String(port));

const proxies = {
  nginx: (folder, back) => {
    const file = path.join(folder, 'nginx.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
    fs.writeFileSync(file, `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${paths}
      server { listen ${HERE}:${PORT};\n${example('nginx.conf', back)}\n} }`);
    return ['nginx', ['-e', 'stderr', '-c', file]];
  },
  haproxy: (folder, back) => {
    const file = path.join(folder, 'haproxy.cfg');
    fs.writeFileSync(file, example('haproxy.cfg', back).replace('127.0.0.1:8443', `${HERE}:${PORT}`));
    return ['haproxy', ['-db', '-f', file]];
  },
};

/** Answers of a proxy while it takes the server for dead, which it does of one that stands still for a while. */
const UNAVAILABLE = /50[234]/;

for (const [name, configure] of Object.entries(proxies)) {
  scenario(`${name}: page, upgrade and terminal below a base path`, async (stage) => {
    const folder = fs.mkdtempSync(`/tmp/ptyd-${name}-`);
    const web = path.join(folder, 'web');
    fs.mkdirSync(web);
    fs.writeFileSync(path.join(web, 'index.html'), '<title>the page</title>');
    const address = `http://${HERE}:${PORT}`;
    const server = await stage.server({ args: ['--web-dir', web, '--public-url', `${address}/terminal/`] });
    const socket = `ws://${HERE}:${PORT}/terminal/ws`;
    const connect = () => EnvelopeClient.connect(socket, { headers: { ...server.bearer, Origin: address } });
    const connected = () => connect().catch((error) => assert.match(error.message, UNAVAILABLE));
    const foreign = async () => {
      const { status } = await refusal(socket, { headers: { ...server.bearer, Origin: 'http://evil.example' } });
      return !UNAVAILABLE.test(status) && status;
    };
    const stop = await start(...configure(folder, server.port));
    try {
      const page = await eventually(async () => {
        const answer = await fetch(`${address}/terminal/`);
        return answer.status === 200 && answer.text();
      }, 'the page');
      assert.match(page, /the page/);
      const client = await eventually(connected, 'a connection');
      const { key } = await client.open();
      assert.equal(await client.capture(key, 'echo through'), 'through');
      await client.close();
      assert.equal(await eventually(foreign, 'a refusal'), 403);
    } finally {
      await stop();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}
