import { Emitter } from "../../client/src/emitter.ts";
import type { PtydClient, Snapshot, Status, TerminalEvent, TerminalInfo } from "../../client/src/index.ts";
import type { Place } from "./route.ts";
import { baseName, endInWords, shownTitle } from "./plain.ts";
import { isAgents, programEndInWords, wholeCommand, type Program } from "./program.ts";

/// What is known of one terminal of the server, whether it is shown here or not.
export interface Entry extends Place {
  readonly key: string;
  readonly status: Status;
  readonly cwd: string;
  readonly title: string;
  readonly busy: boolean;
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
  readonly agent: string | undefined;
  /** Of an agent's program, once it is known. */
  readonly program: Program | undefined;
  /** The first time that is known of it, by the server's clock: mostly that of its start. */
  readonly since: string;
  /** It rang or wrote while nobody looked. */
  readonly unread: boolean;
}

export interface Thread {
  readonly threadId: string;
  readonly entries: readonly Entry[];
}

export function keyOf(place: Place): string {
  return `${place.threadId}\0${place.terminalId}`;
}

/// The terminals of the server, as threads. Kept right by events, and by the list for what no event tells.
///
/// Knows no DOM. Tells `onChange` after each change.
export class Workspace {
  readonly onChange = new Emitter<[]>();
  private readonly entries = new Map<string, Entry>();
  private refreshing: Promise<void> | undefined;
  /// Threads of agents that are asked about, and whether something has begun there since.
  private readonly learning = new Map<string, boolean>();

  constructor(private readonly client: Pick<PtydClient, "list" | "onEvent">) {
    client.onEvent.on((event) => this.received(event));
  }

  get(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  /// Threads by name, each with its first terminal ("default") first and then in the order they were made. Behind them
  /// agents' sessions, which come and go by themselves and are to move nothing: these and their programs as they began.
  threads(): Thread[] {
    const threads = new Map<string, Entry[]>();
    for (const entry of this.entries.values()) {
      threads.set(entry.threadId, [...(threads.get(entry.threadId) ?? []), entry]);
    }
    return [...threads]
      .map(([threadId, entries]) => ({ threadId, entries: entries.sort(isAgents({ threadId }) ? byStart : byAge) }))
      .sort(byPlaceInList);
  }

  /// Asks the server. Calls while one is under way share its answer.
  refresh(): Promise<void> {
    this.refreshing ??= this.fetch().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /// A terminal that was opened here.
  opened(snapshot: Snapshot): void {
    this.set(snapshot, fromSnapshot(snapshot));
  }

  /// A terminal that was ended here; the server tells nobody.
  ended(place: Place): void {
    if (this.entries.delete(keyOf(place))) this.onChange.emit();
  }

  setTitle(place: Place, title: string): void {
    this.update(place, { title: shownTitle(title) });
  }

  setUnread(place: Place, unread: boolean): void {
    if (this.entries.get(keyOf(place))?.unread !== unread) this.update(place, { unread });
  }

  /// The list of one thread, or of all.
  private async fetch(threadId?: string): Promise<void> {
    const meant = [...this.entries.values()].filter((entry) => threadId === undefined || entry.threadId === threadId);
    const before = meant.map((entry) => entry.key); // what comes while the list is on its way may not be in it
    const list = await this.client.list(threadId);
    const listed = new Set(list.map(keyOf));
    for (const key of before) if (!listed.has(key)) this.entries.delete(key);
    for (const info of list) this.merge(info, this.news(info));
    this.onChange.emit();
  }

  /// A program runs once: a list that was made before its end, and came after that, does not make it run again.
  private news(info: TerminalInfo): Partial<Entry> {
    const { status, exitCode, exitSignal, ...others } = fromInfo(info);
    const ended = isAgents(info) && this.entries.get(keyOf(info))?.status === "exited";
    return ended ? others : { status, exitCode, exitSignal, ...others };
  }

  /// Asks what an agent runs in its thread: no event tells a command line. One question at a time and thread; what begins
  /// meanwhile is asked for behind it.
  private async learn(threadId: string): Promise<void> {
    const underWay = this.learning.has(threadId);
    this.learning.set(threadId, true);
    if (underWay) return;
    try {
      while (this.learning.get(threadId)) {
        this.learning.set(threadId, false);
        await this.fetch(threadId);
      }
    } catch {
      // the next list tells
    }
    this.learning.delete(threadId);
  }

  private received(event: TerminalEvent): void {
    const isNew = event.type === "started" || (event.type === "exited" && !this.entries.has(keyOf(event)));
    this.follow(event);
    if (isNew && isAgents(event)) void this.learn(event.threadId);
  }

  private follow(event: TerminalEvent): void {
    switch (event.type) {
      case "started":
      case "restarted":
        return this.set(event, {
          ...fromSnapshot(event.snapshot),
          busy: false,
          agent: undefined,
          since: event.createdAt,
        });
      case "exited":
        return this.update(event, {
          status: "exited",
          exitCode: event.exitCode,
          exitSignal: event.exitSignal,
          busy: false,
        });
      case "error":
        return this.update(event, { status: "error", busy: false });
      case "activity":
        return this.update(event, {
          busy: event.hasRunningSubprocess,
          agent: agentInWords(event.cliKind, event.agentState),
        });
      case "title":
        return this.update(event, { title: shownTitle(event.title) });
      default:
        return;
    }
  }

  /// Changes what is known already; of unknown terminals the next list tells.
  private update(place: Place, change: Partial<Entry>): void {
    if (this.entries.has(keyOf(place))) this.set(place, change);
  }

  private set(place: Place, change: Partial<Entry>): void {
    this.merge(place, change);
    this.onChange.emit();
  }

  private merge(place: Place, change: Partial<Entry>): void {
    const key = keyOf(place);
    const { threadId, terminalId } = place;
    const before = this.entries.get(key) ?? { ...kUnknown, key, threadId, terminalId };
    this.entries.set(key, { ...before, ...change, since: before.since || (change.since ?? "") });
  }
}

/// What to call it in a list: an agent's program by its command line, else its title, else the folder it is in.
export function labelOf(entry: Entry): string {
  if (isAgents(entry)) return wholeCommand(entry.program);
  return entry.title || baseName(entry.cwd);
}

/// Its state in words, for tooltips and screen readers.
export function stateOf(entry: Entry): string {
  switch (entry.status) {
    case "starting":
      return "starting";
    case "error":
      return "could not be started";
    case "exited":
      return isAgents(entry) ? programEndInWords(entry) : endInWords(entry);
    case "running":
      if (isAgents(entry)) return "running";
      return entry.agent ?? (entry.busy ? "busy" : "idle");
  }
}

/// Sorts after all made before it.
export function newTerminalId(): string {
  const random = Math.floor(Math.random() * 36 ** 4)
    .toString(36)
    .padStart(4, "0");
  return `terminal-${Date.now().toString(36)}-${random}`;
}

/// A terminal of which nothing is known yet but its name.
export function unknownEntry(place: Place): Entry {
  return { ...kUnknown, ...place, key: keyOf(place), title: "…" };
}

const kUnknown = {
  status: "starting",
  cwd: "",
  title: "",
  busy: false,
  exitCode: null,
  exitSignal: null,
  agent: undefined,
  program: undefined,
  since: "",
  unread: false,
} as const;

function fromSnapshot(of: Snapshot): Partial<Entry> {
  return { status: of.status, cwd: of.cwd, exitCode: of.exitCode, exitSignal: of.exitSignal };
}

function fromInfo(of: TerminalInfo): Partial<Entry> {
  return {
    status: of.status,
    cwd: of.cwd,
    title: shownTitle(of.title),
    busy: of.hasRunningSubprocess,
    exitCode: of.exitCode,
    exitSignal: of.exitSignal,
    agent: agentInWords(of.cliKind, of.agentState),
    program: programOf(of),
    since: of.updatedAt,
  };
}

function programOf(of: TerminalInfo): Program | undefined {
  if (of.commandLine === undefined) return undefined;
  return { commandLine: of.commandLine, takesInput: of.takesInput ?? true };
}

function agentInWords(kind: string | null, state: string | null): string | undefined {
  if (!kind) return undefined;
  const doing = { running: "is working", attention: "asks for you", review: "is done" }[state ?? ""];
  return doing ? `${kind} ${doing}` : kind;
}

function byAge(a: Entry, b: Entry): number {
  if (a.terminalId === "default") return -1;
  if (b.terminalId === "default") return 1;
  return a.terminalId.localeCompare(b.terminalId, undefined, { numeric: true });
}

function byStart(a: Entry, b: Entry): number {
  return a.since.localeCompare(b.since) || a.terminalId.localeCompare(b.terminalId);
}

function byPlaceInList(a: Thread, b: Thread): number {
  const [agentA, agentB] = [isAgents(a), isAgents(b)];
  if (agentA !== agentB) return agentA ? 1 : -1;
  const started = agentA ? (a.entries[0]?.since ?? "").localeCompare(b.entries[0]?.since ?? "") : 0;
  return started || a.threadId.localeCompare(b.threadId, undefined, { numeric: true });
}
