// 2000 shells of which nobody wants anything: what they cost of memory and of the processors, and how long a loop stands still
// at most while they go quiet and their Screens are put away.
import { cpuSeconds, ownProcesses, residentKb } from './processes.mjs';
import { pause, quantile, round, signsOfLife } from './round.mjs';

const SHELLS = 2000;
/** Openings under way at a time. */
const AT_ONCE = 8;
/** Connections that ask for signs of life; with so many each loop has some. */
const PROBES = 8;
/** After so long without input and output a Screen is put away (Recorder::kQuiet), and some time is left to do so: ms. */
const GOING_QUIET_MS = 30_000;
const QUIET_MS = 10_000;

async function openAll(client) {
  let next = 0;
  const openSome = async () => {
    while (next < SHELLS) {
      const threadId = `shell ${next++}`;
      const greeted = client.heard({ threadId }).next(' ');
      await client.open(threadId);
      await greeted;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, openSome));
}

await round(async (made) => {
  const server = await made.server({ args: ['--max-sessions', String(SHELLS + 8)] });
  const client = await made.client(server);
  await client.open('first'); // what the first one of all costs is nobody's part
  const pids = ownProcesses(server);
  const before = residentKb(pids);
  await openAll(client);
  const probes = [];
  for (let n = 0; n < PROBES; n += 1) probes.push(await made.client(server));
  const end = performance.now() + GOING_QUIET_MS;
  const times = (await Promise.all(probes.map((probe) => signsOfLife(probe, () => performance.now() > end)))).flat();
  const [cpu, begin] = [cpuSeconds(pids), performance.now()];
  await pause(QUIET_MS);
  const percent = ((cpuSeconds(pids) - cpu) / (performance.now() - begin)) * 1000 * 100;
  return {
    shells: SHELLS, kb_per_shell: (residentKb(pids) - before) / SHELLS, idle_cpu_percent: percent,
    longest_stop_ms: quantile(times, 1), stop_p999_ms: quantile(times, 0.999),
  };
});
