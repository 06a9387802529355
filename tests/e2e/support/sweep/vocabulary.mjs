// Vocabulary of random clients: methods with their parameters, right and wrong ones, and frames that are no requests at all.
import os from 'node:os';
import path from 'node:path';

/** A drive that is slow, or hangs, for a while (see weather.mjs). */
export const DRIVE = path.join(os.tmpdir(), `ptyd-sweep-drive-${process.pid}`);

/** Few names, so that clients meet at the same terminals. */
const THREADS = 4;
const TERMINALS = 5;
const MIB = 1 << 20;

export const keys = Array.from({ length: THREADS * TERMINALS }, (_, n) => ({
  threadId: `sweep-${n % THREADS}`,
  terminalId: `t${Math.floor(n / THREADS)}`,
}));
export const threads = [...new Set(keys.map(({ threadId }) => threadId))];

/**
 * Typed commands. No jobs in the background: what survives its shell is not what this is about. Nothing prints for ever:
 * a machine with a few of those does nothing else, and the longest here is twice what the journal keeps.
 */
const TYPED = [
  '\r', 'seq 1 200\r', 'seq 1 20000\r', 'yes | head -n 50000\r', "printf '\\033[31mred\\033[0m\\n'\r", 'echo héllo 😀 漢字\r', '\x03',
  '\x03', 'exit\r', '\x04', 'cat\r', 'stty size\r', "printf '\\033[?1049h\\033[2J\\033[?1000h'\r", "printf '\\033]2;a title\\007'\r",
  "printf '\\033c\\033[6n'\r", 'sleep 1\r', 'sleep 1000\r', "trap '' HUP TERM; sleep 30\r", `${'x'.repeat(5000)}\r`, 'exec cat\r', 'yes 0123456789 | head -n 100000\r',
];

/** Sizes as people have them: what the largest cost is measured elsewhere. */
const size = (random) => ({ cols: random.between(20, 300), rows: random.between(5, 80) });
const cwd = (random) => ({ cwd: random.weighted([[20, '/'], [1, '/nowhere'], [1, '/etc/passwd'], [1, DRIVE]]) });
const some = (random, probability, make) => (random.chance(probability) ? make() : {});
const features = (random) => some(random, 0.3, () => ({ features: random.pick([['title'], ['resized', 'warning', 'title'], ['shutdown', 'clipboard', 'process']]) }));

function open(random, key, cursors) {
  const known = cursors.get(`${key.threadId}\0${key.terminalId}`);
  const after = random.weighted([[10, known], [9, undefined], [1, 'no-cursor']]);
  return {
    ...key,
    ...cwd(random),
    ...some(random, 0.3, () => size(random)),
    ...some(random, 0.4, () => ({ attach: true })),
    ...some(random, 0.1, () => ({ policy: 'lossless' })),
    ...some(random, 0.05, () => ({ hold: random.pick(['one', 'another']) })),
    ...some(random, 0.2, () => ({ historyFormat: random.pick(['screen', 'raw']) })),
    ...some(random, 0.3, () => ({ scrollback: random.pick([0, 10, 100000]) })),
    ...some(random, 0.2, () => ({ streamOutput: random.chance(0.6) })),
    ...some(random, 0.1, () => ({ env: { SWEEP: 'yes', T3CODE_TERMINAL_CLI_KIND: random.pick(['codex', 'claude', 'none']) } })),
    ...features(random),
    ...(after ? { after } : {}),
  };
}

const keyOrThread = (random, key) => (random.chance(0.9) ? key : { threadId: key.threadId });

/** [weight, method, parameters]. */
const METHODS = [
  [20, 'terminal.open', open],
  [25, 'terminal.write', (random, key) => ({ ...key, data: random.pick(TYPED) })],
  [8, 'terminal.resize', (random, key) => ({ ...key, ...size(random) })],
  [3, 'terminal.clear', (random, key) => key],
  [4, 'terminal.restart', (random, key) => ({ ...key, ...cwd(random), ...size(random) })],
  [4, 'terminal.close', (random, key) => ({ ...keyOrThread(random, key), ...some(random, 0.5, () => ({ deleteHistory: true })) })],
  [6, 'terminal.list', (random, key) => some(random, 0.3, () => ({ threadId: key.threadId }))],
  [3, 'terminal.execute', (random, key) => ({ ...key, command: random.pick(['echo swept', 'C-c', '', 'cd /usr && false', 'exit 3']), timeout: random.pick([0, 0.2]) })],
  [5, 'terminal.snapshot', (random, key) => ({ ...key, format: random.pick(['plain', 'vt', 'cells']), scrollback: random.pick([0, 0, 50]) })],
  [3, 'terminal.ackOutput', (random, key) => ({ ...key, bytes: random.pick([1, 4096, 8 * MIB]) })],
];
const ROWS = METHODS.map(([weight, ...row]) => [weight, row]);

/** A request that decodes: {tag, params}. `cursors` are those the client has reached. */
export function request(random, cursors = new Map()) {
  const [tag, params] = random.weighted(ROWS);
  return { tag, params: params(random, random.pick(keys), cursors) };
}

/** The same for one method. */
export function requestOf(random, tag, cursors = new Map()) {
  return { tag, params: METHODS.find(([, name]) => name === tag)[2](random, random.pick(keys), cursors) };
}

/** A request that is refused for one of its fields. */
export function wrongRequest(random) {
  const key = random.pick(keys);
  return random.pick([
    { tag: 'terminal.fly', params: key },
    { tag: 'terminal.open', params: { ...key, cwd: 5 } },
    { tag: 'terminal.open', params: { cwd: '/' } },
    { tag: 'terminal.open', params: { ...key, cwd: '/', cols: 19, rows: 1e9 } },
    { tag: 'terminal.open', params: { ...key, cwd: '/', env: { 'not a name': 'x' } } },
    { tag: 'terminal.open', params: { ...key, cwd: '/', features: Array(100).fill('title') } },
    { tag: 'terminal.open', params: { ...key, cwd: '/', policy: ['lossless'] } },
    { tag: 'terminal.write', params: { ...key, data: '' } },
    { tag: 'terminal.write', params: { ...key, data: 'x'.repeat(65537) } },
    { tag: 'terminal.write', params: { threadId: 'x'.repeat(random.between(1025, 500_000)), data: 'x' } },
    { tag: 'terminal.resize', params: { ...key, cols: '80', rows: {} } },
    { tag: 'terminal.close', params: { threadId: ' ', deleteHistory: 'no' } },
    { tag: 'terminal.ackOutput', params: { ...key, bytes: -1 } },
    { tag: 'terminal.snapshot', params: { ...key, format: 'oil on canvas' } },
  ]);
}

/** Frames of no language, which are answered to `unknown`. */
export const NONSENSE = [
  'no json', '', '5', 'null', '""', '[[]]', '{}', '{"id":5,"body":{"_tag":"terminal.list"}}', '{"id":" ","body":{}}', '['.repeat(1000), '{"a":'.repeat(500),
  '{"_tag":"terminal.list"}', '{"body":{"_tag":"terminal.list"}}', '\u0000', `"${'x'.repeat(200_000)}"`,
];
