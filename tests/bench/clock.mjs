// How old the present is that a viewer at the end of a line of 20 KB a second sees of a flood that says what time it is, from
// the first moment, and again after a full-screen program was left; and what a fast viewer beside it loses by that.
import fs from 'node:fs';
import path from 'node:path';
import { pause, quantile, round } from './round.mjs';

const RATE = 20_000;
const LOOK_MS = 20;
const WATCH_MS = 10_000;
const ALONE_MS = 5000;

/** Floods with lines that say the time in ms. */
const CLOCK = `import os, time
while True:
    os.write(1, b"<%d> and what else such a line says of something that is under way\\n" % (time.time() * 1000) * 50)
`;
const FULL_SCREEN = 'if command -v htop >/dev/null; then htop -d 1; else top -d 0.1; fi';
const WATCH_FULL_SCREEN_MS = 3000;

/** Calls with each time that is shown; a stamp may come in two pieces. */
function watchStamps(heard, shown) {
  let rest = '';
  heard.onText = (text) => {
    const whole = rest + text;
    for (const [, stamp] of whole.matchAll(/<(\d{13})>/g)) shown(Number(stamp));
    rest = whole.slice(-15);
  };
}

/** Ages in ms of what is shown, looked at all the time from now on. */
async function ages(client, threadId) {
  let newest = Date.now();
  watchStamps(client.heard({ threadId }), (stamp) => (newest = Math.max(newest, stamp)));
  const found = [];
  for (const end = performance.now() + WATCH_MS; performance.now() < end; ) {
    await pause(LOOK_MS);
    found.push(Date.now() - newest);
  }
  client.heard({ threadId }).onText = null;
  return found;
}

/** Bytes a second that it hears for so long. */
async function rateOf(client, threadId, ms) {
  const heard = client.heard({ threadId });
  const [bytes, begin] = [heard.bytes, performance.now()];
  await pause(ms);
  return ((heard.bytes - bytes) / (performance.now() - begin)) * 1000;
}

await round(async (made) => {
  const server = await made.server();
  const script = path.join(server.home, 'clock.py');
  fs.writeFileSync(script, CLOCK);
  const flood = `python3 ${script}\r`;
  const threadId = 'clock';
  const fast = await made.client(server);
  await fast.open(threadId);
  await fast.run(threadId, flood, 'under way');
  const alone = await rateOf(fast, threadId, ALONE_MS);
  await fast.run(threadId, "\x03PS1='<%>'\r", '<%>');

  const slow = await made.client(server, { line: await made.line(server, { rate: RATE }) });
  await slow.open(threadId, { attach: true });
  await fast.write(threadId, flood);
  const [cold, beside] = await Promise.all([ages(slow, threadId), rateOf(fast, threadId, WATCH_MS)]);
  await fast.run(threadId, '\x03', '<%>');

  await fast.write(threadId, `${FULL_SCREEN}\r`);
  await pause(WATCH_FULL_SCREEN_MS);
  await fast.write(threadId, 'q');
  await fast.write(threadId, flood);
  const afterwards = await ages(slow, threadId);
  return {
    age_p99_s: quantile(cold, 0.99) / 1000, age_p99_s_after_htop: quantile(afterwards, 0.99) / 1000, age_p50_s: quantile(cold, 0.5) / 1000,
    fast_keeps: beside / alone, fast_mb_s: beside / 1e6,
  };
});
