// `ptyd drain`: a server that is to end soon, and whoever waits for that.
// TSan too: the word crosses the loops, and the number of terminals comes back.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { alive } from './support/process.mjs';
import { drain } from './support/server.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const health = async (server) => {
  const answer = await fetch(`${server.origin}/healthz`);
  return [answer.status, (await answer.json()).status];
};

scenario('a server that drains takes no connection and starts no terminal, and what is there goes on', async (stage) => {
  const server = await stage.server({ threads: 2 });
  const client = await stage.client(server);
  const { key } = await client.open();
  assert.deepEqual(await health(server), [200, 'ok']);
  assert.deepEqual(await drain(server.stateDir).ended, { code: 0, printed: 'draining: 1 terminal still runs\n' });
  assert.deepEqual(await health(server), [503, 'draining']);
  const refused = await refusal(stage.url(server), { headers: server.bearer });
  assert.equal(refused.status, 503);
  assert.match(refused.body, /draining/);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.equal((await refusal(stage.url(server))).status, 401, 'strangers are told what strangers are told');
  const { error } = await client.reply('terminal.open', { threadId: 'another', cwd: '/' });
  assert.equal(error.code, 'limit');
  assert.match(error.message, /draining/);
  assert.equal(await client.capture(key, 'echo still here'), 'still here');
});

scenario('a drain that is undone leaves all as it was', async (stage) => {
  const server = await stage.server();
  assert.equal((await drain(server.stateDir).ended).code, 0);
  assert.equal((await drain(server.stateDir).ended).code, 0, 'once more is no error');
  const undone = await drain(server.stateDir, '--undo').ended;
  assert.equal(undone.code, 0, undone.printed);
  assert.equal((await drain(server.stateDir, '--undo').ended).code, 0);
  assert.deepEqual(await health(server), [200, 'ok']);
  const client = await stage.client(server);
  assert.equal((await client.open()).status, 'running');
});

scenario('whoever waits for a drain is told when the last terminal has ended', async (stage) => {
  const server = await stage.server({ threads: 2 });
  const clients = [await stage.client(server), await stage.client(server)];
  const [one, other] = [await clients[0].open(), await clients[1].open()];
  const waiting = drain(server.stateDir, '--wait');
  await waiting.lines.first((line) => line === 'draining: 2 terminals still run', 'the number of terminals');
  await clients[0].write(one.key, 'exit\r');
  await clients[0].event(one.key, 'exited');
  assert.deepEqual(await drain(server.stateDir).ended, { code: 0, printed: 'draining: 1 terminal still runs\n' });
  await clients[1].call('terminal.close', other.key);
  const { code, printed } = await waiting.ended;
  assert.equal(code, 0, printed);
  assert.match(printed, /^no terminal runs any more$/m);
  assert.ok(server.alive, 'it is for others to end it');
});

scenario('whoever waits for a drain is told that it was undone, or that the server has ended', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  await client.open();
  const undone = drain(server.stateDir, '--wait');
  await undone.lines.first((line) => line.startsWith('draining'), 'the drain');
  await drain(server.stateDir, '--undo').ended;
  assert.deepEqual(await undone.ended.then(({ code }) => code), 1);
  const killed = drain(server.stateDir, '--wait');
  await killed.lines.first((line) => line.startsWith('draining'), 'the drain');
  await server.kill();
  assert.equal((await killed.ended).code, 0);
  const next = await stage.server({ folder: server.folder });
  assert.deepEqual(await health(next), [200, 'ok'], 'it was the other that drained');
});

scenario('there is nothing to drain without a server, and nobody else is signalled', async (stage) => {
  const server = await stage.server();
  await server.stop();
  const refused = await drain(server.stateDir).ended;
  assert.equal(refused.code, 1);
  assert.match(refused.printed, /no server uses it/);
  assert.equal((await drain(path.join(server.folder, 'nothing')).ended).code, 1);
  assert.equal((await drain(server.stateDir, '--undo', '--wait').ended).code, 2);
  const second = await stage.server({ folder: server.folder });
  const { pid } = await (await stage.client(second)).open();
  fs.writeFileSync(path.join(second.stateDir, 'lock'), `${pid}\n`);
  const wrong = await drain(second.stateDir).ended;
  assert.equal(wrong.code, 1);
  assert.match(wrong.printed, /not to be seen from here/);
  assert.ok(alive(pid) && second.alive);
});
