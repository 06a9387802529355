import { AnswerWatch } from "./answer_watch.ts";
import { Backoff } from "./backoff.ts";
import { Emitter } from "./emitter.ts";
import { errorFromReply, PtydError } from "./errors.ts";
import type { TerminalMethods } from "./messages.ts";
import { after, cancel, host, type Timer, type WebSocketLike } from "./platform.ts";
import { kTimings, type Timings } from "./timings.ts";

/// Calls that may wait for a connection. More come from a loop that calls without a connection.
export const kMaxQueuedCalls = 1000;

/// The thread that check() asks about. No thread has this name; the answer is short and has no effect.
const kProbeThread = "ptyd-client-probe";
/// Methods whose answers may take minutes on a slow link; the server sends nothing else meanwhile.
const kLargeAnswers: readonly string[] = ["terminal.open", "terminal.snapshot"];
/// A frame of input that is answered at once on any line, in UTF-16 units.
const kLongestKeys = 8192;
/// WebSocket's readyState of a socket that can be written to.
const kSocketOpen = 1;
/// WebSocket close codes by which a server says that it goes away in good order: nothing unanswered was carried out.
const kOrderlyCodes = [1001, 1012];

export type ConnectionState =
  | { readonly name: "connecting" }
  /** `unansweredSince`: input got no answer, and nothing else came, since then; in milliseconds since 1970. */
  | { readonly name: "open"; readonly unansweredSince?: number }
  /** `retryAt` is in milliseconds since 1970. */
  | { readonly name: "reconnecting"; readonly attempt: number; readonly retryAt: number }
  /** The credential is not accepted; retryNow() tries again, e.g. after a login. */
  | { readonly name: "unauthorised" }
  | { readonly name: "closed" };

/// Sent again by itself when the connection broke before the answer: always (it does no harm twice), only when the
/// server closed in good order, or never.
export type Resend = "always" | "orderly" | "never";

/// A call without an answer is given up after Timings.request, or with its connection alone.
export type Limit = "time" | "connection";

export interface Push {
  readonly sequence: number;
  readonly channel: string;
  readonly data: unknown;
}

export interface ConnectionOptions {
  /** Asked before each attempt, so that a token in it may change. */
  readonly url: () => string;
  readonly webSocket: (url: string) => WebSocketLike;
  /** Asked after an attempt that failed before it opened, as browsers do not tell why. */
  readonly checkAccess?: () => Promise<"granted" | "denied" | "unknown">;
  readonly random?: () => number;
  /** Replace those of kTimings. */
  readonly timings?: Partial<Timings>;
}

/// The connection broke before a call was answered.
export class Lost extends PtydError {
  constructor(readonly orderly: boolean) {
    super(
      "outcome_unknown",
      "The connection broke before the server answered; whether it was carried out is not known.",
    );
  }
}

type Method = keyof TerminalMethods;
type Params<Name extends Method> = Readonly<TerminalMethods[Name]["params"]>;
type Result<Name extends Method> = TerminalMethods[Name]["result"];

interface Call {
  readonly id: string;
  readonly frame: string;
  readonly resend: Resend;
  readonly isInput: boolean;
  readonly isLarge: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: PtydError) => void;
  timer: Timer;
}

/// One lasting connection over as many sockets as it takes: requests and their answers, pushes, back-off.
/// Knows the envelope and no terminal.
///
/// Owns    the present socket; one that was given up is never heard again.
/// Order   on a new socket: a check, then `onOpen` listeners, then what waited, in the order of the calls.
/// Errors  every call ends: by its answer, or by a PtydError.
export class Connection {
  readonly onState = new Emitter<[ConnectionState]>();
  readonly onPush = new Emitter<[Push]>();
  /// A new socket is open. What listeners request now goes ahead of all that waited.
  readonly onOpen = new Emitter<[]>();
  /// The open socket is gone.
  readonly onLost = new Emitter<[]>();
  readonly timings: Timings;

  private current: ConnectionState = { name: "connecting" };
  private socket: WebSocketLike | undefined;
  private readonly backoff: Backoff;
  private readonly sent = new Map<string, Call>();
  private waiting: Call[] = [];
  private lastId = 0;
  private connectTimer: Timer;
  private silenceTimer: Timer;
  private checkTimer: Timer;
  private probe: Call | undefined;
  /// The check that is under way waits for no large answer.
  private isUrgent = false;
  private readonly answers: AnswerWatch;

  constructor(private readonly options: ConnectionOptions) {
    this.timings = { ...kTimings, ...options.timings };
    this.backoff = new Backoff(this.timings.retries, options.random);
    this.answers = new AnswerWatch(
      this.timings,
      () => this.awaitsKeys(),
      () => this.check(),
      (since) => this.setState(since === undefined ? { name: "open" } : { name: "open", unansweredSince: since }),
    );
  }

  get state(): ConnectionState {
    return this.current;
  }

  start(): void {
    this.connect();
  }

  /// Ends it for good; every unanswered call fails with `closed`.
  close(): void {
    if (this.current.name === "closed") return;
    this.drop(1000);
    this.setState({ name: "closed" });
    this.failAll(new PtydError("closed", "This client was closed."));
  }

  /// Tries at once where it would have waited, or was refused.
  retryNow(): void {
    if (this.current.name === "reconnecting" || this.current.name === "unauthorised") this.connect();
  }

  /// Makes sure that the other side still answers; if not, connects anew. To be called when there is reason to doubt.
  /// `urgent`: the page became visible again, or the network came back; a large answer that was on its way may be lost.
  check(urgent = false): void {
    if (this.current.name === "reconnecting") return this.retryNow();
    if (this.current.name !== "open") return;
    const isUnderWay = this.checkTimer !== undefined;
    if (isUnderWay && (this.isUrgent || !urgent)) return;
    this.isUrgent = urgent;
    this.awaitCheck();
    if (!isUnderWay) this.sendProbe();
  }

  private sendProbe(): void {
    const answered = () => {
      cancel(this.checkTimer);
      this.checkTimer = undefined;
    };
    const late = () => (this.mayTakeLong() ? this.sendProbe() : this.unanswered());
    const failed = (error: PtydError) => (error.code === "timeout" ? late() : answered());
    this.probe = this.makeCall("terminal.list", { threadId: kProbeThread }, "never", answered, failed);
    this.send(this.probe);
  }

  /// `received` is called with the result at its very place among the pushes; the promise is fulfilled some time later.
  request<Name extends Method>(
    method: Name,
    params: Params<Name>,
    resend: Resend,
    received?: (result: Result<Name>) => void,
    limit: Limit = "time",
  ): Promise<Result<Name>> {
    return new Promise((resolve, reject) => {
      if (this.current.name === "closed") return reject(new PtydError("closed", "This client was closed."));
      const answered = (result: Result<Name>) => {
        received?.(result);
        resolve(result);
      };
      const call = this.makeCall(method, params, resend, answered as (result: unknown) => void, reject, limit);
      if (this.current.name === "open") this.send(call);
      else if (this.waiting.length < kMaxQueuedCalls) this.waiting.push(call);
      else
        this.finish(call, () => reject(new PtydError("queue_full", `${kMaxQueuedCalls} calls wait for a connection.`)));
    });
  }

  private makeCall<Name extends Method>(
    method: Name,
    params: Params<Name>,
    resend: Resend,
    resolve: Call["resolve"],
    reject: Call["reject"],
    limit: Limit = "time",
  ): Call {
    const id = String(++this.lastId);
    const frame = JSON.stringify({ id, body: { _tag: method, ...params } });
    const kind = { isInput: method === "terminal.write", isLarge: kLargeAnswers.includes(method) };
    const call: Call = { id, frame, resend, ...kind, resolve, reject, timer: undefined };
    if (limit === "time") call.timer = after(this.timings.request, () => this.expire(call));
    return call;
  }

  private expire(call: Call): void {
    this.sent.delete(call.id);
    this.waiting = this.waiting.filter((other) => other !== call);
    call.reject(new PtydError("timeout", `The server did not answer within ${this.timings.request / 1000} seconds.`));
  }

  private finish(call: Call, settle: () => void): void {
    cancel(call.timer);
    settle();
  }

  /// On a socket that is closing already nothing is sent; its close, which follows, decides what is sent again.
  private send(call: Call): void {
    this.sent.set(call.id, call);
    if (this.awaitsKeys()) this.answers.sent();
    if ((this.socket?.readyState ?? kSocketOpen) === kSocketOpen) this.socket?.send(call.frame);
  }

  /// Not for what is long: it, and all behind it, may take its time on a slow link.
  private awaitsKeys(): boolean {
    const input = [...this.sent.values()].filter((call) => call.isInput);
    return input.length > 0 && input.every((call) => call.frame.length <= kLongestKeys);
  }

  private connect(): void {
    this.drop(1000);
    this.setState({ name: "connecting" });
    let socket: WebSocketLike;
    try {
      socket = this.options.webSocket(this.options.url());
    } catch {
      return this.scheduleRetry();
    }
    this.socket = socket;
    socket.binaryType = "arraybuffer"; // else browsers give a Blob, which can only be read later and out of order
    this.connectTimer = after(this.timings.connect, () => this.lost(false));
    socket.onopen = () => this.opened();
    socket.onmessage = (event: { data: unknown }) => this.received(event.data);
    socket.onclose = (event: { code?: number }) => this.lost(kOrderlyCodes.includes(event.code ?? 0));
    socket.onerror = () => undefined; // a close follows
  }

  private opened(): void {
    cancel(this.connectTimer);
    this.current = { name: "open" };
    this.check(); // before all that has a large answer; also brings the welcome, which precedes the first reply
    this.onOpen.emit();
    for (const call of this.waiting.splice(0)) this.send(call);
    this.onState.emit(this.current);
  }

  private received(data: unknown): void {
    this.backoff.reset();
    this.heard();
    this.takeIn(data);
    this.answers.heard();
  }

  private takeIn(data: unknown): void {
    const message = parse(data);
    if (message === undefined) return;
    if (message.type === "push") return void this.onPush.emit(message as unknown as Push);
    const call = typeof message.id === "string" ? this.sent.get(message.id) : undefined;
    if (call === undefined) return;
    this.sent.delete(call.id);
    this.finish(call, () => {
      if (message.error) call.reject(errorFromReply(message.error));
      else call.resolve(message.result);
    });
  }

  /// Whatever comes proves that something got through, but it may have been on its way before: only the answer ends a
  /// check, everything else gives it more time.
  private heard(): void {
    if (this.checkTimer !== undefined) this.awaitCheck();
    cancel(this.silenceTimer);
    this.silenceTimer = after(this.timings.silence, () => this.check());
  }

  /// Nothing has come for `silent` ms of the check.
  private awaitCheck(silent = 0): void {
    const { check, request } = this.timings;
    cancel(this.checkTimer);
    this.checkTimer = after(check, () => {
      if (this.mayTakeLong() && silent + check < request) this.awaitCheck(silent + check);
      else this.unanswered();
    });
  }

  /// The check was asked for behind a large answer: browsers tell nothing of a message before its end.
  private mayTakeLong(): boolean {
    if (this.isUrgent) return false;
    for (const call of this.sent.values()) if (call === this.probe || call.isLarge) return call !== this.probe;
    return false;
  }

  private unanswered(): void {
    this.lost(false);
    this.retryNow();
  }

  private lost(orderly: boolean): void {
    const wasOpen = this.current.name === "open";
    this.drop(1000);
    if (wasOpen) {
      this.sortOutUnanswered(orderly);
      this.scheduleRetry();
      this.onLost.emit();
    } else {
      void this.connectFailed();
    }
  }

  /// Lets go of the present socket: its events go nowhere.
  private drop(code: number): void {
    for (const timer of [this.connectTimer, this.silenceTimer, this.checkTimer]) cancel(timer);
    this.connectTimer = this.silenceTimer = this.checkTimer = undefined;
    this.answers.reset();
    const socket = this.socket;
    this.socket = undefined;
    if (socket === undefined) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    try {
      socket.close(code);
    } catch {
      // it was closed already
    }
  }

  private sortOutUnanswered(orderly: boolean): void {
    const unanswered = [...this.sent.values()];
    this.sent.clear();
    const again = unanswered.filter((call) => call.resend === "always" || (call.resend === "orderly" && orderly));
    this.waiting = [...again, ...this.waiting];
    for (const call of unanswered) {
      if (!again.includes(call)) this.finish(call, () => call.reject(new Lost(orderly)));
    }
  }

  private async connectFailed(): Promise<void> {
    this.scheduleRetry();
    const waited = this.current;
    const access = await this.options.checkAccess?.().catch(() => "unknown" as const);
    if (access !== "denied" || this.current !== waited) return;
    this.drop(1000);
    this.setState({ name: "unauthorised" });
    this.failAll(new PtydError("unauthorised", "The server does not accept this credential."));
  }

  private scheduleRetry(): void {
    const delay = this.backoff.next();
    this.setState({ name: "reconnecting", attempt: this.backoff.attempt, retryAt: Date.now() + delay });
    this.connectTimer = after(delay, () => this.connect());
  }

  private failAll(error: PtydError): void {
    const calls = [...this.sent.values(), ...this.waiting];
    this.sent.clear();
    this.waiting = [];
    for (const call of calls) this.finish(call, () => call.reject(error));
  }

  private setState(state: ConnectionState): void {
    this.current = state;
    this.onState.emit(state);
  }
}

interface Message {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { message?: unknown; code?: unknown };
}

function parse(data: unknown): Message | undefined {
  const text = typeof data === "string" ? data : decodeBinary(data);
  if (text === undefined) return undefined;
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined; // not ours to understand, as is any message of a newer server
  }
}

function decodeBinary(data: unknown): string | undefined {
  if (data instanceof ArrayBuffer || ArrayBuffer.isView(data)) return new host.TextDecoder("utf-8").decode(data);
  return undefined;
}
