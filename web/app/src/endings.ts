import type { PtydClient, PtydError } from "../../client/src/index.ts";
import type { OpenTerminals } from "./open_terminals.ts";
import { isAgents } from "./program.ts";
import { mayEnd } from "./questions.ts";
import type { Place } from "./route.ts";
import { keyOf, type Entry } from "./entry.ts";
import { type Workspace } from "./workspace.ts";

/// Closing tabs, and ending what is in them.
export class Endings {
  constructor(
    private readonly client: PtydClient,
    private readonly workspace: Workspace,
    private readonly open: OpenTerminals,
    private readonly failed: (words: string) => void,
  ) {}

  /// The terminal stays; of a shell that has ended nothing is left to stay. What a program printed is its agent's.
  closeTab(place: Place): void {
    const entry = this.workspace.get(keyOf(place));
    this.open.remove(keyOf(place));
    if (entry && entry.status !== "running" && !isAgents(entry)) void this.forget(entry);
  }

  /// Asks first where something may be lost.
  async end(entry: Entry): Promise<void> {
    if (!(await mayEnd(entry))) return;
    const now = this.workspace.get(entry.key);
    if (isAgents(entry) && now?.status !== "running") return; // it has ended meanwhile: its text is its agent's
    this.open.remove(entry.key);
    await this.forget(entry);
  }

  private async forget(entry: Entry): Promise<void> {
    const { threadId, terminalId } = entry;
    this.workspace.ended(entry);
    try {
      await this.client.close({ threadId, terminalId, deleteHistory: true });
    } catch (error) {
      this.failed(`The terminal could not be ended: ${(error as PtydError).message}`);
    }
  }
}
