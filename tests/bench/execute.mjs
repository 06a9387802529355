// How long terminal.execute takes for an `echo`, beside an `echo` that is typed at the prompt of the same bash, until its next
// prompt is seen; and 100 commands in 100 terminals at once.
import { quantile, round, timed } from './round.mjs';

/** By turns, so that what disturbs the machine disturbs both. */
const TURNS = 4;
const TIMES = 50;
const TERMINALS = 100;

let typed = 0;

/** ms of each, typed as a person types it: the prompt holds a number that neither the echo nor an earlier one shows. */
async function atThePrompt(client) {
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    typed += 1;
    const line = `PS1="<$((${typed} + 10000))>"; echo hello\r`;
    times.push(await timed(() => client.run('typed', line, `<${typed + 10000}>`)));
  }
  return times;
}

async function executed(client) {
  const times = [];
  for (let n = 0; n < TIMES; n += 1) {
    const begin = performance.now();
    const { content, exitCode } = await client.call('terminal.execute', { threadId: 'executed', command: 'echo hello' });
    times.push(performance.now() - begin);
    if (content !== 'hello' || exitCode !== 0) throw new Error(`${exitCode}: ${content}`);
  }
  return times;
}

/** s until the last of them has its answer; all are right. */
async function atOnce(client) {
  const one = async (_, n) => {
    const params = { threadId: `many ${n % 4}`, terminalId: `${n}`, command: `echo ${n}; sh -c 'exit ${n}'`, timeout: 60 };
    const { content, exitCode } = await client.call('terminal.execute', params);
    if (content !== `${n}` || exitCode !== n) throw new Error(`${n} was told as ${exitCode}: ${content}`);
  };
  return (await timed(() => Promise.all(Array.from({ length: TERMINALS }, one)))) / 1000;
}

await round(async (made) => {
  const client = await made.client(await made.server({ shell: '/bin/bash' }));
  await client.open('typed', { terminalId: 'default' });
  await executed(client);
  const [ours, plain] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    plain.push(...(await atThePrompt(client)));
    ours.push(...(await executed(client)));
  }
  const more = (part) => quantile(ours, part) - quantile(plain, part);
  return {
    execute_p50_ms: quantile(ours, 0.5), typed_p50_ms: quantile(plain, 0.5), p50_ms_more: more(0.5), p99_ms_more: more(0.99),
    s_for_100: await atOnce(client),
  };
});
