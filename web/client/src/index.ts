export { connect, PtydClient, type ClientOptions } from "./client.ts";
export type { ConnectionState } from "./connection.ts";
export type { Emitter, Unsubscribe } from "./emitter.ts";
export { PtydError, type PtydErrorCode } from "./errors.ts";
export type * from "./messages.ts";
export type { WebSocketLike } from "./platform.ts";
export { replay, Terminal, type Attachment, type Exit } from "./terminal.ts";
export type { Timings } from "./timings.ts";
