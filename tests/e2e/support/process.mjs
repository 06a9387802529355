// What /proc tells about the server and its children.
import fs from 'node:fs';
import { DEADLINE_MS } from './deadline.mjs';

const read = (pid, file) => fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');

/** Resident memory in bytes; private memory when asked for `Private`. */
export function memory(pid) {
  const rollup = read(pid, 'smaps_rollup');
  const sum = (name) => Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))[1]) * 1024;
  return { resident: sum('Rss'), private: sum('Private_Dirty') + sum('Private_Clean') };
}

export const commandLine = (pid) => read(pid, 'cmdline').split('\0');
export const environ = (pid) => Object.fromEntries(read(pid, 'environ').split('\0').filter(Boolean).map((row) => {
  const at = row.indexOf('=');
  return [row.slice(0, at), row.slice(at + 1)];
}));
export const descriptors = (pid) => fs.readdirSync(`/proc/${pid}/fd`);
export const threads = (pid) => fs.readdirSync(`/proc/${pid}/task`).length;
export const status = (pid, field) => read(pid, 'status').match(new RegExp(`^${field}:\\s*(.*)$`, 'm'))[1];

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

/** Looks again and again until `check` holds: for what nobody announces. Each look goes to the kernel. */
export async function eventually(check, what, deadline = DEADLINE_MS) {
  const end = performance.now() + deadline;
  for (;;) {
    const result = await check();
    if (result) return result;
    if (performance.now() > end) throw new Error(`waited ${deadline} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export const gone = (pid) => eventually(() => !fs.existsSync(`/proc/${pid}`) || processes().get(pid)?.state === 'Z', `process ${pid} to end`);
