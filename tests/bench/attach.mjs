// How long it takes to be shown a terminal that has printed a gigabyte, beside one that has printed 10 MB: from the call until
// its reply, with the screen alone and with all of the scrollback.
import { quantile, round, timed } from './round.mjs';

const TRIES = 50;
const LINE = '\\033[32mok\\033[0m compiling a unit of which the name is as long as names of such units are';

const print = (client, threadId, bytes) => client.run(threadId,
  `stty -echo; yes "$(printf '${LINE}')" | head -c ${bytes}; printf 'prin%s' ted\r`, 'printed');

/** Medians of ms and of KB on the wire. */
async function attach(made, server, params) {
  const [times, sizes] = [[], []];
  for (let n = 0; n < TRIES; n += 1) {
    const client = await made.client(server);
    await client.call('terminal.list', {}); // nothing that greets comes after this
    const before = client.bytes;
    times.push(await timed(() => client.call('terminal.open', { cwd: '/', attach: true, ...params })));
    sizes.push(client.bytes - before);
    client.close();
  }
  return { ms: quantile(times, 0.5), kb: quantile(sizes, 0.5) / 1000 };
}

await round(async (made) => {
  const server = await made.server();
  const owner = await made.client(server);
  for (const [threadId, bytes] of [['little', 10e6], ['much', 1e9]]) {
    await owner.open(threadId);
    await print(owner, threadId, bytes);
  }
  const little = await attach(made, server, { threadId: 'little', scrollback: 0 });
  const much = await attach(made, server, { threadId: 'much', scrollback: 0 });
  const all = await attach(made, server, { threadId: 'much' });
  return { ms: much.ms, kb: much.kb, ms_all: all.ms, kb_all: all.kb, ms_after_10_mb: little.ms, as_after_10_mb: much.ms / little.ms };
});
