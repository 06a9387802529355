// A slow client waits alone; one that asked for everything gets everything.
// Release too: bars of memory and of time.
// TSan too: viewers of one terminal on two loops.
import assert from 'node:assert/strict';
import { LONG_MS } from './support/deadline.mjs';
import { keyOf, numbersIn } from './support/envelope.mjs';
import { assertGrowsLess, measuresMemory, watchMemory } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const MIB = 1 << 20;
/** Bytes that may be on their way to a client at most: a window, and what was begun before its end. */
const ON_ITS_WAY = (256 + 64) << 10;

scenario('a viewer misses nothing of a long output, or is told that it did', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const text = await client.run(key, "stty -echo; seq 1 300000; printf 'do%s' ne\r", 'done', { deadline: LONG_MS });
  const numbers = numbersIn(text);
  assert.equal(numbers.at(-1), 300_000);
  const gap = numbers.findIndex((value, n) => value !== (numbers[n - 1] ?? 0) + 1);
  assert.ok(gap === -1 || /skipped/.test(text), `after ${numbers[gap - 1]} came ${numbers[gap]}`);
});

scenario('a client that stops reading costs little, disturbs nobody and is shown the present afterwards', async (stage) => {
  // A client that does not read does not answer pings either, and the flood takes a while.
  const server = await stage.server({ threads: 2, args: ['--ping-timeout', '3600'] });
  const slow = await stage.client(server);
  const { key } = await slow.open();
  const other = await stage.client(server);
  await other.open({ ...key, attach: true });
  const echo = await other.open();
  assert.equal(await other.capture(echo.key, 'echo quick'), 'quick');
  await slow.run(key, "stty -echo; seq 1 50000; printf 'war%s' m\r", 'warm', { deadline: LONG_MS });
  const memory = watchMemory(server.pid);
  slow.socket.pause();
  const lines = measuresMemory ? 3_000_000 : 700_000;
  other.send('terminal.write', { ...key, data: `seq 1 ${lines}; printf 'do%s' ne\r` });
  assert.equal(await other.capture(echo.key, 'echo quick'), 'quick');
  await other.seen(key, 'done', { deadline: LONG_MS });
  await assertGrowsLess(stage, memory, 6 * MIB);
  slow.socket.resume();
  await slow.seen(key, 'done');
  assert.equal(await slow.capture(key, 'stty echo; echo alive'), 'alive');
});

scenario('who falls behind is told in the stream how much was left out', async (stage) => {
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const whole = await stage.client(server);
  const { key } = await whole.open({ policy: 'lossless' });
  const slow = await stage.client(server, { through: proxy });
  await slow.open({ ...key, attach: true });
  proxy.rules.rate = 20_000; // for all of it: five minutes
  whole.send('terminal.write', { ...key, data: "stty -echo; seq 1 700000; printf 'do%s' ne\r" });
  await whole.seen(key, 'done', { deadline: LONG_MS });
  proxy.rules.rate = 0;
  await slow.seen(key, 'done');
  const text = slow.output(key);
  assert.match(text, /skipped/i);
  assert.ok(!text.includes('\x1bc'), 'the scrollback of the client is left alone');
  assert.ok(text.length < whole.output(key).length);
});

scenario('lossless: a slow recorder holds the program back and misses nothing', async (stage) => {
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const owner = await stage.client(server);
  const { key } = await owner.open();
  const recorder = await stage.client(server, { through: proxy });
  await recorder.open({ ...key, attach: true, policy: 'lossless' });
  proxy.rules.rate = 1_000_000;
  owner.send('terminal.write', { ...key, data: "stty -echo; seq 1 300000; printf 'do%s' ne\r" });
  await recorder.seen(key, 'done', { deadline: LONG_MS });
  const numbers = numbersIn(recorder.output(key));
  assert.equal(numbers.length, 300_000);
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
  const ackAll = () => {
    const sent = Buffer.byteLength(client.output(key, acked));
    acked += sent;
    if (sent > 0) client.send('terminal.ackOutput', { ...key, bytes: sent });
  };
  client.onEvent = ackAll;
  ackAll();
  const numbers = numbersIn(await client.seen(key, '\n200000\r\n', { deadline: LONG_MS }));
  assert.equal(numbers.length, 200_000);
});

scenario('a key is echoed beside a flood before much more of it has come', async (stage) => {
  const server = await stage.server();
  const flooded = await stage.client(server);
  const flood = await flooded.open();
  const client = await stage.client(server);
  const { key } = await client.open();
  // The kernel echoes: whatever else stands still on this machine, the key waits for the server alone.
  await client.run(key, "stty -icanon echo; printf 'rea%s' dy; exec cat >/dev/null\r", 'ready');
  let came = 0;
  flooded.onEvent = (event) => event.type === 'output' && (came += event.byteLength);
  flooded.send('terminal.write', { ...flood.key, data: 'yes 0123456789012345678901234567890123456789\r' });
  await flooded.seen(flood.key, /0123456789\r\n/);
  const ahead = [];
  for (let n = 0; n < 100 || came < 4 * MIB; n += 1) {
    const before = came;
    await client.run(key, `<${n}>`, `<${n}>`);
    ahead.push(came - before);
  }
  await flooded.call('terminal.close', flood.key);
  ahead.sort((a, b) => a - b);
  const [median, most] = [0.5, 0.9].map((part) => ahead[Math.floor(part * ahead.length)]);
  stage.note(`bytes of the flood before an echo: half of the time at most ${median}, nine times of ten at most ${most}`);
  assert.ok(median <= ON_ITS_WAY, `bytes of the flood before each echo: ${ahead}`);
  assert.ok(most <= 4 * MIB, `bytes of the flood before each echo: ${ahead}`);
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
  // Without line ends, which are longer in JSON than they are.
  client.send('terminal.write', { ...key, data: "stty -echo; yes | tr -d '\\n'\r" });
  await client.seen(key, 'yyyy');
  const before = proxy.delivered;
  await client.call('terminal.list', {});
  const ahead = proxy.delivered - before;
  assert.ok(ahead <= ON_ITS_WAY, `a reply never queues behind a backlog: ${ahead} bytes came first`);
  await client.call('terminal.close', key);
});
