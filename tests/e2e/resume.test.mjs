// A client that lost its connection gets exactly what it missed: never a gap, never a double.
// TSan too: a client comes back to another loop.
import assert from 'node:assert/strict';
import { LONG_MS } from './support/deadline.mjs';
import { keyOf, numbersIn } from './support/envelope.mjs';
import { random, seed } from './support/random.mjs';
import { scenario } from './support/stage.mjs';

scenario('open with a cursor gives what was missed as events and no history', async (stage) => {
  const server = await stage.server();
  const first = await stage.client(server);
  const { key } = await first.open();
  await first.capture(key, 'echo one');
  const after = first.cursors.get(keyOf(key));
  await first.cut();
  const writer = await stage.client(server);
  await writer.open({ ...key, attach: true });
  await writer.capture(key, 'echo two');
  const second = await stage.client(server);
  const snapshot = await second.open({ ...key, attach: true, after });
  assert.equal(snapshot.resumed, true);
  assert.equal(snapshot.history, '');
  await second.seen(key, /two\r\n/);
  assert.ok(!second.output(key).includes('one\r\n'), 'nothing twice');
});

scenario('a cursor of another life gives one snapshot instead', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open();
  await client.capture(key, 'echo kept');
  for (const after of ['0123456789abcdef.5', 'nonsense', `${client.cursors.get(keyOf(key)).split('.')[0]}.99999999999`]) {
    const other = await stage.client(server);
    const reply = await other.reply('terminal.open', { ...key, cwd: '/', attach: true, after });
    if (reply.error) {
      assert.match(reply.error.message, /after/);
      continue;
    }
    assert.ok(!reply.result.resumed, after);
    assert.match(reply.result.history, /kept/);
  }
});

scenario('a cursor that has been overrun gives one snapshot instead', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key, cursor } = await client.open();
  await client.run(key, "seq 400000; printf 'do%s\\n' ne\r", 'done');
  const other = await stage.client(server);
  const snapshot = await other.open({ ...key, attach: true, after: cursor });
  assert.ok(!snapshot.resumed);
  assert.match(snapshot.history, /done/);
  assert.ok(Buffer.byteLength(snapshot.history) <= 1 << 20, 'history stays within 1 MiB');
  assert.ok(snapshot.history.split('\n').length <= 5001, 'and within 5000 lines');
});

scenario('whatever is cut, a resuming client ends with every line once', async (stage) => {
  const below = random();
  stage.note(`PTYD_TEST_SEED=${seed}`);
  const server = await stage.server();
  const proxy = await stage.proxy(server);
  const owner = await stage.client(server);
  const { key, cursor } = await owner.open({ policy: 'lossless' });
  const last = 60_000;
  let text = '';
  let after = cursor;
  let cuts = 0;
  owner.send('terminal.write', { ...key, data: `stty -echo; seq 1 ${last}\r` });
  while (!text.includes(`\n${last}\r\n`)) {
    proxy.heal();
    if (cuts < 40) proxy.cutAfterBytes(300 + below(40_000));
    cuts += 1;
    ({ text, after } = await readUntilCut(stage, server, proxy, key, text, after, last));
  }
  const numbers = numbersIn(text);
  const wrong = numbers.findIndex((value, n) => value !== n + 1);
  assert.equal(wrong, -1, `seed ${seed}, ${cuts} cuts: line ${wrong + 1} is ${numbers[wrong]}`);
  assert.equal(numbers.length, last, `seed ${seed}`);
});

/** One connection's worth: goes on from `after` until the connection ends or all is there. */
async function readUntilCut(stage, server, proxy, key, text, after, last) {
  let client;
  try {
    client = await stage.client(server, { through: proxy });
    const taken = { text, after };
    client.onEvent = (event) => {
      if (event.type === 'output') taken.text += event.data;
      taken.after = event.cursor ?? taken.after; // none before the answer: what is told then is only news
    };
    const done = client.open({ ...key, attach: true, after, policy: 'lossless' }).then((snapshot) => {
      assert.equal(snapshot.resumed, true, `the journal kept what ${after} missed`);
      return client.events.until(() => taken.text.includes(`\n${last}\r\n`), 'the last line');
    });
    await Promise.race([done, client.socket.closed]);
    done.catch(() => {});
    await client.cut();
    return taken;
  } catch (error) {
    if (error.code === 'ERR_ASSERTION') throw error;
    return { text, after };
  }
}

scenario('lossless: a recorder that was cut goes on after the next start of the server, and has lost nothing', async (stage) => {
  const args = ['--linger', '600'];
  const first = await stage.server({ args });
  const recorder = await stage.client(first);
  const { key } = await recorder.open({ policy: 'lossless' });
  await recorder.capture(key, 'echo one');
  const after = recorder.cursors.get(keyOf(key));
  await recorder.cut();
  const writer = await stage.client(first);
  await writer.open({ ...key, attach: true });
  await writer.capture(key, 'echo two');
  await first.stop();
  const second = await stage.server({ folder: first.folder, args });
  const other = await stage.client(second);
  await other.open({ ...key, policy: 'lossless' });
  const last = 400_000;
  other.send('terminal.write', { ...key, data: `stty -echo; seq 1 ${last}; printf 'do%s' ne\r` });
  await other.events.until(() => other.output(key).length > 900_000, 'nearly all that the journal holds');
  const back = await stage.client(second);
  assert.equal((await back.open({ ...key, attach: true, after, policy: 'lossless' })).resumed, true);
  const text = await back.seen(key, 'done', { deadline: LONG_MS });
  assert.match(text, /two\r\n/);
  const numbers = numbersIn(text);
  assert.equal(numbers.length, last);
  assert.ok(numbers.every((value, n) => value === n + 1));
});

scenario('lossless: what is held for a recorder is its own, whoever comes back first', async (stage) => {
  const server = await stage.server({ args: ['--linger', '600'] });
  const recorder = await stage.client(server);
  const { key } = await recorder.open({ policy: 'lossless', hold: 'recorder' });
  await recorder.capture(key, 'echo one');
  const after = recorder.cursors.get(keyOf(key));
  await recorder.cut();
  const page = await stage.client(server);
  assert.equal((await page.open({ ...key, attach: true, after })).resumed, true);
  const other = await stage.client(server);
  assert.equal((await other.open({ ...key, attach: true, after, policy: 'lossless' })).resumed, true);
  const last = 400_000;
  other.send('terminal.write', { ...key, data: `stty -echo; seq 1 ${last}; printf 'do%s' ne\r` });
  await other.events.until(() => other.output(key).length > 900_000, 'nearly all that the journal holds');
  const back = await stage.client(server);
  const again = await back.open({ ...key, attach: true, after, policy: 'lossless', hold: 'recorder' });
  assert.equal(again.resumed, true);
  const numbers = numbersIn(await back.seen(key, 'done', { deadline: LONG_MS }));
  assert.equal(numbers.length, last);
  assert.ok(numbers.every((value, n) => value === n + 1));
});

scenario('a terminal that is opened again and again while it prints is read once', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ policy: 'lossless' });
  const last = 30_000;
  client.send('terminal.write', { ...key, data: `stty -echo; seq 1 ${last}\r` });
  for (let n = 1; n <= 5; n += 1) {
    await client.seen(key, new RegExp(`\\n${n * 1000}\\r\\n`));
    const again = await client.open({ ...key, attach: true, policy: 'lossless', after: client.cursors.get(keyOf(key)) });
    assert.equal(again.resumed, true);
  }
  const numbers = numbersIn(await client.seen(key, new RegExp(`\\n${last}\\r\\n`)));
  const wrong = numbers.findIndex((value, n) => value !== n + 1);
  assert.equal(wrong, -1, `line ${wrong + 1} is ${numbers[wrong]}`);
});

scenario('the cursor of a reply continues without a gap, also under a flood', async (stage) => {
  const server = await stage.server();
  const owner = await stage.client(server);
  const { key } = await owner.open();
  owner.send('terminal.write', { ...key, data: 'stty -echo; seq 1 30000\r' });
  await owner.seen(key, /\n1000\r\n/);
  for (let n = 0; n < 5; n += 1) {
    const viewer = await stage.client(server);
    // Another policy may be shown the present instead, where the machine is slow.
    const snapshot = await viewer.open({ ...key, attach: true, historyFormat: 'raw', policy: 'lossless' });
    await viewer.events.until(
      () => /\n30000\r\n/.test(snapshot.history + viewer.output(key)), 'the end of the numbers');
    const numbers = numbersIn(snapshot.history + viewer.output(key)).slice(1);
    const wrong = numbers.findIndex((value, at) => at > 0 && value !== numbers[at - 1] + 1);
    assert.equal(wrong, -1, `after ${numbers[wrong - 1]} came ${numbers[wrong]}`);
    await viewer.close();
  }
});
