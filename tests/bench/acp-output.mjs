// Cost of terminal/output of a terminal that has printed a gigabyte, and what the server has grown by meanwhile: with the
// limit that an agent has by itself, and with the highest.
import { watchMemory } from '../e2e/support/process.mjs';
import { quantile, round, timed } from './round.mjs';

const TRIES = 200;
const LINE = 'a line of a build that has something to say of each of its files, and goes on for a gigabyte';
const MIB = 1 << 20;

async function printed(agent, bytes, options) {
  const args = ['-c', `yes '${LINE}' | head -c ${bytes}`];
  const { terminalId } = await agent.request('terminal/create', { sessionId: 'bench', command: 'sh', args, ...options });
  await agent.request('terminal/wait_for_exit', { sessionId: 'bench', terminalId });
  return { sessionId: 'bench', terminalId };
}

/** On a server of its own, with these members of the create besides. */
async function measured(made, options = {}) {
  const server = await made.server();
  const agent = await made.client(server, { path: '/acp?role=delegate' });
  await agent.request('terminal/output', await printed(agent, 100e6, options)); // what any long output takes once
  const memory = watchMemory(server.pid);
  const terminal = await printed(agent, 1e9, options);
  const times = [];
  for (let n = 0; n < TRIES; n += 1) times.push(await timed(() => agent.request('terminal/output', terminal)));
  return { p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99), growth_mb: memory.grown() / MIB };
}

await round(async (made) => {
  const plain = await measured(made);
  const highest = await measured(made, { outputByteLimit: MIB });
  const named = Object.entries(highest).map(([field, value]) => [`${field}_at_1_mib`, value]);
  return { ...plain, ...Object.fromEntries(named) };
});
