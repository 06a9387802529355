// The examples of scripts/deploy, as they stand, with only the ports exchanged: nginx and HAProxy in front of the server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { within } from './support/deadline.mjs';
import { EnvelopeClient } from './support/envelope.mjs';
import { eventually } from './support/process.mjs';
import { drain } from './support/server.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const DEPLOY = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../scripts/deploy');

/** An address that only this process listens on, so that the ports of the examples are free there. */
const [HERE, PORT] = [`127.${100 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}`, 18443];

const answers = () => new Promise((resolve) => {
  const socket = net.connect(PORT, HERE, () => resolve(true) || socket.destroy()).on('error', () => resolve(false));
});

/** Starts the program and waits until it accepts; `stop` ends it, and gives all that it printed. */
async function start(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text));
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await within(ended, `${command} to end`);
    return log;
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

/** The example for a server on `port`. Its log goes to the test. */
const example = (name, port) => fs.readFileSync(path.join(DEPLOY, name), 'utf8').replaceAll('7681', String(port))
  .replace('/var/log/nginx/error.log', 'stderr');

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
    // It looks often, is patient with a slow server, and tells what it saw.
    const config = example('haproxy.cfg', back).replace(/ check$/m, ' check inter 200ms fall 1')
      .replace(/^defaults$/m, 'defaults\n    timeout check 75s').replace(/^global$/m, `global\n    stats socket ${folder}/stats`);
    fs.writeFileSync(file, config.replace('127.0.0.1:8443', `${HERE}:${PORT}`));
    return ['haproxy', ['-db', '-f', file]];
  },
};

/** Answers of a proxy while it takes the server for dead, which it does of one that stands still for a while. */
const UNAVAILABLE = /50[234]/;

/** A server with a page, and the proxy in front of it that `body` gets the address of. The proxy's log is the result. */
async function behind(stage, name, body) {
  const folder = fs.mkdtempSync(`/tmp/ptyd-${name}-`);
  fs.chmodSync(folder, 0o711); // nginx keeps long bodies there, as another user
  const web = path.join(folder, 'web');
  fs.mkdirSync(web);
  fs.writeFileSync(path.join(web, 'index.html'), '<title>the page</title>');
  const address = `http://${HERE}:${PORT}`;
  const server = await stage.server({ args: ['--web-dir', web, '--public-url', `${address}/terminal/`] });
  const stop = await start(...proxies[name](folder, server.port));
  let log;
  try {
    await body({ server, address, folder });
  } finally {
    log = await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return log;
}

/** The text of the page, once it is served. */
const pageAt = (address) => eventually(async () => {
  const answer = await fetch(`${address}/terminal/`);
  return answer.status === 200 && answer.text();
}, 'the page');

/** The answer to a message for models of so many bytes, once it is one of ptyd's. */
const answerAt = (server, address, bytes = 0) => eventually(async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { padding: 'x'.repeat(bytes) } };
  const headers = { ...server.bearer, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const answer = await fetch(`${address}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) });
  return !UNAVAILABLE.test(String(answer.status)) && [answer.status, await answer.text()];
}, 'an answer of ptyd');

for (const name of Object.keys(proxies)) {
  scenario(`${name}: page, upgrade and terminal below a base path`, (stage) => behind(stage, name, async ({ server, address }) => {
    const socket = `ws://${HERE}:${PORT}/terminal/ws`;
    const connect = () => EnvelopeClient.connect(socket, { headers: { ...server.bearer, Origin: address } });
    const connected = () => connect().catch((error) => assert.match(error.message, UNAVAILABLE));
    const foreign = async () => {
      const { status } = await refusal(socket, { headers: { ...server.bearer, Origin: 'http://evil.example' } });
      return !UNAVAILABLE.test(status) && status;
    };
    assert.match(await pageAt(address), /the page/);
    const client = await eventually(connected, 'a connection');
    const { key } = await client.open();
    assert.equal(await client.capture(key, 'echo through'), 'through');
    await client.close();
    assert.equal(await eventually(foreign, 'a refusal'), 403);
  }));

  scenario(`${name}: a message for models as long as ptyd takes`, (stage) => behind(stage, name, async ({ server, address }) => {
    await pageAt(address);
    const bytes = 6 * 1024 * 1024;
    assert.deepEqual(await answerAt(server, `${address}/terminal`, bytes), await answerAt(server, server.origin, bytes));
  }));

  scenario(`${name}: no log of it holds a token, also when there is no server`, async (stage) => {
    const log = await behind(stage, name, async ({ server, address }) => {
      await pageAt(address);
      await server.stop();
      assert.match(String((await fetch(`${address}/terminal/ws?token=SECRET`)).status), UNAVAILABLE);
    });
    assert.doesNotMatch(log, /SECRET/);
  });
}

/** The code that HAProxy's last check of the server brought. */
async function lastCheck(folder) {
  const socket = net.connect(`${folder}/stats`);
  socket.end('show stat\n');
  const [head, ...rows] = (await within(text(socket), 'an answer of HAProxy')).split('\n').map((line) => line.split(','));
  return rows.find(([, server]) => server === 'one')[head.indexOf('check_code')];
}

scenario('haproxy: a server that drains still answers plain HTTP', (stage) => behind(stage, 'haproxy', async ({ server, address, folder }) => {
  await pageAt(address);
  assert.equal((await drain(server.stateDir).ended).code, 0);
  await eventually(async () => (await lastCheck(folder)) === '503', 'HAProxy to hear of it');
  assert.deepEqual(await answerAt(server, `${address}/terminal`), await answerAt(server, server.origin));
  assert.match(await pageAt(address), /the page/);
}));
