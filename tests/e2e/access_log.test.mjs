// The access log: one line per connection, at its end.
import assert from 'node:assert/strict';
import { frame, RawConnection } from './support/http.mjs';
import { drain } from './support/server.mjs';
import { refusal } from './support/socket.mjs';
import { scenario } from './support/stage.mjs';

const PEER = String.raw`127\.0\.0\.1:\d+`;
const NUMBERS = String.raw`(\d+) bytes in, (\d+) out, \d+\.\d s`;
/** The line that says why the connection of `role` has ended. */
const ended = (why, role, languages) => new RegExp(` c\\d+ ended: ${why}; role ${role}, from ${PEER}, ${languages}, ${NUMBERS}$`);
const told = (server, pattern) => server.lines.first((line) => pattern.test(line), String(pattern));

scenario('a WebSocket that its peer closes is told of with its role, language and bytes', async (stage) => {
  const server = await stage.server({ looksOn: true });
  const owner = await stage.client(server);
  await owner.capture((await owner.open()).key, 'true');
  await owner.close();
  const line = await told(server, ended('closed by the peer', 'full', 'envelope'));
  const [, bytesIn, bytesOut] = line.match(new RegExp(NUMBERS)).map(Number);
  assert.ok(bytesIn > 100 && bytesOut > 100, line);
  const viewer = await stage.client(server, { headers: server.viewerBearer });
  await viewer.close();
  await told(server, ended('closed by the peer', 'view', 'no language'));
});

scenario('why a connection has ended is told: lost, against the rules, silent, too much, or the end of the server', async (stage) => {
  const impatient = await stage.server({ args: ['--ping-interval', '0.2', '--ping-timeout', '0.5'] });
  await RawConnection.webSocket(impatient);
  await told(impatient, ended('silence: no pong', 'full', 'no language'));
  const server = await stage.server();
  await (await stage.client(server)).cut();
  await told(server, ended('lost: .+', 'full', 'no language'));
  const rude = await RawConnection.webSocket(server);
  rude.write(frame(1, 'x', { mask: false }));
  await told(server, ended('broken by the peer: .+', 'full', 'no language'));
  const flood = await RawConnection.webSocket(server);
  flood.write(Buffer.concat(Array.from({ length: 200 }, () => frame(9))));
  await told(server, ended('closed with 1008: more than 100 pings a second', 'full', 'no language'));
  await stage.client(server);
  await server.stop();
  await told(server, ended('closed with 1001: the server is ending', 'full', 'no language'));
});

scenario('a refused upgrade is told of with its status, and a flood of them leaves lines out and says how many', async (stage) => {
  const server = await stage.server({ threads: 1 });
  const strange = { headers: { ...server.bearer, Origin: 'http://evil.example' } };
  await refusal(stage.url(server), strange);
  await told(server, new RegExp(` c\\d+ refused an upgrade with 403; role none, from ${PEER}, http, ${NUMBERS}$`));
  await drain(server.stateDir).ended;
  await refusal(stage.url(server), { headers: server.bearer });
  await told(server, new RegExp(` c\\d+ refused an upgrade with 503; role full, from ${PEER}, http, ${NUMBERS}$`));
  const begun = performance.now();
  const lines = () => server.log.split('\n').filter((line) => line.includes('refused an upgrade')).length;
  for (let n = 0; n < 60; n += 1) await refusal(stage.url(server), strange);
  const most = 20 + Math.ceil((performance.now() - begun) / 3000) + 1;
  assert.ok(lines() <= most, `${lines()} lines`);
  const more = async () => {
    await refusal(stage.url(server), strange);
    return /; \d+ such lines before it are left out$/m.test(server.log);
  };
  while (!(await more())) assert.ok(lines() < 62 + most);
});

scenario('a connection that shows a token is told of, and one that asks for health is not', async (stage) => {
  const server = await stage.server();
  const get = async (target, headers) => (await fetch(server.origin + target, { headers: { ...headers, Connection: 'close' } })).text();
  await get('/healthz', {});
  await get('/metrics', server.bearer);
  await told(server, new RegExp(` c\\d+ ended; role full, from ${PEER}, http, ${NUMBERS}$`));
  await server.stop();
  assert.equal(server.log.split('\n').filter((line) => / c\d+ ended/.test(line)).length, 1, server.log);
});

scenario('the access log can be turned off', async (stage) => {
  const server = await stage.server({ args: ['--access-log', 'off'] });
  await (await stage.client(server)).close();
  await refusal(stage.url(server));
  await server.stop();
  assert.doesNotMatch(server.log, / c\d+ /);
});
