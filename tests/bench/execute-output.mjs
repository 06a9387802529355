// A gigabyte that a command prints by terminal.execute: what the server has grown by meanwhile, how fast it was, and that both
// ends are told with exact counts; likewise 100 MB without a line feed.
import { watchMemory } from '../e2e/support/process.mjs';
import { round } from './round.mjs';

const LINE = 'a line of a build that has something to say of each of its files, and goes on for a gigabyte';
const MIB = 1 << 20;
const LINES = 10_000_000;

async function untilItEnds(client, command) {
  const params = { threadId: 'bench', timeout: 60, maxOutputChars: 1000 };
  let answer = await client.call('terminal.execute', { ...params, command });
  const told = [answer];
  while (answer.status === 'running') {
    answer = await client.call('terminal.execute', { ...params, command: '' });
    told.push(answer);
  }
  return told;
}

const toldBytes = ({ content, omittedBytes }) => omittedBytes + Buffer.byteLength(content.replace(/\n?\[\.\.\. .* omitted \.\.\.\]\n/, ''));

await round(async (made) => {
  const server = await made.server({ shell: '/bin/bash' });
  const client = await made.client(server);
  await untilItEnds(client, `yes '${LINE}' | head -n 1000000`); // what any long output takes once
  const memory = watchMemory(server.pid);
  const begin = performance.now();
  const told = await untilItEnds(client, `yes '${LINE}' | head -n ${LINES}`);
  const seconds = (performance.now() - begin) / 1000;
  const growth = memory.grown() / MIB;
  const [without] = (await untilItEnds(client, "head -c 100000000 /dev/zero | tr '\\0' x")).slice(-1);
  if (without.exitCode !== 0 || without.totalBytes !== 100_000_000) throw new Error(JSON.stringify(without).slice(0, 300));
  const bytes = told.reduce((sum, each) => sum + toldBytes(each), 0);
  const expected = LINES * (LINE.length + 1);
  return { growth_mb: growth, growth_mb_without_line_feed: memory.grown() / MIB, mb_s: expected / 1e6 / seconds, bytes_off: Math.abs(expected - bytes - told.length), answers: told.length };
});
