// Typed and pasted input arrives complete and in order, or the sender is told.
// Release too: megabytes are pasted, in a time that sanitizers stretch.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { LONG_MS } from './support/deadline.mjs';
import { eventually } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

const RAW = 'stty raw -echo';

/** Sends `data` in pieces the protocol takes, each confirmed before the next; again while the child is slow. */
async function paste(client, key, data, piece = 65536) {
  const taken = async (at) => {
    const { error } = await client.reply('terminal.write', { ...key, data: data.slice(at, at + piece) });
    if (error) assert.match(error.message, /wait|busy/i);
    return !error;
  };
  for (let at = 0; at < data.length; at += piece) await eventually(() => taken(at), 'room for the next piece');
}

scenario('16 MiB pasted arrive complete and in order', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const size = 16 << 20;
  const line = (n) => `${n.toString().padStart(15, '0')}\n`;
  const data = Array.from({ length: size / 16 }, (_, n) => line(n)).join('');
  await client.run(key, `${RAW}; printf 'rea%s' dy; head -c ${size} | sha256sum; stty sane\r`, 'ready');
  await paste(client, key, data);
  const text = await client.seen(key, /[0-9a-f]{64}/, { deadline: LONG_MS });
  assert.equal(text.match(/[0-9a-f]{64}/)[0], createHash('sha256').update(data).digest('hex'));
});

scenario('writes sent without waiting keep their order', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.run(key, `${RAW}; printf 'rea%s' dy; head -c 4000 | sha256sum; stty sane\r`, 'ready');
  const data = Array.from({ length: 1000 }, (_, n) => String(n).padStart(4, '0'));
  for (const piece of data) client.send('terminal.write', { ...key, data: piece });
  const text = await client.seen(key, /[0-9a-f]{64}/);
  assert.equal(text.match(/[0-9a-f]{64}/)[0], createHash('sha256').update(data.join('')).digest('hex'));
});

scenario('a line the kernel would cut is reported, to those who asked for warnings', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ features: ['warning'] });
  await client.run(key, "printf 'rea%s' dy; cat >/dev/null\r", 'ready');
  await client.write(key, `${'x'.repeat(4095)}y\n`);
  const warning = await client.event(key, 'warning');
  assert.match(JSON.stringify(warning), /4095/);
});

scenario('a line that just fits makes no warning', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open({ features: ['warning'] });
  await client.run(key, "printf 'rea%s' dy; wc -c\r", 'ready');
  const from = client.output(key).length;
  await client.write(key, `${'x'.repeat(4094)}\n`);
  await client.write(key, '\x04');
  await client.seen(key, /4095\r\n/, { from });
  assert.deepEqual(client.eventsOf(key).filter((event) => event.type === 'warning'), []);
});

scenario('a child that does not read blocks nobody, and its writer is told when enough waits', async (stage) => {
  const client = await stage.client(await stage.server());
  const deaf = await client.open();
  await client.run(deaf.key, `${RAW}; printf 'rea%s' dy; exec tail -f /dev/null\r`, 'ready');
  let refused = null;
  for (let sent = 0; sent < 1024 && !refused; sent += 1) {
    const reply = await client.reply('terminal.write', { ...deaf.key, data: 'x'.repeat(65536) });
    refused = reply.error ?? null;
  }
  assert.ok(refused, '64 MiB were queued for a child that reads nothing');
  const other = await client.open();
  assert.equal(await client.capture(other.key, 'echo ok'), 'ok');
  await client.call('terminal.close', deaf.key);
});

scenario('control keys reach the program in the foreground', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.run(key, "sh -c 'printf \"rea%s\" dy; exec cat'\r", 'ready');
  await client.run(key, '\x03', /\x1b\[\?2004h/);
  assert.match(await client.run(key, 'echo code=$?\r', /code=\d+\r\n/), /code=130/);
});

scenario('characters of every width arrive as they were typed', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  const text = 'aé漢字😀👨‍👩‍👧 ñ';
  await client.run(key, `${RAW}; printf 'rea%s' dy; head -c ${Buffer.byteLength(text)} | sha256sum; stty sane\r`, 'ready');
  await client.write(key, text);
  const seen = await client.seen(key, /[0-9a-f]{64}/);
  assert.equal(seen.match(/[0-9a-f]{64}/)[0], createHash('sha256').update(text).digest('hex'));
});

scenario('the size is in order with what is typed', async (stage) => {
  const client = await stage.client(await stage.server());
  const { key } = await client.open();
  await client.run(key, `${RAW}; printf 'rea%s' dy; for i in 1 2 3 4 5; do head -c 1 >/dev/null; stty size; done; stty sane\r`, 'ready');
  for (let n = 0; n < 5; n += 1) {
    client.send('terminal.resize', { ...key, cols: 100 + n, rows: 30 });
    client.send('terminal.write', { ...key, data: '.' });
    await client.seen(key, `30 ${100 + n}`);
  }
});
