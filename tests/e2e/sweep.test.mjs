// Random clients of every kind against one server, and nothing of them is left. By hand, and for longer: scripts/sweep.
// Release too: eight clients as fast as they can.
// TSan too: all calls cross the loops.
import test from 'node:test';
import { sweep } from './support/sweep/sweep.mjs';

const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);
/** A sanitizer sees what the others only may; the longer one is for it. */
const seconds = /asan|debug/.test(process.env.PTYD_BIN ?? '') ? 30 : 10;

test('clients that ask, err, hang and leave at random leave nothing behind, and nobody waits', { timeout: 300_000 * scale + seconds * 1000 }, async (t) => {
  const seed = process.env.PTYD_SWEEP_SEED ?? String(Date.now() % 1e9);
  t.diagnostic(await sweep({ seed, seconds, clients: 8, threads: process.env.PTYD_THREADS }));
});
