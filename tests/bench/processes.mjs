// Cost of a server besides its shells: itself and its keeper.
import fs from 'node:fs';
import { childrenOf, commandLine } from '../e2e/support/process.mjs';

/** USER_HZ of Linux on every platform that we run on. */
const TICKS_PER_SECOND = 100;

/** The server and the processes of its own program below it. */
export function ownProcesses({ pid }) {
  const [program] = commandLine(pid);
  return [pid, ...childrenOf(pid).filter((child) => commandLine(child)[0] === program)];
}

/** Their CPU time so far. */
export function cpuSeconds(pids) {
  const ticks = pids.map((pid) => {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 13);
    return Number(user) + Number(system);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** Their memory, files that are mapped included; what is shared with others counts in part. */
export function residentKb(pids) {
  const parts = pids.map((pid) => Number(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+) kB/m)[1]));
  return parts.reduce((sum, each) => sum + each, 0);
}
