// Whether everything is in the scrollback 10 s after it is quiet: 50 MB of numbered lines over 200 KB/s, with five cuts and three
// resizes by chance, seen by the typed client and by the page in Chromium. A viewer with a fast line is there as well, so that the
// program does not wait for the slow one. PTYD_HEAL_SEEDS=10, of each; PTYD_TEST_SEED is the first. Needs web/dist and
// web/client/dist, which scripts/run builds.
import { createRequire } from 'node:module';
import { EmulatorView, newest, printTooFast, spoil } from '../e2e/support/healing.mjs';
import { FaultProxy } from '../e2e/support/proxy.mjs';
import { random, seed } from '../e2e/support/random.mjs';
import { WEB_DIST } from '../e2e/support/server.mjs';
import { WebSocket } from '../e2e/support/socket.mjs';
import { connect, replay } from '../../web/client/dist/index.js';
import { pause, round } from './round.mjs';

const require = createRequire(new URL('../../web/package.json', import.meta.url));
const { Terminal: Emulator } = require('@xterm/headless');
const { chromium } = require('playwright-core');

const SEEDS = Number(process.env.PTYD_HEAL_SEEDS ?? 10);
const RATE = 200_000;
/** Of each round: 50 MB in all. */
const LINES = 360_000;
const DEPTH = 5000;
/** Nothing has waited for so long before a client heals: ms. As the page does it. */
const QUIET_MS = 300;
const BAR_MS = 10_000;
const GIVEN_UP_MS = 30_000;
/** The page is not to be kept busy by looks at all of its text. */
const LOOK_MS = 500;
const SIGN_MS = 50;
const KEY = { threadId: 'main', terminalId: 'default' };
const SIZE = { cols: 80, rows: 24 };

function clientTo(made, server, port) {
  const headers = { ...server.bearer, Host: `127.0.0.1:${server.port}` };
  const client = connect(`http://127.0.0.1:${port}/`, { webSocket: (url) => new WebSocket(url, { headers }) });
  made.atEnd(() => client.dispose());
  return client;
}

/** ms since `begin` until `shown()` is what the server has; GIVEN_UP_MS when it was not until then. */
async function msUntilWhole(begin, owner, shown) {
  while (performance.now() - begin < GIVEN_UP_MS) {
    const { text } = await owner.snapshot({ ...KEY, format: 'plain', scrollback: DEPTH });
    const [kept, seen] = [text.split('\n'), await shown()].map((lines) => newest(lines, DEPTH - SIZE.rows).join('\n'));
    if (kept === seen) return performance.now() - begin;
    await pause(LOOK_MS);
  }
  return GIVEN_UP_MS;
}

/** By the typed client. */
async function healedByClient(made, below) {
  const server = await made.server();
  const proxy = await made.line(server, { rate: RATE });
  const client = clientTo(made, server, proxy.port);
  const terminal = await client.open({ ...KEY, cwd: '/', ...SIZE });
  const view = new EmulatorView(terminal, { Emulator, replay, scrollback: DEPTH });
  const owner = clientTo(made, server, server.port);
  await owner.open({ ...KEY, cwd: '/', attach: true });
  await spoil({ client, terminal, view, proxy, lines: LINES, below });
  const begin = performance.now();
  await pause(QUIET_MS);
  await view.heal(DEPTH);
  return msUntilWhole(begin, owner, () => view.lines());
}

/** By the page; what is typed comes from elsewhere. */
async function healedByPage(made, below) {
  const proxy = await FaultProxy.start(0);
  made.atEnd(() => proxy.stop());
  const url = `http://127.0.0.1:${proxy.port}/`;
  const server = await made.server({ args: ['--public-url', url, '--web-dir', WEB_DIST] });
  proxy.target.port = server.port;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  made.atEnd(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  await page.goto(`${url}#token=${server.token}`);
  const tells = (met, what) => page.waitForFunction(met, what, { polling: SIGN_MS, timeout: 120_000 });
  await tells(() => window.ptyd?.screenText().join('').trim() !== '');
  const owner = clientTo(made, server, server.port);
  const terminal = await owner.open({ ...KEY, cwd: '/', attach: true });
  proxy.rules.rate = RATE;
  await printTooFast({
    lines: LINES,
    below,
    write: (text) => terminal.write(text),
    skips: () => tells(() => window.ptyd.wholeText().some((line) => line.includes('skipped]'))),
    cut: async () => proxy.cut(),
    resize: ({ cols, rows }) => page.setViewportSize({ width: cols * 10, height: rows * 22 }),
    ends: (line) => tells((end) => window.ptyd.screenText().includes(end), line),
  });
  return msUntilWhole(performance.now(), owner, () => page.evaluate(() => window.ptyd.wholeText()));
}

/** A seed that cannot be tried is not whole. */
async function tried(made, healed, chosen) {
  const part = made.part();
  const ms = await healed(part, random(chosen)).catch((error) => (console.error(error), GIVEN_UP_MS));
  await part.end();
  if (ms > BAR_MS) console.error(`${healed.name}: PTYD_TEST_SEED=${chosen}: ${ms} ms`);
  return ms;
}

async function all(made, healed) {
  const times = [];
  for (let n = 0; n < SEEDS; n += 1) times.push(await tried(made, healed, seed + n));
  return { whole: (100 * times.filter((ms) => ms <= BAR_MS).length) / SEEDS, ms: Math.max(...times) };
}

await round(async (made) => {
  const client = await all(made, healedByClient);
  const page = await all(made, healedByPage);
  return { client_whole_percent: client.whole, client_most_ms: client.ms, page_whole_percent: page.whole, page_most_ms: page.ms };
});
