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
    private readonly client: Pick<PtydClient, "close">,
    private readonly workspace: Workspace,
    private readonly open: Pick<OpenTerminals, "places" | "remove">,
    private readonly page: { readonly mayAct: () => boolean; readonly failed: (words: string) => void },
  ) {}

  /// The terminal stays; of a shell that has ended nothing is left to stay. What a program printed is its agent's.
  async closeTab(place: Place): Promise<void> {
    this.open.remove(keyOf(place));
    if (!this.hasEnded(place) || isAgents(place) || !this.page.mayAct()) return;
    try {
      await this.workspace.refreshAnew(); // it may have been started again elsewhere
    } catch {
      return;
    }
    const isShown = this.open.places.some((other) => keyOf(other) === keyOf(place));
    if (this.hasEnded(place) && !isShown) await this.forget(place);
  }

  /// Asks first where something may be lost.
  async end(entry: Entry): Promise<void> {
    if (!(await mayEnd(entry))) return;
    const now = this.workspace.get(entry.key);
    if (isAgents(entry) && now?.status !== "running") return; // it has ended meanwhile: its text is its agent's
    this.open.remove(entry.key);
    await this.forget(entry);
  }

  private hasEnded(place: Place): boolean {
    const { status } = this.workspace.get(keyOf(place)) ?? {};
    return status === "exited" || status === "error";
  }

  private async forget({ threadId, terminalId }: Place): Promise<void> {
    this.workspace.ended({ threadId, terminalId });
    try {
      await this.client.close({ threadId, terminalId, deleteHistory: true });
    } catch (error) {
      this.page.failed(`The terminal could not be ended: ${(error as PtydError).message}`);
    }
  }
}
