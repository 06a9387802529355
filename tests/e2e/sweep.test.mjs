// Random clients of every kind against one server on a bad day, and nothing of them is left. By hand, and for longer: scripts/sweep.
// Release too: eight clients as fast as they can.
// TSan too: all calls cross the loops.
import assert from 'node:assert/strict';
import test from 'node:test';
import { burstCommand, Reading } from './support/sweep/lines.mjs';
import { sweep } from './support/sweep/sweep.mjs';

const scale = Number(process.env.PTYD_TEST_SCALE ?? 1);
/** A sanitizer sees what the others only may; the longer one is for it. */
const seconds = /asan|debug/.test(process.env.PTYD_BIN ?? '') ? 15 : 10;

test('clients that ask, err, hang and leave at random leave nothing behind, lose no output, and nobody waits', { timeout: 300_000 * scale + seconds * 1000 }, async (t) => {
  const seed = process.env.PTYD_SWEEP_SEED ?? String(Date.now() % 1e9);
  t.diagnostic(await sweep({ seed, seconds, clients: 8, threads: process.env.PTYD_THREADS }));
});

// --- what a sweep complains of

const line = (burst, number, count = 9) => `~${burst}.${number}/${count}é漢\r\n`;
const lines = (burst, first, last, count = 9) => Array.from({ length: last - first + 1 }, (_, n) => line(burst, first + n, count)).join('');
const REPAINT = '\x18\x1b[?2026h';

/** Complaints about one client that is told all this; `acts` get its Reading. */
function complaints(policy, ...acts) {
  const said = [];
  const reading = new Reading(policy, (what) => said.push(what));
  reading.opened({ resumed: false, history: '', historyFormat: 'raw' });
  for (const act of acts) typeof act === 'string' ? reading.output(act, true) : act(reading);
  return said.join('; ');
}
const resumed = (reading) => reading.opened({ resumed: true, history: '' });
const shown = (history) => (reading) => reading.opened({ resumed: false, history, historyFormat: 'raw', wasHere: true });

const screen = (history) => (reading) => reading.opened({ resumed: false, history, historyFormat: 'screen', wasHere: true });

const CASES = [
  ['lines that are read once and in order', 'lossless', [lines(1, 1, 9), lines(2, 1, 9)], /^$/],
  ['a line in pieces', 'lossless', [line(1, 1) + line(1, 2).slice(0, 5), resumed, line(1, 2).slice(5) + line(1, 3)], /^$/],
  ['a line that is missing', 'latest', [lines(1, 1, 3), line(1, 5)], /1\.5 came next after 1\.3/],
  ['a line that came twice', 'latest', [lines(1, 1, 3), line(1, 3)], /1\.3 came after 1\.3/],
  ['half a line that came twice', 'latest', [lines(1, 1, 3), `~1.4${line(1, 4)}`], /between 1\.3 and 1\.4 stands "~1\.4"/],
  ['a character that is broken', 'latest', [line(1, 1), '~1.2/9\ufffd漢\r\n', line(1, 3)], /1\.3 came next after 1\.1/],
  ['a burst that begins in the middle', 'latest', [lines(1, 1, 9), line(2, 4)], /2\.4 came first of its burst/],
  ['a jump where the present is shown', 'latest', [lines(1, 1, 3), `${REPAINT}${line(1, 7)}`, line(1, 8)], /^$/],
  ['a jump back where the present is shown', 'latest', [lines(1, 1, 8), `${REPAINT}${lines(1, 2, 7)}`, line(1, 8)], /1\.8 came after 1\.8/],
  ['the present that a lossless client is shown', 'lossless', [line(1, 1), REPAINT], /was shown the present/],
  ['a lossless client that is not resumed', 'lossless', [line(1, 1), shown(lines(1, 1, 2))], /was not resumed behind 1\.1/],
  ['the same after its server was killed', 'lossless', [line(1, 1), (reading) => reading.excuse(1), shown(lines(1, 1, 2))], /^$/],
  ['a history that has lost lines', 'latest', [lines(1, 1, 5), shown(lines(1, 1, 4))], /was shown 1\.5 before/],
  ['the same after its server was killed', 'latest', [lines(1, 1, 5), (reading) => reading.excuse(1), shown(lines(1, 1, 4))], /was shown 1\.5 before/],
  ['the same after a clear', 'latest', [lines(1, 1, 5), (reading) => reading.wiped(1), shown('')], /^$/],
  ['a line whose end a new shell prints', 'latest', [screen(lines(1, 1, 5)), shown(`${lines(1, 1, 4)}${line(1, 5).trimEnd()}\x18\x1b[0"q\r\n`)], /^$/],
  ['a hole in a history', 'latest', [shown(line(1, 1) + line(1, 3))], /1\.3 came next after 1\.1/],
];

for (const [what, policy, acts, said] of CASES) test(`a sweep judges ${what}, ${policy}`, () => assert.match(complaints(policy, ...acts), said));

test('a sweep remembers which ends of bursts a client has not read', () => {
  const reading = new Reading('lossless', assert.fail);
  reading.output(lines(1, 1, 9) + lines(2, 1, 4) + line(4, 1), true);
  assert.deepEqual(reading.cutShort.map(({ burst, line: last }) => [burst, last]), [[2, 4], [3, 0]]);
});

test('a burst is typed without what it prints', () => assert.doesNotMatch(burstCommand(1, 3, ''), /~\d+\.\d+\/\d+é漢/));
