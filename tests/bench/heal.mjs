// Echo on a slow link while the same client fetches its scrollback in pages, as one does that heals; and how long that
// takes for 5000 lines.
import { quantile, round, timed } from './round.mjs';

const LINK = { rate: 200_000, latency: 20 };
const LINES = 5000;
const ECHOES = 150;

/** All lines above the screen; ends early once `isOver`. */
async function fetchLines(client, isOver = () => false) {
  for (let fromLine; !isOver(); ) {
    const page = await client.call('terminal.snapshot', { threadId: 'owned', format: 'lines', scrollback: LINES, fromLine });
    if (page.nextLine >= page.endLine) return;
    fromLine = page.nextLine;
  }
}

async function echoes(client) {
  const times = [];
  while (times.length < ECHOES) times.push(await timed(() => client.run('owned', 'x', 'x')));
  return times;
}

await round(async (made) => {
  const server = await made.server();
  const client = await made.client(server, { line: await made.line(server, LINK) });
  await client.open('owned');
  await client.run('owned', `seq -f 'line %g as programs print them, some eighty characters long with what is said' ${LINES}; echo prin''ted\r`, 'printed');
  await client.run('owned', 'stty -icanon -echo; cat\r', '\n');
  const alone = await echoes(client);
  let isOver = false;
  const fetching = (async () => {
    while (!isOver) await fetchLines(client, () => isOver);
  })();
  const beside = await echoes(client);
  isOver = true;
  await fetching;
  const whole = await timed(() => fetchLines(client));
  const [p50, p50Alone] = [quantile(beside, 0.5), quantile(alone, 0.5)];
  return { echo_p50_ms: p50, echo_p50_ms_alone: p50Alone, as_alone: p50 / p50Alone, echo_p99_ms: quantile(beside, 0.99), whole_ms: whole };
});
