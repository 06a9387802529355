// `ptyd health`: whether the server of a state folder is well, for probes that know no more of it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { certificateIn } from './support/certificate.mjs';
import { eventually } from './support/process.mjs';
import { drain, health } from './support/server.mjs';
import { scenario } from './support/stage.mjs';

/** A folder that is gone after `body(folder)`. */
async function withFolder(body) {
  const folder = fs.mkdtempSync('/tmp/ptyd-health-');
  try {
    await body(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const hasIPv6 = Object.values(os.networkInterfaces()).flat().some(({ address }) => address === '::1');

/** Of a server that stood still for as long as a probe waits that is no fault: it is asked again. */
const isWell = async ({ stateDir }) => {
  const { report } = await eventually(() => {
    const asked = health(stateDir);
    return asked.code === 0 && asked;
  }, 'the server to be well');
  assert.equal(JSON.parse(report).status, 'ok');
};

const isNot = (stateDir, why) => {
  const { code, report, errors } = health(stateDir);
  assert.deepEqual([code, report], [1, ''], errors);
  assert.match(errors, why);
};

scenario('a server is asked wherever it listens, with TLS and without', (stage) => withFolder(async (folder) => {
  const places = ['127.0.0.1:0', '0.0.0.0:0', ...(hasIPv6 ? ['[::1]:0', '[::]:0'] : []), `unix:${folder}/ptyd.sock`];
  for (const listen of places) await isWell(await stage.server({ listen }));
  const secure = certificateIn(folder);
  for (const listen of ['127.0.0.1:0', `unix:${folder}/tls.sock`]) await isWell(await stage.server({ listen, args: secure }));
  await isWell(await stage.server({ listen: 'unix:own/ptyd.sock' })); // below its own folder, not below that of the probe
  await isWell(await stage.server({ args: ['--public-url', 'https://example.org/terminal/'] }));
}));

scenario('a server that drains, stands still, has ended or was never there is not well, and the reason is told', async (stage) => {
  const server = await stage.server();
  await isWell(server);
  await drain(server.stateDir).ended;
  isNot(server.stateDir, /^ptyd: 127\.0\.0\.1:\d+: HTTP\/1\.1 503 .*"draining"/);
  await drain(server.stateDir, '--undo').ended;
  await isWell(server);
  server.signal('SIGSTOP');
  isNot(server.stateDir, /^ptyd: 127\.0\.0\.1:\d+: there is no answer$/m);
  server.signal('SIGCONT');
  await isWell(server);
  await server.kill();
  isNot(server.stateDir, /no server uses it/);
  isNot(path.join(server.folder, 'nothing'), /no server uses it/);
});

scenario('a server that has not come to listen is not mistaken for the one before it', async (stage) => {
  const server = await stage.server();
  fs.rmSync(path.join(server.stateDir, 'place'));
  isNot(server.stateDir, /listens nowhere yet/);
  await server.kill();
  fs.writeFileSync(path.join(server.stateDir, 'place'), '127.0.0.1:1\n', { mode: 0o600 });
  await isWell(await stage.server({ folder: server.folder }));
});
