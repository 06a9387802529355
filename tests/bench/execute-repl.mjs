// How long after its prompt an answer of python3 is told that isInput has asked for.
import { quantile, round } from './round.mjs';

const TIMES = 20;

await round(async (made) => {
  const server = await made.server({ shell: '/bin/bash' });
  const client = await made.client(server);
  const key = { threadId: 'repl' };
  await client.call('terminal.execute', { ...key, command: 'python3 -q', timeout: 3, env: { PYTHON_BASIC_REPL: '1' } });
  await client.call('terminal.open', { ...key, cwd: '/', attach: true });
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const result = `${n + 10000}`;
    const seen = client.heard(key).next(`\n${result}\r\n`).then(() => performance.now());
    const { content } = await client.call('terminal.execute', { ...key, command: `print(${n} + 10000)`, isInput: true });
    times.push(performance.now() - (await seen));
    if (!content.includes(result)) throw new Error(content);
  }
  return { p50_ms: quantile(times, 0.5), most_ms: quantile(times, 1) };
});
