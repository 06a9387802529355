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
import { scenario } from './support/stage.mjs';

const DEPLOY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../scripts/deploy');

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

const answers = (port) => new Promise((resolve) => {
  const socket = net.connect(port, '127.0.0.1', () => resolve(true) || socket.destroy()).on('error', () => resolve(false));
});

/** Writes the configuration, starts the program, waits until it accepts; `stop` ends it. */
async function start(command, args, port) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const ended = once(child, 'close');
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended\n${log}`);
    return answers(port);
  }, `${command} to accept`);
  return async () => {
    child.kill('SIGTERM');
    await within(ended, `${command} to end`);
  };
}

const example = (name, port) => fs.readFileSync(path.join(DEPLOY, name), 'utf8').replaceAll('7681', String(port));

const proxies = {
  nginx: (folder, front, back) => {
    const file = path.join(folder, 'nginx.conf');
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n');
    fs.writeFileSync(file, `daemon off; pid ${folder}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${paths}
      server { listen 127.0.0.1:${front};\n${example('nginx.conf', back)}\n} }`);
    return ['nginx', ['-e', 'stderr', '-c', file]];
  },
  haproxy: (folder, front, back) => {
    const file = path.join(folder, 'haproxy.cfg');
    fs.writeFileSync(file, example('haproxy.cfg', back).replace('127.0.0.1:8443', `127.0.0.1:${front}`));
    return ['haproxy', ['-db', '-f', file]];
  },
};

for (const [name, configure] of Object.entries(proxies)) {
  scenario(`${name}: page, upgrade and terminal below a base path`, async (stage) => {
    const folder = fs.mkdtempSync(`/tmp/ptyd-${name}-`);
    const web = path.join(folder, 'web');
    fs.mkdirSync(web);
    fs.writeFileSync(path.join(web, 'index.html'), '<title>the page</title>');
    const front = await freePort();
    const address = `http://127.0.0.1:${front}`;
    const server = await stage.server({ args: ['--web-dir', web, '--public-url', `${address}/terminal/`] });
    const stop = await start(...configure(folder, front, server.port), front);
    try {
      const page = await eventually(async () => {
        const answer = await fetch(`${address}/terminal/`);
        return answer.status === 200 && answer.text();
      }, 'the page');
      assert.match(page, /the page/);
      const client = await EnvelopeClient.connect(`ws://127.0.0.1:${front}/terminal/ws`, { headers: { ...server.bearer, Origin: address } });
      const { key } = await client.open();
      assert.equal(await client.capture(key, 'echo through'), 'through');
      await client.close();
      const foreign = EnvelopeClient.connect(`ws://127.0.0.1:${front}/terminal/ws`, { headers: { ...server.bearer, Origin: 'http://evil.example' } });
      await assert.rejects(foreign, /403/);
    } finally {
      await stop();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}
