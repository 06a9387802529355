// Who is slow waits alone; who asked for everything gets everything.
import assert from 'node:assert/strict';
import { keyOf, numbersIn } from './support/envelope.mjs';
import { memory } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const measuresMemory = !/asan|debug|tsan/.test(process.env.PTYD_BIN ?? '');
const MIB = 1 << 20;

scenario('a viewer misses nothing of a long output, or is told that it did', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const text = await client.run(key, "stty -echo; seq 1 1000000; printf 'do%s' ne\r", 'done', { deadline: 90_000 });
  const numbers = numbersIn(text);
  assert.equal(numbers.at(-1), 1_000_000);
  const gap = numbers.findIndex((value, n) => value !== (numbers[n - 1] ?? 0) + 1);
  assert.ok(gap === -1 || /skipped/.test(text), `after ${numbers[gap - 1]} came ${numbers[gap]}`);
});

scenario('a client that stops reading costs little, disturbs nobody and is shown the present afterwards', async (stage) => {
  const server = await stage.server();
  const slow = await stage.client(server);
  const { key } = await slow.open();
  await slow.capture(key, 'true');
  const before = memory(server.pid).private;
  slow.socket.pause();
  const other = await stage.client(server);
  await other.open({ ...key, attach: true });
  const echo = await other.open();
  other.send('terminal.write', { ...key, data: "stty -echo; seq 1 3000000; printf 'do%s' ne\r" });
  assert.equal(await other.capture(echo.key, 'echo quick'), 'quick');
  await other.seen(key, 'done', { deadline: 90_000 });
  const grown = memory(server.pid).private - before;
  if (measuresMemory) assert.ok(grown < 6 * MIB, `grew by ${grown}`);
  slow.socket.resume();
  await slow.seen(key, 'done');
  assert.equal(await slow.capture(key, 'stty echo; echo alive'), 'alive');
});

scenario('who falls behind is told in the stream how much was left out', async (stage) => {
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const fast = await stage.client(server);
  const { key } = await fast.open();
  const slow = await stage.client(server, { through: proxy });
  await slow.open({ ...key, attach: true });
  proxy.rules.rate = 200_000;
  fast.send('terminal.write', { ...key, data: "stty -echo; seq 1 2000000; printf 'do%s' ne\r" });
  await fast.seen(key, 'done', { deadline: 90_000 });
  proxy.rules.rate = 0;
  await slow.seen(key, 'done', { deadline: 90_000 });
  const text = slow.output(key);
  assert.match(text, /skipped/i);
  assert.ok(!text.includes('\x1bc'), 'the scrollback of the client is left alone');
  assert.ok(text.length < fast.output(key).length);
});

scenario('lossless: a slow recorder holds the program back and misses nothing', async (stage) => {
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const owner = await stage.client(server);
  const { key } = await owner.open();
  const recorder = await stage.client(server, { through: proxy });
  await recorder.open({ ...key, attach: true, policy: 'lossless' });
  proxy.rules.rate = 2_000_000;
  owner.send('terminal.write', { ...key, data: "stty -echo; seq 1 700000; printf 'do%s' ne\r" });
  await recorder.seen(key, 'done', { deadline: 90_000 });
  const numbers = numbersIn(recorder.output(key));
  assert.equal(numbers.length, 700_000);
  assert.ok(numbers.every((value, n) => value === n + 1));
});

scenario('acks give credit: an acking client that stops acking stops its own output only', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ policy: 'lossless' });
  await client.call('terminal.ackOutput', { ...key, bytes: 1 });
  const other = await stage.client(server);
  const mine = await other.open();
  client.send('terminal.write', { ...key, data: 'stty -echo; seq 1 200000\r' });
  assert.equal(await other.capture(mine.key, 'echo ok'), 'ok');
  let acked = 0;
  while (!client.output(key).includes('\n200000\r\n')) {
    const sent = Buffer.byteLength(client.output(key)) - acked;
    if (sent > 0) {
      acked += sent;
      client.send('terminal.ackOutput', { ...key, bytes: sent });
    }
    const count = client.events.all.length;
    await client.events.until((all) => all.length > count || client.output(key).includes('\n200000\r\n'), 'more output');
  }
  const numbers = numbersIn(client.output(key));
  assert.equal(numbers.length, 200_000);
});

scenario('a key is echoed at once beside a flood', async (stage) => {
  const server = await stage.server();
  const flooded = await stage.client(server);
  const flood = await flooded.open();
  const client = await stage.client(server);
  const { key } = await client.open();
  await client.run(key, "stty raw -echo; printf 'rea%s' dy; exec cat\r", 'ready');
  flooded.send('terminal.write', { ...flood.key, data: 'yes 0123456789012345678901234567890123456789\r' });
  await flooded.seen(flood.key, /0123456789\r\n/);
  const times = [];
  for (let n = 0; n < 100; n += 1) {
    const begun = performance.now();
    await client.run(key, `<${n}>`, `<${n}>`);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  await flooded.call('terminal.close', flood.key);
  if (measuresMemory) assert.ok(times[50] < 100, `the median echo took ${times[50]} ms`);
});

scenario('streamOutput false drains the program and sends nothing of it, until asked', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ streamOutput: false });
  await client.write(key, "printf 'hid%s\\n' den; exit 4\r");
  assert.equal((await client.event(key, 'exited')).exitCode, 4);
  assert.equal(client.output(key), '');
});

scenario('output goes to those who opened the terminal, or asked for all', async (stage) => {
  const server = await stage.server();
  const owner = await stage.client(server);
  const { key } = await owner.open();
  const stranger = await stage.client(server);
  await stranger.call('terminal.list', {});
  const all = await stage.client(server, { path: '/ws?events=all' });
  await all.call('terminal.list', {});
  const subscriber = await stage.client(server);
  await subscriber.call('terminal.subscribeEvents', {});
  await owner.run(key, "printf 'for %s\\n' all; exit\r", 'for all');
  for (const client of [owner, all, subscriber]) await client.seen(key, 'for all');
  await stranger.event(key, 'exited');
  assert.equal(stranger.output(key), '', 'lifecycle only');
  assert.equal(keyOf(stranger.eventsOf(key)[0]), keyOf(key));
});

scenario('a viewer on a slow network gets an answer to a ping of its own while output floods', async (stage) => {
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const client = await stage.client(server, { through: proxy });
  const { key } = await client.open();
  proxy.rules.rate = 500_000;
  client.send('terminal.write', { ...key, data: 'yes\r' });
  await client.seen(key, 'y\r\ny\r\n');
  const begun = performance.now();
  await client.call('terminal.list', {});
  assert.ok(performance.now() - begun < 5000, 'a reply never queues behind a backlog');
  await client.call('terminal.close', key);
});
