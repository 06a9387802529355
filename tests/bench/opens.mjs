// Whether opening a terminal takes as long when there are 1000 as when there are few: opened one after the other by one
// connection, each until its shell has said something.
import { round, timed } from './round.mjs';

const SESSIONS = 1000;
/** Rates are of so many opens in a row: the second hundred, and the last. */
const SPAN = 100;

async function open(client, n) {
  const threadId = `session ${n}`;
  const greeted = client.heard({ threadId }).next(' ');
  await client.open(threadId);
  await greeted;
}

await round(async (made) => {
  const client = await made.client(await made.server());
  const times = [];
  for (let n = 0; n < SESSIONS; n += 1) times.push(await timed(() => open(client, n)));
  const rate = (from) => (1000 * SPAN) / times.slice(from, from + SPAN).reduce((sum, each) => sum + each, 0);
  const [few, many] = [rate(SPAN), rate(SESSIONS - SPAN)];
  return { open_per_s_at_100: few, open_per_s_at_1000: many, level: many / few };
});
