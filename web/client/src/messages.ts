/// The protocol's messages under short names. What they hold is written in protocol/, from which protocol.gen.ts is
/// made.
import type { EnvelopeWelcome, OpenParams, RestartParams, SnapshotParams, TerminalInfo } from "./protocol.gen.ts";

export type {
  ErrorCode,
  OutputEvent,
  ScreenSnapshot,
  Snapshot,
  TerminalEvent,
  TerminalInfo,
  TerminalMethods,
  ToolCall,
} from "./protocol.gen.ts";

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export type OpenOptions = Readonly<OpenParams>;
export type SnapshotOptions = Readonly<SnapshotParams>;
/// Fields that are left out stay as they are.
export type RestartOptions = Readonly<Partial<Omit<RestartParams, "threadId" | "terminalId">>>;
export type Status = TerminalInfo["status"];
export type Feature = NonNullable<OpenParams["features"]>[number];
/// The server's facts about itself, sent before its first answer on a connection.
export type Welcome = EnvelopeWelcome["data"];
