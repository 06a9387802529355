import { Emitter } from "../../client/src/emitter.ts";
import type { PtydClient, Snapshot, TerminalEvent, TerminalInfo } from "../../client/src/index.ts";
import {
  agentInWords,
  byAge,
  byStart,
  fromInfo,
  fromSnapshot,
  keyOf,
  kUnknown,
  type Entry,
  type Thread,
} from "./entry.ts";
import { namesOf } from "./names.ts";
import { shownTitle } from "./plain.ts";
import { isAgents, shownToolCall } from "./program.ts";
import type { Place } from "./route.ts";

/// Events of a start or an end.
const kTurns: readonly TerminalEvent["type"][] = ["started", "restarted", "exited", "error"];

/// The terminals of the server, as threads. Kept right by events, and by the list for what no event tells.
///
/// Knows no DOM. Tells `onChange` after each change.
export class Workspace {
  readonly onChange = new Emitter<[]>();
  private readonly entries = new Map<string, Entry>();
  private refreshing: Promise<void> | undefined;
  /// For each list that is on its way: terminals of which a start or an end was told meanwhile.
  private readonly toldMeanwhile = new Set<Set<string>>();
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

  /// As refresh(), and the answer is not older than the call.
  async refreshAnew(): Promise<void> {
    await this.refreshing?.catch(() => undefined); // its failure is told to those who asked then
    await this.refresh();
  }

  /// A terminal that was opened here.
  opened(snapshot: Snapshot): void {
    this.set(snapshot, fromSnapshot(snapshot));
  }

  /// A terminal that was ended here; the server tells nobody.
  ended(place: Place): void {
    if (this.entries.delete(keyOf(place))) this.changed();
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
    const before = new Map(meant.map((entry) => [entry.key, entry])); // what comes while the list is on its way may not be in it
    const { list, told } = await this.askFor(threadId);
    const listed = new Set(list.map(keyOf));
    for (const key of before.keys()) if (!listed.has(key) && !told.has(key)) this.entries.delete(key);
    for (const info of list) this.merge(info, this.news(info, before.get(keyOf(info)), told.has(keyOf(info))));
    this.changed();
  }

  private async askFor(threadId?: string): Promise<{ list: TerminalInfo[]; told: ReadonlySet<string> }> {
    const told = new Set<string>();
    this.toldMeanwhile.add(told);
    try {
      return { list: await this.client.list(threadId), told };
    } finally {
      this.toldMeanwhile.delete(told);
    }
  }

  /// A program runs once: a list that was made before its end, and came after that, does not make it run again. Nor does
  /// a list take back what was told since the list was asked for: of a tool call, when the entry was `before`, and of a
  /// start or an end, when it `isTold`.
  private news(info: TerminalInfo, before: Entry | undefined, isTold: boolean): Partial<Entry> {
    const { status, exitCode, exitSignal, busy, agent, process, until, toolCall, ...others } = fromInfo(info);
    const known = this.entries.get(keyOf(info));
    const hasEnded = isAgents(info) && known?.status === "exited" && status !== "exited";
    const run = { status, exitCode, exitSignal, busy, agent, process, until };
    const isCallTold = known?.toolCall !== before?.toolCall;
    return { ...others, ...(!hasEnded && !isTold && run), ...(!isCallTold && { toolCall }) };
  }

  private tellLists(place: Place): void {
    for (const told of this.toldMeanwhile) told.add(keyOf(place));
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
    if (kTurns.includes(event.type) && this.entries.has(keyOf(event))) this.tellLists(event);
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
          until: "",
        });
      case "exited":
        return this.update(event, {
          status: "exited",
          exitCode: event.exitCode,
          exitSignal: event.exitSignal,
          busy: false,
          process: "",
          until: event.createdAt,
        });
      case "error":
        return this.update(event, { status: "error", busy: false });
      case "activity":
        return this.update(event, {
          busy: event.hasRunningSubprocess,
          agent: agentInWords(event.cliKind, event.agentState),
        });
      case "process":
        return this.update(event, { process: shownTitle(event.process), cwd: event.cwd });
      case "renamed":
        return this.update(event, { givenName: shownTitle(event.name) });
      case "toolCall":
        return this.update(event, { toolCall: shownToolCall(event.toolCall) });
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
    this.changed();
  }

  /// A name tells a terminal from the others, so each may change with any of them.
  private changed(): void {
    const shells = this.threads().flatMap((thread) => thread.entries.filter((entry) => !isAgents(entry)));
    for (const [key, name] of namesOf(shells)) {
      const entry = this.entries.get(key);
      if (entry && entry.name !== name) this.entries.set(key, { ...entry, name });
    }
    this.onChange.emit();
  }

  private merge(place: Place, change: Partial<Entry>): void {
    const key = keyOf(place);
    const { threadId, terminalId } = place;
    const before = this.entries.get(key) ?? { ...kUnknown, key, threadId, terminalId };
    this.entries.set(key, { ...before, ...change, since: before.since || (change.since ?? "") });
  }
}

function byPlaceInList(a: Thread, b: Thread): number {
  const [agentA, agentB] = [isAgents(a), isAgents(b)];
  if (agentA !== agentB) return agentA ? 1 : -1;
  const started = agentA ? (a.entries[0]?.since ?? "").localeCompare(b.entries[0]?.since ?? "") : 0;
  return started || a.threadId.localeCompare(b.threadId, undefined, { numeric: true });
}
