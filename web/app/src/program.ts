import type { ToolCall } from "../../client/src/index.ts";
import { endInWords, shownText, shownTitle } from "./plain.ts";
import type { Place } from "./route.ts";

/// Agents' programs are in threads that begin so, one thread for each session of an agent; no shell is started in one.
const kAgentThreads = "acp/";
/// A session's name is the agent's own, and often long. Of one with more UTF-16 units this many are shown of either end.
const kLongName = 20;
const kNameHead = 12;
const kNameTail = 4;
/// As much of a command line as the server tells, and as much as is said of it in a sentence, in UTF-16 units.
const kMaxCommandLine = 1024;
const kCommandInWords = 48;

/// A program that an agent runs in a terminal.
export interface Program {
  readonly commandLine: string;
  readonly takesInput: boolean;
}

/// How it ended: at most one is a number, unless the server does not know.
interface End {
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
}

export function isAgents(place: Pick<Place, "threadId">): boolean {
  return place.threadId.startsWith(kAgentThreads);
}

/// The name of a thread: a session of an agent by its name, shortened in its middle.
export function threadName(threadId: string): string {
  if (!isAgents({ threadId })) return threadId;
  const name = shownText(threadId.slice(kAgentThreads.length), kMaxCommandLine);
  const long = name.length > kLongName;
  return `Agent ${long ? `${name.slice(0, kNameHead)}…${name.slice(-kNameTail)}` : name}`.trimEnd();
}

/// All of the command line, fit to be shown; the server leaves out the end of one that is very long.
export function wholeCommand(program: Program | undefined): string {
  return program ? shownText(program.commandLine, kMaxCommandLine) : "…";
}

/// Its title fit to be shown.
export function shownToolCall(call: ToolCall | undefined): ToolCall | undefined {
  return call && { ...call, title: shownTitle(call.title) };
}

/// How far an agent says that it is with its tool call; "" where there is none.
export function toolStatusInWords(call: ToolCall | undefined): string {
  return call ? call.status.replace("_", " ") : "";
}

/// Its kind as well: `execute: in progress`.
export function toolCallInWords(call: ToolCall | undefined): string {
  return call ? `${call.kind.replace("_", " ")}: ${toolStatusInWords(call)}` : "";
}

/// The code that ended a program has a meaning where nothing was run.
export function programEndInWords(end: End): string {
  if (end.exitCode === 127) return "command not found (code 127)";
  if (end.exitCode === 126) return "could not be executed (code 126)";
  return endInWords(end);
}

/// Allowed actions on a terminal that is shown here, and its description.
export interface Manners {
  /** Said instead of sending what is typed or pasted; absent: it is sent. */
  readonly noInput: string | undefined;
  /** No window gives it another size. */
  readonly keepsSize: boolean;
  /** A new shell may take the place of what has ended. */
  readonly restarts: boolean;
  /** Its kind, while there is nothing more urgent to say. */
  readonly words: string | undefined;
  readonly name: string;
  readonly ended: (end: End) => string;
  /** The server knows none of this name. */
  readonly missing: string | undefined;
}

/// Those of `place`, for somebody who may act or only look on. Of a program of which nothing is known yet the least may
/// be done.
export function mannersOf(place: Place, program: Program | undefined, mayAct: boolean): Manners {
  const noRight = mayAct ? undefined : "This token is for viewing: your input is not sent.";
  return isAgents(place) ? programManners(place, program, noRight) : shellManners(place, noRight);
}

function shellManners(place: Place, noRight: string | undefined): Manners {
  return {
    noInput: noRight,
    keepsSize: false,
    restarts: noRight === undefined,
    words: undefined,
    name: `Terminal ${place.terminalId} of ${place.threadId}`,
    ended: (end) => `${sentence(endInWords(end))}${noRight ? "" : " Press Enter for a new shell."}`,
    missing: undefined,
  };
}

function programManners(place: Place, program: Program | undefined, noRight: string | undefined): Manners {
  const takesInput = program?.takesInput === true;
  const command = shownText(wholeCommand(program), kCommandInWords);
  const noInput = "An agent runs this program. It takes no input: your input is not sent.";
  const words = takesInput && !noRight ? "It takes input: you can type, too." : "You can watch it, not type.";
  return {
    noInput: noRight ?? (takesInput ? undefined : noInput),
    keepsSize: true,
    restarts: false,
    words: `An agent runs “${command}”. ${words}`,
    name: `Program of ${threadName(place.threadId)}: ${command}`,
    ended: (end) => `${sentence(programEndInWords(end))} An agent ran “${command}”.`,
    missing: "The agent is done with this program: the server no longer has its output.",
  };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
