// Links of different speed under a long output: they carry all of it, or the present with holes that are marked.
// Release too: how fast a link is counted as being.
import assert from 'node:assert/strict';
import { LONG_MS } from './support/deadline.mjs';
import { countedLines, holesIn } from './support/holes.mjs';
import { scenario } from './support/stage.mjs';
import { slowly } from './support/trouble.mjs';

const KIB = 1 << 10;
/** The reference's client writes to its emulator, and says so, once per frame of the browser. */
const FRAME_MS = 16;
/** A client that is stopped for a while is passed over, as is right: a machine that stops everybody gets another try. */
const TRIES = 5;
/** So many times slower goes the server's clock, and all else with it: as much longer may the machine stop the client. */
const SLOWER = 4;
const LINES = 200_000;

/** Acknowledges what a terminal says as the reference's client does, once in `frame` ms. */
function acknowledge(client, key, frame) {
  let [shown, timer] = [0, null];
  const tell = () => {
    client.send('terminal.ackOutput', { ...key, bytes: shown });
    [shown, timer] = [0, null];
  };
  client.onEvent = (event) => {
    if (event.type !== 'output') return;
    shown += event.byteLength;
    timer ??= setTimeout(tell, frame);
  };
}

/** A terminal at the end of a line of so many bytes a second, whose viewer acknowledges. */
async function terminalBehind(stage, server, rate, params = {}, frame = FRAME_MS) {
  const proxy = await stage.proxy(server);
  proxy.rules.rate = rate;
  const client = await stage.client(server, { through: proxy });
  const { key } = await client.open({ cols: 80, rows: 24, ...params });
  acknowledge(client, key, frame);
  await client.run(key, "stty -echo; PS1=; printf 'rea%s\\n' dy\r", 'ready');
  return { proxy, client, key };
}

const count = ({ client, key }, last) => client.run(key, `seq 1 ${last}; printf 'do%s\\n' ne\r`, 'done', { deadline: LONG_MS });

/** Holes in what was shown of `seq 1 LAST`, each marked once, by a number that is not less than what is missing. */
function holesTold(lines, last) {
  const numbers = lines.flatMap(({ number }) => number ?? []);
  assert.equal(numbers[0], 1);
  assert.equal(numbers.at(-1), last);
  const holes = holesIn(lines);
  for (const { after, before, marks } of holes) {
    assert.ok(before > after, `after ${after} came ${before}`);
    assert.equal(marks.length, 1, `between ${after} and ${before} stand the marks ${marks}`);
    assert.ok(marks[0] >= before - after - 1, `between ${after} and ${before} only ${marks[0]} are said to be missing`);
  }
  return holes;
}

scenario('who acknowledges at the end of a line of 1 MiB a second misses nothing', (stage) => slowly(SLOWER, async (env) => {
  // Frames are a quarter longer than their text, of which 512 KiB are enough: the rest is for a machine that is busy.
  const server = await stage.server({ env });
  const holes = [];
  for (let n = 0; n < TRIES && holes.at(-1) !== 0; n += 1) {
    const terminal = await terminalBehind(stage, server, (1024 * KIB) / SLOWER, {}, FRAME_MS * SLOWER);
    holes.push(holesTold(countedLines(await count(terminal, LINES)), LINES).length);
    await terminal.client.call('terminal.close', terminal.key);
  }
  stage.note(`holes in each try: ${holes}`);
  assert.equal(holes.at(-1), 0, `holes in each of ${TRIES} tries: ${holes}`);
}));

scenario('at the end of a line of 20 KB a second each hole is marked once, and the last lines are whole', async (stage) => {
  const terminal = await terminalBehind(stage, await stage.server(), 20_000);
  const lines = countedLines(await count(terminal, 400_000));
  const holes = holesTold(lines, 400_000);
  assert.ok(holes.length > 0, 'more than such a line carries');
  assert.equal(lines.filter(({ mark }) => mark !== undefined).length, holes.length, 'no mark without a hole');
  assert.ok(400_000 - holes.at(-1).before > 24, 'more than the screen is shown of what came last');
});

scenario('Ctrl-C at the end of a slow line brings the prompt before much more of a flood', async (stage) => {
  const terminal = await terminalBehind(stage, await stage.server(), 20_000);
  const { proxy, client, key } = terminal;
  const between = [];
  for (let n = 1; n <= 5; n += 1) {
    // A prompt that neither the echo nor an earlier screen shows.
    await client.run(key, `PS1="<$((${n} + 100))>"; yes\r`, 'y\r\ny\r\n');
    await client.call('terminal.list', {}); // once more back and forth: the line is full by then
    const before = proxy.delivered;
    await client.run(key, '\x03', `<${n + 100}>`);
    between.push(proxy.delivered - before);
  }
  stage.note(`bytes between Ctrl-C and the prompt: ${between}`);
  assert.ok(Math.max(...between) <= 64 * KIB, `bytes between Ctrl-C and the prompt: ${between}`);
});
