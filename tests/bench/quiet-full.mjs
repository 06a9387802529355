// 200 shells with a full scrollback of long coloured lines that go quiet together on one event loop: how long it stands
// still at most while their Screens are put away.
import { quantile, round, signsOfLife } from './round.mjs';

const SHELLS = 200;
const SIZE = { cols: 200, rows: 50 };
const [LINES, WORDS] = [5000, 40];
/** The first one is put away 8 s after its last line (Recorder::kQuiet), and all take some time: ms. */
const GOING_QUIET_MS = 90_000;
/** A colour for each word. */
const print = `awk 'BEGIN { for (i = 0; i < ${LINES}; i++) { s = ""; for (j = 0; j < ${WORDS}; j++) s = s sprintf("\\033[3%dmabcd ", (i + j) % 8); print s } }'; echo prin''ted\r`;

await round(async (made) => {
  const server = await made.server({ threads: 1, args: ['--max-sessions', String(SHELLS + 8)] });
  const client = await made.client(server);
  for (let n = 0; n < SHELLS; n += 1) {
    await client.open(`shell ${n}`, SIZE);
    await client.run(`shell ${n}`, print, 'printed');
  }
  const probe = await made.client(server);
  const end = performance.now() + GOING_QUIET_MS;
  const times = await signsOfLife(probe, () => performance.now() > end);
  return { shells: SHELLS, longest_stop_ms: quantile(times, 1), stop_p999_ms: quantile(times, 0.999) };
});
