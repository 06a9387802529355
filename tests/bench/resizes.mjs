// Echo in one terminal while, on the same event loop, another one with a full scrollback of long lines is dragged to
// another width again and again and opened anew: resizes and opens lay out lines, and others' keys wait meanwhile.
import { pause, quantile, round, timed } from './round.mjs';

const [LINES, LENGTH] = [5000, 480];
const SECONDS = 10;
const RESIZE_MS = 16; // of a drag: each frame of a display
const OPEN_MS = 250;
const sizeAt = (n) => ({ cols: 80 + (n % 120), rows: 24 + (n % 20) });

async function repeat(isOver, ms, work) {
  for (let n = 0; !isOver(); n += 1) {
    await work(n);
    await pause(ms);
  }
}

async function echoes(owner, isOver) {
  const times = [];
  while (!isOver()) {
    times.push(await timed(() => owner.run('owned', 'echo a\'\'b\r', 'ab\r\n')));
    await pause(2);
  }
  return times;
}

const soon = () => {
  const end = performance.now() + SECONDS * 1000;
  return () => performance.now() > end;
};

await round(async (made) => {
  const server = await made.server({ threads: 1 });
  const owner = await made.client(server);
  const dragging = await made.client(server);
  await owner.open('owned');
  await dragging.open('wide');
  await dragging.run('wide', `x=$(printf '%${LENGTH}s' | tr ' ' x); yes "$x" | head -n ${LINES}; printf 'prin%s' ted\r`, 'printed');
  const alone = await echoes(owner, soon());
  const isOver = soon();
  const opens = [];
  const [beside] = await Promise.all([
    echoes(owner, isOver),
    repeat(isOver, RESIZE_MS, (n) => dragging.call('terminal.resize', { threadId: 'wide', ...sizeAt(n) })),
    repeat(isOver, OPEN_MS, async () => {
      const client = await made.client(server);
      opens.push(await timed(() => client.call('terminal.open', { threadId: 'wide', cwd: '/', attach: true })));
      client.close();
    }),
  ]);
  return {
    echo_p50_ms: quantile(beside, 0.5), echo_p99_ms: quantile(beside, 0.99), echo_most_ms: quantile(beside, 1),
    echo_p99_ms_alone: quantile(alone, 0.99), open_p50_ms: quantile(opens, 0.5), open_p99_ms: quantile(opens, 0.99), opens: opens.length,
  };
});
