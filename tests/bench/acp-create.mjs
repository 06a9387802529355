// How long an agent waits for the reply to terminal/create, beside a plain posix_spawn of the same program.
import { execFileSync } from 'node:child_process';
import { quantile, round } from './round.mjs';

const PROGRAM = '/bin/true';
/** By turns, so that what disturbs the machine disturbs both. */
const TURNS = 4;
const TIMES = 50;

const SPAWNS = `
import json, os, sys, time
times = []
for _ in range(int(sys.argv[2])):
    begin = time.perf_counter()
    pid = os.posix_spawn(sys.argv[1], [sys.argv[1]], os.environ)
    times.append((time.perf_counter() - begin) * 1000)
    os.waitpid(pid, 0)
print(json.dumps(times))
`;

const spawned = () => JSON.parse(execFileSync('python3', ['-c', SPAWNS, PROGRAM, String(TIMES)], { encoding: 'utf8' }));

/** ms until the reply of each; the program has ended and is released before the next. */
async function created(agent) {
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const begin = performance.now();
    const { terminalId } = await agent.request('terminal/create', { sessionId: 'bench', command: PROGRAM, args: [] });
    times.push(performance.now() - begin);
    await agent.request('terminal/wait_for_exit', { sessionId: 'bench', terminalId });
    await agent.request('terminal/release', { sessionId: 'bench', terminalId });
  }
  return times;
}

await round(async (made) => {
  const agent = await made.client(await made.server(), { path: '/acp?role=delegate' });
  const [ours, plain] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    plain.push(...spawned());
    ours.push(...(await created(agent)));
  }
  const [create, spawn] = [quantile(ours, 0.5), quantile(plain, 0.5)];
  return { create_p50_ms: create, spawn_p50_ms: spawn, p50_ms_more: create - spawn };
});
