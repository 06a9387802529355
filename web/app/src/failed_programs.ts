import { isAgents } from "./program.ts";
import { hasFailed, type Entry, type Thread } from "./entry.ts";

/// Agents' programs that failed since they were looked at last. Those that had ended before the first look are no news,
/// and one is told of when its command line is known.
export class FailedPrograms {
  private awaited = new Set<string>();

  newIn(threads: readonly Thread[]): Entry[] {
    const programs = threads.flatMap((thread) => thread.entries).filter(isAgents);
    const failed = programs.filter((entry) => this.awaited.has(entry.key) && hasFailed(entry) && entry.program);
    const isAwaited = (entry: Entry) =>
      entry.status === "running" || (this.awaited.has(entry.key) && entry.program === undefined);
    this.awaited = new Set(programs.filter(isAwaited).map((entry) => entry.key));
    return failed;
  }
}
