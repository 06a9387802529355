import type { Snapshot, Status, TerminalInfo, ToolCall } from "../../client/src/index.ts";
import type { Place } from "./route.ts";
import { endInWords, kMaxTitle, shownText, shownTitle } from "./plain.ts";
import { isAgents, programEndInWords, shownToolCall, toolCallInWords, wholeCommand, type Program } from "./program.ts";

/// One terminal of the server as far as it is known, whether it is shown here or not.
export interface Entry extends Place {
  readonly key: string;
  readonly status: Status;
  readonly cwd: string;
  readonly title: string;
  /** The program in the foreground, as the server's kernel calls it; "" where none is known. */
  readonly process: string;
  /** The name that people gave it; "" for none. */
  readonly givenName: string;
  /** Tells it from the others: see names.ts. */
  readonly name: string;
  readonly busy: boolean;
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
  readonly agent: string | undefined;
  /** Of an agent's program, once it is known. */
  readonly program: Program | undefined;
  /** That of an agent which shows it, once there is one. */
  readonly toolCall: ToolCall | undefined;
  /** The first time that is known of it, by the server's clock: that of its start, where the server knows that. */
  readonly since: string;
  /** When it ended; "" before that. */
  readonly until: string;
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

/// Its name for people: of an agent's program the title of its tool call, else the command line, unless somebody gave it
/// another.
export function labelOf(entry: Entry): string {
  return isAgents(entry) ? entry.givenName || entry.toolCall?.title || wholeCommand(entry.program) : entry.name;
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

/// Its state, for tooltips; of an agent's program with its tool call, and with its command line where that is not its name.
export function descriptionOf(entry: Entry): string {
  const command = isAgents(entry) ? wholeCommand(entry.program) : "";
  const unsaid = command === labelOf(entry) ? "" : command;
  return [unsaid, toolCallInWords(entry.toolCall), stateOf(entry)].filter(Boolean).join("\n");
}

/// A program that was ended by a signal has failed as well: it has no code.
export function hasFailed(entry: Pick<Entry, "status" | "exitCode">): boolean {
  return entry.status === "error" || (entry.status === "exited" && entry.exitCode !== 0);
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
  return { ...kUnknown, ...place, key: keyOf(place), name: "…" };
}

export const kUnknown = {
  status: "starting",
  cwd: "",
  title: "",
  process: "",
  givenName: "",
  name: "",
  busy: false,
  exitCode: null,
  exitSignal: null,
  agent: undefined,
  program: undefined,
  toolCall: undefined,
  since: "",
  until: "",
  unread: false,
} as const;

/// The snapshot of a start knows no tool call, and takes none away.
export function fromSnapshot(of: Snapshot): Partial<Entry> {
  const { status, cwd, exitCode, exitSignal, name, toolCall } = of;
  const told = { status, cwd, exitCode, exitSignal, givenName: shownTitle(name ?? "") };
  return toolCall ? { ...told, toolCall: shownToolCall(toolCall) } : told;
}

export function fromInfo(of: TerminalInfo): Partial<Entry> {
  return {
    status: of.status,
    cwd: of.cwd,
    title: shownTitle(of.title),
    busy: of.hasRunningSubprocess,
    exitCode: of.exitCode,
    exitSignal: of.exitSignal,
    agent: agentInWords(of.cliKind, of.agentState),
    program: programOf(of),
    toolCall: shownToolCall(of.toolCall),
    process: shownText(of.process ?? "", kMaxTitle),
    givenName: shownTitle(of.name ?? ""),
    since: of.startedAt ?? of.updatedAt,
    until: of.status === "exited" ? of.updatedAt : "",
  };
}

function programOf(of: TerminalInfo): Program | undefined {
  if (of.commandLine === undefined) return undefined;
  return { commandLine: of.commandLine, takesInput: of.takesInput ?? true };
}

export function agentInWords(kind: string | null, state: string | null): string | undefined {
  if (!kind) return undefined;
  const doing = { running: "is working", attention: "asks for you", review: "is done" }[state ?? ""];
  return doing ? `${kind} ${doing}` : kind;
}

export function byAge(a: Entry, b: Entry): number {
  if (a.terminalId === "default") return -1;
  if (b.terminalId === "default") return 1;
  return a.terminalId.localeCompare(b.terminalId, undefined, { numeric: true });
}

export function byStart(a: Entry, b: Entry): number {
  return a.since.localeCompare(b.since) || a.terminalId.localeCompare(b.terminalId);
}
