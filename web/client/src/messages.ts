/// The protocol's messages under short names.
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export type Status = "starting" | "running" | "exited" | "error";
export type Feature = "resized" | "title" | "warning" | "shutdown" | "command" | "clipboard";
export type CliKind = "codex" | "claude";
export type AgentState = "running" | "attention" | "review";

export interface OpenOptions {
  readonly threadId: string;
  readonly terminalId?: string;
  readonly cwd: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly streamOutput?: boolean;
  readonly after?: string;
  readonly attach?: boolean;
  readonly policy?: "latest" | "lossless";
  readonly historyFormat?: "screen" | "raw";
  readonly scrollback?: number;
  readonly features?: readonly Feature[];
  readonly colors?: { readonly foreground?: string; readonly background?: string; readonly cursor?: string };
  readonly cellSize?: { readonly width: number; readonly height: number };
  readonly emulator?: string;
}

export interface RestartOptions {
  readonly cwd?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Snapshot {
  readonly threadId: string;
  readonly terminalId: string;
  readonly cwd: string;
  readonly status: Status;
  readonly pid: number | null;
  readonly history: string;
  readonly replayPreamble?: string;
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
  readonly updatedAt: string;
  readonly cursor?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly resumed?: boolean;
}

export interface TerminalInfo {
  readonly threadId: string;
  readonly terminalId: string;
  readonly status: Status;
  readonly pid: number | null;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  readonly title: string;
  readonly exitCode: number | null;
  readonly exitSignal: number | null;
  readonly hasRunningSubprocess: boolean;
  readonly cliKind: CliKind | null;
  readonly agentState: AgentState | null;
  readonly viewers: number;
  readonly updatedAt: string;
}

interface EventBase {
  readonly threadId: string;
  readonly terminalId: string;
  readonly createdAt: string;
  readonly cursor?: string;
}

export interface OutputEvent extends EventBase {
  readonly type: "output";
  readonly data: string;
  readonly byteLength?: number;
}

export type TerminalEvent =
  | OutputEvent
  | (EventBase & { readonly type: "started" | "restarted"; readonly snapshot: Snapshot })
  | (EventBase & { readonly type: "exited"; readonly exitCode: number | null; readonly exitSignal: number | null })
  | (EventBase & { readonly type: "error"; readonly message: string })
  | (EventBase & { readonly type: "cleared" })
  | (EventBase & {
      readonly type: "activity";
      readonly hasRunningSubprocess: boolean;
      readonly cliKind: CliKind | null;
      readonly agentState: AgentState | null;
    })
  | (EventBase & { readonly type: "resized"; readonly cols: number; readonly rows: number })
  | (EventBase & { readonly type: "title"; readonly title: string })
  | (EventBase & { readonly type: "warning"; readonly code: string; readonly message: string })
  | (EventBase & { readonly type: "shutdown"; readonly reason: string })
  | (EventBase & { readonly type: "clipboard"; readonly text: string });

/// First push of a connection.
export interface Welcome {
  readonly cwd: string;
  readonly homeDir?: string;
  readonly projectName: string;
}
