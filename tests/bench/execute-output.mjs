// A gigabyte that a command prints by terminal.execute, and 100 MB without a line feed: the most that the server has grown by
// meanwhile, how fast it was, and that the ends that are told and the counts of what lies between are exact. Before it, the same
// terminal has shown as much as it keeps, of the same kind, to a person: what grows is what the command takes.
import { memory } from '../e2e/support/process.mjs';
import { pause, round } from './round.mjs';

const LINE = 'a line of a build that has something to say of each of its files, and goes on for a gigabyte';
const LINES = 11_000_000;
const WITHOUT = 100_000_000;
const MIB = 1 << 20;
const LOOK_MS = 20;
const key = { threadId: 'bench' };

/** `work`'s result, its seconds, and the most memory of no file that the process had meanwhile, beyond that at the beginning. */
async function watched(pid, work) {
  const before = memory(pid).anonymous;
  let most = 0;
  const look = () => (most = Math.max(most, memory(pid).anonymous - before));
  const looking = setInterval(look, LOOK_MS);
  const begin = performance.now();
  const result = await work();
  const seconds = (performance.now() - begin) / 1000;
  clearInterval(looking);
  look();
  return { result, seconds, growth_mb: most / MIB };
}

async function untilItEnds(client, command) {
  const params = { ...key, timeout: 60, maxOutputChars: 1000 };
  const told = [await client.call('terminal.execute', { ...params, command })];
  while (told.at(-1).status === 'running') told.push(await client.call('terminal.execute', { ...params, command: '' }));
  if (told.at(-1).exitCode !== 0) throw new Error(JSON.stringify(told.at(-1)).slice(0, 300));
  return told;
}

/** A person types the command; done when the next one may run. */
async function typed(client, command) {
  await client.write(key.threadId, `${command}; echo\r`);
  for (;;) {
    const answer = await client.call('terminal.execute', { ...key, command: 'true' }).catch(() => null);
    if (answer) return;
    await pause(LOOK_MS);
  }
}

/** Bytes that were told or left out, without the line that says so. */
const ofText = ({ content, omittedBytes }) => omittedBytes + Buffer.byteLength(content.replace(/\[\.\.\. .* omitted \.\.\.\]\n/, ''));

/** Line feeds between two answers, and after the last one, which no answer has: none where an answer ends within a line. */
function untoldLineFeeds(told) {
  const isBetween = ({ content }, next) => content.endsWith(LINE) && !told[next]?.content.startsWith('\n');
  return told.filter((answer, n) => isBetween(answer, n + 1)).length;
}

async function grown(made, before, command) {
  const server = await made.server({ shell: '/bin/bash' });
  const client = await made.client(server);
  await untilItEnds(client, 'true');
  await typed(client, before);
  return watched(server.pid, () => untilItEnds(client, command));
}

await round(async (made) => {
  const lines = await grown(made, `yes '${LINE}' | head -n 1000000`, `yes '${LINE}' | head -n ${LINES}`);
  const expected = LINES * (LINE.length + 1);
  const bytes = lines.result.reduce((sum, answer) => sum + ofText(answer), untoldLineFeeds(lines.result));
  const zeros = (count) => `head -c ${count} /dev/zero | tr '\\0' x`;
  const without = await grown(made, zeros(WITHOUT / 5), zeros(WITHOUT));
  const cut = without.result.reduce((sum, { content, omittedBytes }) => sum + omittedBytes + content.replace(/[^x]/g, '').length, 0);
  return {
    growth_mb: lines.growth_mb, growth_mb_without_line_feed: without.growth_mb, mb_s: expected / 1e6 / lines.seconds,
    mb_s_without_line_feed: WITHOUT / 1e6 / without.seconds, bytes_off: Math.abs(expected - bytes) + Math.abs(WITHOUT - cut),
    answers: lines.result.length,
  };
});
