import type { PtydClient } from "../../client/src/index.ts";
import { newTerminalId } from "./entry.ts";
import type { OpenTerminals } from "./open_terminals.ts";
import { isAgents } from "./program.ts";
import { askForThread } from "./questions.ts";
import type { Workspace } from "./workspace.ts";

/// The thread of whoever has none.
export const kFirstThread = "main";

/// Starting shells: in which thread, and where.
export class NewTerminals {
  constructor(
    private readonly client: Pick<PtydClient, "state" | "welcome">,
    private readonly workspace: Pick<Workspace, "threads" | "get">,
    private readonly open: Pick<OpenTerminals, "places" | "active" | "activeKey" | "start">,
    private readonly page: { readonly refresh: () => Promise<unknown>; readonly started: () => void },
  ) {}

  /// Starts in `cwd`, else where the terminal in front is now.
  start(threadId: string, cwd?: string): void {
    const place = { threadId, terminalId: this.isUsed(threadId) ? newTerminalId() : "default" };
    this.open.start(place, cwd ?? this.folderOfFront());
    this.page.started();
  }

  /// In the thread of the terminal in front, unless it is an agent's.
  startBesideFront(): void {
    const active = this.open.active?.place;
    this.start(active && !isAgents(active) ? active.threadId : kFirstThread);
  }

  /// Asks for its name and folder.
  async startThread(): Promise<void> {
    const names = this.workspace.threads().map((thread) => thread.threadId);
    const front = this.workspace.get(this.open.activeKey ?? "");
    const wanted = await askForThread(names, front?.cwd ?? this.client.welcome?.homeDir ?? "/");
    if (wanted) this.start(wanted.name, wanted.cwd);
  }

  /// A tab may show a terminal that has gone, or that the server has not answered yet: no other takes its place.
  private isUsed(threadId: string): boolean {
    const known = [...this.workspace.threads(), ...this.open.places];
    return known.some((each) => each.threadId === threadId);
  }

  private async folderOfFront(): Promise<string> {
    const front = this.open.activeKey;
    if (front !== undefined && this.client.state.name === "open") await this.page.refresh();
    const { homeDir, cwd } = this.client.welcome ?? { cwd: "/" };
    return this.workspace.get(front ?? "")?.cwd ?? homeDir ?? cwd;
  }
}
