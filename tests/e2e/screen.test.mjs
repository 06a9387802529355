// The Screen behind every terminal: what comes back, what is answered, and how it looks to who only asks.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { eventually } from './support/process.mjs';
import { scenario } from './support/stage.mjs';

/** Asks how the terminal looks until `wanted` holds: with nobody attached there is no event to wait for. */
async function looks(client, key, wanted) {
  let text;
  const shown = async () => {
    ({ text } = await client.call('terminal.snapshot', { ...key, format: 'plain' }));
    return wanted.test(text);
  };
  await eventually(shown, () => `${wanted} in\n${text}`);
  return text;
}

const colour = (row, text) => row.spans.find((span) => span.text.includes(text))?.foreground;

scenario('a question is answered at its place while nobody is attached', async (stage) => {
  const server = await stage.server();
  const first = await stage.client(server);
  const { key } = await first.open({ cols: 80, rows: 24 });
  const go = path.join(server.home, 'go');
  await first.write(key, `stty -echo; until [ -e '${go}' ]; do sleep 0.02; done; stty raw; printf '\\033[5;9H\\033[6n'; head -c 6 | od -An -tx1; stty sane\r`);
  await first.close();
  const onlooker = await stage.client(server);
  fs.writeFileSync(go, '');
  await looks(onlooker, key, /1b 5b 35 3b 39 52/);
});

scenario('however many look on, a question is answered once and the keyboard gets no byte more', async (stage) => {
  const server = await stage.server();
  const clients = [];
  const one = await stage.client(server);
  const { key } = await one.open({ cols: 80, rows: 24 });
  for (let n = 0; n < 4; n++) {
    clients.push(await stage.client(server));
    await clients[n].open({ ...key, attach: true });
  }
  // The last answer ends with n; whatever came besides it is there before what is typed then.
  const ask = "stty raw -echo; printf '\\033[c\\033[5n'; IFS= read -rsd n answer; printf 'rea%s' dy; IFS= read -rsd X rest; stty sane -echo";
  await one.run(key, `${ask}; printf '<%q><%q>\\n' "$answer" "$rest"\r`, 'ready');
  const [, answer, rest] = (await one.run(key, 'X', /<.*><.*>\r\n/)).match(/<(.*)><(.*)>/);
  assert.match(answer, /^\$'\\E\[\?[0-9;]+c\\E\[0'$/);
  assert.equal(rest, "''");
  assert.ok(!clients.some((client) => client.output(key).includes('\x1b[c')), 'no viewer is asked');
});

scenario('who comes later sees a full-screen program as it is, and what is below it once it has ended', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 60, rows: 10 });
  await client.run(key, "stty -echo; PS1=; clear; echo be''low; printf '\\033[?1049h\\033[2J\\033[4;7H\\033[32mgre%s\\033[m\\033[?1000h\\033[?1006h' en; read -r x; printf '\\033[?1049l\\033[?1000l'; echo af''ter\r", 'green');
  const later = await stage.client(server);
  const { history, replayPreamble } = await later.open({ ...key, attach: true });
  assert.match(history, /below/);
  assert.match(history, /\x1b\[\?(1049|1047|47)h[\s\S]*green/);
  assert.match(history, /\x1b\[\?1000h/);
  assert.equal(replayPreamble, undefined, 'history ends with the modes');
  const cells = await later.call('terminal.snapshot', { ...key, format: 'cells' });
  assert.equal(cells.alternate, true);
  assert.equal(colour(cells.screen[3], 'green'), '2');
  await later.run(key, '\r', 'after');
  const ended = await later.call('terminal.snapshot', { ...key, format: 'plain' });
  assert.equal(ended.alternate, false);
  assert.match(ended.text, /^below\nafter/m);
});

scenario('coming back costs what the screen costs, not what was printed', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 80, rows: 24, streamOutput: false });
  await client.write(key, "stty -echo; seq 1 300000; printf 'do%s' ne\r");
  await looks(client, key, /300000\ndone/);
  const screen = await client.open({ ...key, attach: true, scrollback: 0 });
  assert.ok(screen.history.length < 20_000, `${screen.history.length} characters`);
  assert.match(screen.history, /299990\r\n[\s\S]*300000/);
  assert.doesNotMatch(screen.history, /299900/);
  const all = await client.open({ ...key, attach: true });
  assert.match(all.history, /295100\r\n/);
  assert.ok(Buffer.byteLength(all.history) <= 1 << 20);
  const raw = await client.open({ ...key, attach: true, historyFormat: 'raw' });
  assert.match(raw.history, /300000\r\n/);
});

scenario('a narrower and a wider window lose no text', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 100, rows: 20 });
  const line = 'abcdefghij'.repeat(9);
  await client.run(key, `stty -echo; PS1=; clear; echo ${line}; printf '日本語%s\\n' ok\r`, /語ok/);
  const before = await looks(client, key, /ok/);
  for (const cols of [40, 23, 200, 61]) await client.call('terminal.resize', { ...key, cols, rows: 20 });
  assert.equal(await looks(client, key, /ok/), before);
  assert.match(before, new RegExp(`^${line}$`, 'm'));
});

scenario('after a clear there is nothing to show but the modes', async (stage) => {
  const server = await stage.server();
  const client = await stage.client(server);
  const { key } = await client.open({ cols: 80, rows: 24 });
  await client.run(key, "stty -echo; PS1=; printf '\\033[?2004h\\033[?1002hse%s' t; read -r x\r", 'set');
  await client.call('terminal.clear', key);
  const later = await (await stage.client(server)).open({ ...key, attach: true });
  assert.equal(later.history, '');
  assert.match(later.replayPreamble, /\x1b\[\?2004h/);
  assert.match(later.replayPreamble, /\x1b\[\?1002h/);
});

scenario('the second emulator shows the same', async (stage) => {
  const texts = [];
  for (const emulator of ['native', 'libvterm']) {
    const server = await stage.server({ args: ['--emulator', emulator] });
    const client = await stage.client(server);
    const { key } = await client.open({ cols: 60, rows: 12 });
    await client.run(key, "stty -echo; PS1=; clear; printf '\\033[1;34mblue\\033[m\\ttab\\r\\n\\033[3;5Hhere\\033[K\\n日本\\r\\n'; printf 'do%s' ne\r", 'done');
    texts.push(await looks(client, key, /done/));
  }
  assert.equal(texts[0], texts[1]);
  assert.match(texts[0], /blue\s+tab\n\n\s+here/);
});
