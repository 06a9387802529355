// `yes` at the end of a line of 100 KB a second and 100 ms there and back: from Ctrl-C until the prompt.
import { pause, quantile, round, timed } from './round.mjs';

const LINE = { rate: 100_000, latency: 50 };
/** Several terminals, each at the end of a line of its own, so that a round is no matter of minutes. */
const TERMINALS = 4;
const TRIES = 25;
/** For so long, and as much again by chance, it floods before it is stopped: ms. */
const FLOOD_MS = 500;

async function stops(made, server, threadId) {
  const client = await made.client(server, { line: await made.line(server, LINE) });
  await client.open(threadId);
  const times = [];
  for (let n = 1; n <= TRIES; n += 1) {
    // A prompt that neither the echo nor an earlier screen shows.
    await client.run(threadId, `PS1="<$((${n} + 1000))>"; yes\r`, 'y\r\ny\r\n');
    await pause(FLOOD_MS * (1 + Math.random()));
    times.push(await timed(() => client.run(threadId, '\x03', `<${n + 1000}>`)));
  }
  return times;
}

await round(async (made) => {
  const server = await made.server();
  const terminals = Array.from({ length: TERMINALS }, (_, n) => stops(made, server, `terminal ${n}`));
  const times = (await Promise.all(terminals)).flat();
  return { p50_s: quantile(times, 0.5) / 1000, p99_s: quantile(times, 0.99) / 1000, tries: times.length };
});
