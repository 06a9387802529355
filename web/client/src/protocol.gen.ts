/* Generated from protocol/terminal.schema.json by `npm run generate`. */

export type TerminalEvent =
  | StartedEvent
  | RestartedEvent
  | OutputEvent
  | ExitedEvent
  | ErrorEvent
  | ClearedEvent
  | ActivityEvent
  | ResizedEvent
  | TitleEvent
  | WarningEvent
  | ShutdownEvent
  | ClipboardEvent
  | ProcessEvent
  | RenamedEvent
  | ResyncedEvent
  | ToolCallEvent;
export type ErrorCode =
  | "internal"
  | "not_found"
  | "not_running"
  | "exited"
  | "busy"
  | "bad_request"
  | "bad_cwd"
  | "denied"
  | "limit"
  | "spawn_failed"
  | "no_integration"
  | "end";

/**
 * Printed from protocol/rows.hpp. Lengths are meant in UTF-16 units; keys that are not named here are ignored, but by terminal.execute.
 */
export interface TerminalMethods {
  /**
   * Starts a shell or attaches to one; its output follows as events
   */
  "terminal.open": {
    params: OpenParams;
    result: Snapshot;
  };
  /**
   * Types text into it
   */
  "terminal.write": {
    params: WriteParams;
    result: null;
  };
  /**
   * Confirms output that the client has processed
   */
  "terminal.ackOutput": {
    params: AckOutputParams;
    result: null;
  };
  /**
   * Changes its size
   */
  "terminal.resize": {
    params: ResizeParams;
    result: null;
  };
  /**
   * Empties its screen, scrollback and journal
   */
  "terminal.clear": {
    params: ClearParams;
    result: null;
  };
  /**
   * Ends its program and starts a new shell in its place
   */
  "terminal.restart": {
    params: RestartParams;
    result: Snapshot;
  };
  /**
   * Ends one terminal, or all of a thread, with every process in it
   */
  "terminal.close": {
    params: CloseParams;
    result: null;
  };
  /**
   * Sends the output of every terminal, present and future
   */
  "terminal.subscribeEvents": {
    params: SubscribeEventsParams;
    result: null;
  };
  /**
   * Ours: returns its screen as it is now; no events follow
   */
  "terminal.snapshot": {
    params: SnapshotParams;
    result: ScreenSnapshot;
  };
  /**
   * Ours: lists the terminals
   */
  "terminal.list": {
    params: ListParams;
    result: TerminalList;
  };
  /**
   * Ours: gives it a name, which the server keeps
   */
  "terminal.rename": {
    params: RenameParams;
    result: null;
  };
  /**
   * Ours: runs a command in a shell that stays, and tells how and where it ended
   */
  "terminal.execute": {
    params: ExecuteParams;
    result: Executed;
  };
}
export interface OpenParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * working directory of a new shell, trimmed; must exist
   */
  cwd: string;
  /**
   * 120 for a new terminal, else unchanged
   */
  cols?: number;
  /**
   * 30 for a new terminal, else unchanged
   */
  rows?: number;
  /**
   * set on top of the server's environment
   */
  env?: {
    [k: string]: string;
  };
  /**
   * false: this connection gets no output events of it
   */
  streamOutput?: boolean;
  /**
   * ours: the last cursor seen; what was missed follows as events, or the reply is a full snapshot
   */
  after?: string;
  /**
   * ours: only an existing terminal, and without resizing it
   */
  attach?: boolean;
  /**
   * ours: latest shows the present to a client that falls behind, lossless makes the program wait
   */
  policy?: "latest" | "lossless";
  /**
   * ours: a name under which a lossless client is waited for; it tells the same when it comes back
   */
  hold?: string;
  /**
   * ours: history as text that recreates the screen, or as the program wrote it, or that repaints an emulator which holds the lines before `fromLine`
   */
  historyFormat?: "screen" | "raw" | "repaint";
  /**
   * ours: of a repaint, the first line above the screen that it draws
   */
  fromLine?: number;
  /**
   * ours: lines of history at most
   */
  scrollback?: number;
  /**
   * ours: further event types to hear
   *
   * @maxItems 16
   */
  features?: (
    "resized" | "title" | "warning" | "shutdown" | "clipboard" | "process" | "renamed" | "resynced" | "toolCall"
  )[];
  colors?: Colours;
  cellSize?: CellSize;
  /**
   * ours: name and version of the viewer's emulator
   */
  emulator?: string;
}
export interface Colours {
  foreground?: string;
  background?: string;
  cursor?: string;
}
export interface CellSize {
  /**
   * pixels
   */
  width: number;
  /**
   * pixels
   */
  height: number;
}
export interface Snapshot {
  threadId: string;
  terminalId: string;
  cwd: string;
  status: "starting" | "running" | "exited" | "error";
  pid: number | null;
  /**
   * recreates the terminal when written to a fresh emulator
   */
  history: string;
  /**
   * to be written before history
   */
  replayPreamble?: string;
  exitCode: number | null;
  /**
   * null when no signal ended it
   */
  exitSignal: number | null;
  updatedAt: string;
  /**
   * ours: the position of this state in the output
   */
  cursor: string;
  /**
   * ours
   */
  cols: number;
  /**
   * ours
   */
  rows: number;
  /**
   * ours: history is empty, what was missed after `after` follows as events
   */
  resumed: boolean;
  /**
   * ours: what people call it, by terminal.rename; absent where it has no name
   */
  name?: string;
  /**
   * ours: of a repaint, the first line above the screen that it draws
   */
  fromLine?: number;
  /**
   * ours: of a repaint, the oldest line above the screen that is kept
   */
  firstLine?: number;
  toolCall?: ToolCall;
}
export interface ToolCall {
  /**
   * one line, "" where the agent tells none
   */
  title: string;
  kind: "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";
  status: "pending" | "in_progress" | "completed" | "failed";
}
export interface WriteParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * typed into the terminal as it is
   */
  data: string;
}
export interface AckOutputParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * sum of byteLength since the last one
   */
  bytes: number;
}
export interface ResizeParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  cols: number;
  rows: number;
}
export interface ClearParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
}
export interface RestartParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * working directory of the new shell, trimmed; must exist
   */
  cwd: string;
  cols: number;
  rows: number;
  /**
   * set on top of the server's environment
   */
  env?: {
    [k: string]: string;
  };
}
export interface CloseParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed; absent: every terminal of the thread
   */
  terminalId?: string;
  /**
   * also delete the transcript
   */
  deleteHistory?: boolean;
}
export interface SubscribeEventsParams {
  /**
   * ours: further event types to hear
   *
   * @maxItems 16
   */
  features?: (
    "resized" | "title" | "warning" | "shutdown" | "clipboard" | "process" | "renamed" | "resynced" | "toolCall"
  )[];
}
export interface SnapshotParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * plain: text for a person; vt: bytes that recreate the terminal, the default; cells: runs of cells; lines: bytes that draw some lines above the screen
   */
  format?: "plain" | "vt" | "cells" | "lines";
  /**
   * for `lines`: the first one; else the oldest that `scrollback` allows
   */
  fromLine?: number;
  /**
   * lines above the screen at most; for `lines`: whole lines that take so many rows at most
   */
  scrollback?: number;
}
export interface ScreenSnapshot {
  threadId: string;
  terminalId: string;
  /**
   * the position of this state in the output
   */
  cursor: string;
  cols: number;
  rows: number;
  format: "plain" | "vt" | "cells" | "lines";
  /**
   * of plain, vt and lines
   */
  text?: string;
  /**
   * of lines: the first one in text
   */
  firstLine?: number;
  /**
   * of lines: the one behind the last one in text
   */
  nextLine?: number;
  /**
   * of lines: the one behind all above the screen
   */
  endLine?: number;
  /**
   * of lines: there were others before the first one, and nothing cleared them
   */
  hasEarlier?: boolean;
  /**
   * of cells, oldest first
   */
  scrollback?: CellRow[];
  /**
   * of cells
   */
  screen?: CellRow[];
  caret: CaretPlace;
  /**
   * a full-screen program shows its own screen
   */
  alternate: boolean;
  title: string;
}
export interface CellRow {
  /**
   * from the left; default blanks at the end are left out
   */
  spans: CellSpan[];
  /**
   * the text goes on in the next row
   */
  wrapped?: boolean;
}
export interface CellSpan {
  text: string;
  /**
   * that the text takes
   */
  columns: number;
  /**
   * 0 to 255, or #rrggbb; absent: the default
   */
  foreground?: string;
  background?: string;
  underlineColour?: string;
  /**
   * single, double, curly, dotted or dashed
   */
  underline?: string;
  bold?: boolean;
  faint?: boolean;
  italic?: boolean;
  blink?: boolean;
  inverse?: boolean;
  invisible?: boolean;
  strike?: boolean;
  overline?: boolean;
  /**
   * target of a hyperlink
   */
  link?: string;
}
export interface CaretPlace {
  /**
   * from 0
   */
  row: number;
  /**
   * from 0
   */
  column: number;
  visible: boolean;
}
export interface ListParams {
  /**
   * trimmed; absent: every thread
   */
  threadId?: string;
}
export interface TerminalList {
  terminals: TerminalInfo[];
}
export interface TerminalInfo {
  threadId: string;
  terminalId: string;
  status: "starting" | "running" | "exited" | "error";
  pid: number | null;
  /**
   * of the program in the foreground; where it is not known, that of the start
   */
  cwd: string;
  cols: number;
  rows: number;
  title: string;
  exitCode: number | null;
  exitSignal: number | null;
  hasRunningSubprocess: boolean;
  cliKind: "codex" | "claude" | null;
  agentState: "running" | "attention" | "review" | null;
  /**
   * connections that hear its output
   */
  viewers: number;
  updatedAt: string;
  /**
   * ours: the command of an agent's program; absent for a shell
   */
  commandLine?: string;
  /**
   * ours: false for an agent's program that reads no input
   */
  takesInput?: boolean;
  /**
   * ours: the program in the foreground, as the kernel calls it; absent once it ended
   */
  process?: string;
  /**
   * ours: what people call it, by terminal.rename; absent where it has no name
   */
  name?: string;
  /**
   * ours: of its last program; absent where another server started it
   */
  startedAt?: string;
  toolCall?: ToolCall;
}
export interface RenameParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * what people call it, trimmed; "" for no name
   */
  name: string;
}
export interface ExecuteParams {
  /**
   * trimmed
   */
  threadId: string;
  /**
   * trimmed
   */
  terminalId?: string;
  /**
   * run in the shell; blank: wait for what runs there; the name of a key (C-c, Enter, Up, F1, M-x): typed
   */
  command: string;
  /**
   * type it into the program that runs
   */
  isInput?: boolean;
  /**
   * of isInput: without Enter behind it
   */
  noEnter?: boolean;
  /**
   * it is text, even if it is the name of a key
   */
  literal?: boolean;
  /**
   * seconds to wait, at most 60; absent: 30, of isInput and keys 2. Nothing is ended when they are over
   */
  timeout?: number | null;
  /**
   * characters of output in content at most; 30000. Of more the middle is left out
   */
  maxOutputChars?: number;
  /**
   * of a new shell, trimmed; must exist; absent: the server's
   */
  cwd?: string;
  /**
   * of a new shell: its name or path; absent: the server's
   */
  shell?: string;
  /**
   * of a new shell; 120
   */
  cols?: number;
  /**
   * of a new shell; 40
   */
  rows?: number;
  /**
   * of a new shell: set on top of what agents' programs get
   */
  env?: {
    [k: string]: string;
  };
}
export interface Executed {
  /**
   * what was printed since the last answer, as a person reads it
   */
  content: string;
  /**
   * as it was asked
   */
  command: string;
  terminalId: string;
  status: "completed" | "running";
  /**
   * null while it runs
   */
  exitCode: number | null;
  /**
   * null before the shell has said it
   */
  workingDir: string | null;
  /**
   * since the command began
   */
  durationMs: number;
  /**
   * the middle was left out, and a line there says how much
   */
  truncated: boolean;
  /**
   * of which something was left out
   */
  omittedLines: number;
  /**
   * that were left out
   */
  omittedBytes: number;
  /**
   * that the command has printed until now
   */
  totalBytes: number;
  /**
   * a shell was started for this call
   */
  terminalCreated: boolean;
  /**
   * the shell has ended
   */
  terminalClosed: boolean;
  /**
   * more was asked for than 60 seconds
   */
  timeoutClamped: boolean;
  /**
   * how what runs reads the keyboard; null at the prompt
   */
  inputMode: "line" | "password" | "raw" | null;
  /**
   * the program that has the keyboard; null at the prompt
   */
  foreground: string | null;
  /**
   * a full-screen program shows its own screen, which is not part of content
   */
  altScreen: boolean;
  screen?: ProgramScreen;
  /**
   * what runs may be the shell at its prompt: after C-c another command is typed
   */
  maybeIdle: boolean;
}
export interface ProgramScreen {
  /**
   * without blanks at their ends
   */
  rows: string[];
  caret: CaretPlace;
}
export interface StartedEvent {
  type: "started";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  snapshot: Snapshot;
}
export interface RestartedEvent {
  type: "restarted";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  snapshot: Snapshot;
}
export interface OutputEvent {
  type: "output";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * as the program wrote it
   */
  data: string;
  /**
   * of data in UTF-8; to be acknowledged
   */
  byteLength: number;
}
export interface ExitedEvent {
  type: "exited";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  exitCode: number | null;
  /**
   * null when no signal ended it
   */
  exitSignal: number | null;
}
export interface ErrorEvent {
  type: "error";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * why no program could be started
   */
  message: string;
}
export interface ClearedEvent {
  type: "cleared";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
}
export interface ActivityEvent {
  type: "activity";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  hasRunningSubprocess: boolean;
  cliKind: "codex" | "claude" | null;
  agentState: "running" | "attention" | "review" | null;
}
/**
 * Ours: only for connections that asked by features: resized
 */
export interface ResizedEvent {
  type: "resized";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  cols: number;
  rows: number;
}
/**
 * Ours: only for connections that asked by features: title
 */
export interface TitleEvent {
  type: "title";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  title: string;
}
/**
 * Ours: only for connections that asked by features: warning
 */
export interface WarningEvent {
  type: "warning";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * e.g. line-too-long
   */
  code: string;
  message: string;
}
/**
 * Ours: only for connections that asked by features: shutdown
 */
export interface ShutdownEvent {
  type: "shutdown";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  reason: string;
}
/**
 * Ours: only for connections that asked by features: clipboard
 */
export interface ClipboardEvent {
  type: "clipboard";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * letters as in OSC 52: c clipboard, p primary ...
   */
  selection: string;
  text: string;
}
/**
 * Ours: only for connections that asked by features: process
 */
export interface ProcessEvent {
  type: "process";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * the program in the foreground, as the kernel calls it
   */
  process: string;
  /**
   * where it is
   */
  cwd: string;
}
/**
 * Ours: only for connections that asked by features: renamed
 */
export interface RenamedEvent {
  type: "renamed";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * "" when it has none any more
   */
  name: string;
}
/**
 * Ours: only for connections that asked by features: resynced
 */
export interface ResyncedEvent {
  type: "resynced";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  /**
   * that were not shown, and are missing above the screen
   */
  skippedLines: number;
}
/**
 * Ours: only for connections that asked by features: toolCall
 */
export interface ToolCallEvent {
  type: "toolCall";
  threadId: string;
  terminalId: string;
  createdAt: string;
  /**
   * ours: the position right after this; absent where the connection does not hear the terminal
   */
  cursor?: string;
  toolCall: ToolCall;
}
export interface WireError {
  message: string;
  code: ErrorCode;
}
export interface EnvelopeRequest {
  /**
   * of the client's choice, trimmed; the answer carries it
   */
  id: string;
  body:
    | (OpenParams & {
        _tag: "terminal.open";
      })
    | (WriteParams & {
        _tag: "terminal.write";
      })
    | (AckOutputParams & {
        _tag: "terminal.ackOutput";
      })
    | (ResizeParams & {
        _tag: "terminal.resize";
      })
    | (ClearParams & {
        _tag: "terminal.clear";
      })
    | (RestartParams & {
        _tag: "terminal.restart";
      })
    | (CloseParams & {
        _tag: "terminal.close";
      })
    | (SubscribeEventsParams & {
        _tag: "terminal.subscribeEvents";
      })
    | (SnapshotParams & {
        _tag: "terminal.snapshot";
      })
    | (ListParams & {
        _tag: "terminal.list";
      })
    | (RenameParams & {
        _tag: "terminal.rename";
      })
    | (ExecuteParams & {
        _tag: "terminal.execute";
      });
}
export interface EnvelopeResult {
  id: string;
  result?: Snapshot | ScreenSnapshot | TerminalList | Executed;
}
export interface EnvelopeError {
  id: string;
  error: WireError;
}
export interface EnvelopePush {
  type: "push";
  sequence: number;
  channel: "terminal.event";
  data: TerminalEvent;
}
export interface EnvelopeWelcome {
  type: "push";
  sequence: number;
  channel: "server.welcome";
  data: {
    cwd: string;
    homeDir?: string;
    projectName: string;
  };
}
/**
 * Event types beyond the reference's.
 */
export const kFeatures: NonNullable<OpenParams["features"]> = [
  "resized",
  "title",
  "warning",
  "shutdown",
  "clipboard",
  "process",
  "renamed",
  "resynced",
  "toolCall",
];
