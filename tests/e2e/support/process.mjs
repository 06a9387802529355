// Facts of /proc about the server and its children.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { DEADLINE_MS } from './deadline.mjs';

const read = (pid, file) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');

/** Memory in bytes: what is resident now, the most that has been since `forgetPeak`, and what belongs to no file. */
export function memory(pid) {
  const rollup = read(pid, 'smaps_rollup');
  const sum = (name) => Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))[1]) * 1024;
  return { resident: sum('Rss'), anonymous: sum('Anonymous'), peak: parseInt(status(pid, 'VmHWM'), 10) * 1024 };
}

/** From now on `peak` is of what comes. */
export const forgetPeak = (pid) => fs.writeFileSync(`/proc/${pid}/clear_refs`, '5');

/**
 * Growth of a process from now on; warm it up before. `grown`: memory of no file more than at the beginning, that is
 * without code that was read in and without what is kept on disk. `peak`: how much more of any kind it ever had.
 */
export function watchMemory(pid) {
  forgetPeak(pid);
  const before = memory(pid);
  return { grown: () => memory(pid).anonymous - before.anonymous, peak: () => memory(pid).peak - before.resident };
}

/** Sanitizers keep freed memory for a while: with them nothing is measured. */
export const measuresMemory = !/\/(debug|tsan)\/ptyd$/.test(process.env.PTYD_BIN ?? '');

export const withTsan = /\/tsan\/ptyd$/.test(process.env.PTYD_BIN ?? '');

/** The watched process has grown by less than `most` bytes, once what was freed has been given back; the report says by how much. */
export async function assertGrowsLess(stage, { grown }, most) {
  if (!measuresMemory) return;
  await eventually(() => grown() < most, () => `memory to grow by less than ${most} bytes; it grew by ${grown()}`);
  stage.note(`grew by ${grown()} bytes, may by ${most}`);
}

/** It has not for a moment had `most` bytes more, of any kind. */
export function assertNeverGrewBy(stage, { peak }, most) {
  if (!measuresMemory) return;
  stage.note(`grew by ${peak()} bytes at most, may by ${most}`);
  assert.ok(peak() < most, `for a time it had ${peak()} bytes more`);
}

export const commandLine = (pid) => read(pid, 'cmdline').split('\0');
export const environ = (pid) => Object.fromEntries(read(pid, 'environ').split('\0').filter(Boolean).map((row) => {
  const at = row.indexOf('=');
  return [row.slice(0, at), row.slice(at + 1)];
}));
export const descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`);
/** Their targets; a process that starts closes some while we look. */
export const descriptorTargets = (pid) => descriptors(pid).flatMap((fd) => {
  try {
    return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`)];
  } catch {
    return [];
  }
});
export const threads = (pid) => fs.readdirSync(`/proc/${pid}/task`).length;
export const status = (pid, field) => read(pid, 'status').match(new RegExp(`^${field}:\\s*(.*)$`, 'm'))[1];

/** How many files a process may have open when it asks for as many as it may. */
export const mostFiles = () => Number(read('self', 'limits').match(/^Max open files\s+\d+\s+(\d+)/m)[1]);

/** pid -> {ppid, state} of every process there is. */
export function processes() {
  const found = new Map();
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = read(pid, 'stat');
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      found.set(Number(pid), { ppid: Number(ppid), state });
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}

export const childrenOf = (pid) => [...processes()].filter(([, { ppid }]) => ppid === pid).map(([child]) => child);

/** All below `pid`. */
export function treeOf(pid) {
  const all = processes();
  const found = [];
  for (let level = [pid]; level.length; ) {
    level = [...all].filter(([, { ppid }]) => level.includes(ppid)).map(([child]) => child);
    found.push(...level);
  }
  return found;
}

/** Ends `pid` and all below it, which may ignore the end of its parent. */
export function killTree(pid) {
  for (const each of [pid, ...treeOf(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It ended while we looked.
    }
  }
}

/** Between two looks at what nobody announces. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Looks again and again until `check` holds: for what nobody announces. Each look goes to the kernel, or to the server. */
export async function eventually(check, what, deadline = DEADLINE_MS) {
  const end = performance.now() + deadline;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (performance.now() > end) throw new Error(`waited ${deadline} ms for ${typeof what === 'function' ? what() : what}`);
    await rest();
  }
}

/** The process holds `wanted` and nothing else, once the loader has closed the libraries: what it inherited would stay. */
export async function holdsOnly(pid, wanted) {
  await eventually(() => descriptors(pid).join() === wanted.join(), `process ${pid} to hold only ${wanted}`)
    .catch((error) => assert.fail(`${error.message}: ${descriptorTargets(pid)}`));
}

/** Whether there is such a process, and more of it than its exit status. */
export const alive = (pid) => !['Z', undefined].includes(processes().get(pid)?.state);
export const gone = (pid) => eventually(() => !alive(pid), `process ${pid} to end`);
