import type { ErrorCode } from "./messages.ts";

/// Why a call failed. The first group is the server's, by the `code` of its reply; the second is ours.
export type PtydErrorCode =
  | ErrorCode
  /** The server answered with an error without a code we know. */
  | "refused"
  /** No answer came in time; whether it was carried out is not known. */
  | "timeout"
  /** The connection broke before the answer; whether it was carried out is not known. */
  | "outcome_unknown"
  /** The terminal got another shell meanwhile; what waited was meant for the old one and was not sent. */
  | "replaced"
  /** More input waits for the connection than is kept. */
  | "queue_full"
  /** Dropped on demand before it was sent. */
  | "cancelled"
  /** This client or terminal handle was closed. */
  | "closed"
  /** The server does not accept this client's credential. */
  | "unauthorised";

const serverCodes: Readonly<Record<ErrorCode, true>> = {
  internal: true,
  not_found: true,
  not_running: true,
  exited: true,
  busy: true,
  bad_request: true,
  bad_cwd: true,
  denied: true,
  limit: true,
  spawn_failed: true,
  no_integration: true,
  end: true,
};

export class PtydError extends Error {
  override readonly name = "PtydError";
  readonly code: PtydErrorCode;

  constructor(code: PtydErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/// The error of a reply as an exception. Codes from a newer server become `refused`.
export function errorFromReply(error: { message?: unknown; code?: unknown }): PtydError {
  const message = typeof error.message === "string" ? error.message : "the server gave no reason";
  const code = typeof error.code === "string" ? error.code : "";
  return new PtydError(Object.hasOwn(serverCodes, code) ? (code as ErrorCode) : "refused", message);
}
