// The command line of a sweep.
import { parseArgs } from 'node:util';
import { ECHO_BOUND_MS, sweep, SweepFailure } from './sweep.mjs';

const number = (text) => {
  if (!/^\d+$/.test(text)) throw new Error(`not a number: ${text}`);
  return Number(text);
};

function options() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      calls: { type: 'string' },
      lives: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1e9) },
      clients: { type: 'string', default: '16' },
      threads: { type: 'string' },
      echo: { type: 'string', default: String(ECHO_BOUND_MS) },
    },
  });
  const { seconds, clients, echo, seed } = values;
  const [calls, lives, threads] = [values.calls, values.lives, values.threads].map((text) => text && number(text));
  return { seed, seconds: number(seconds), calls, lives, clients: number(clients), threads, echoBound: number(echo) };
}

try {
  const asked = options();
  console.log(`seed ${asked.seed}, ${asked.calls ? `${asked.calls} calls` : `${asked.seconds} s`}, ${asked.clients} clients`);
  console.log(await sweep({ ...asked, say: console.log }));
} catch (error) {
  console.log(error instanceof SweepFailure ? error.message : error.stack);
  process.exitCode = 1;
}
