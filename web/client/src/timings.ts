/// How long this client waits for what, in milliseconds.
export interface Timings {
  /**
   * A request without an answer for so long is given up; the reference client's number. A terminal that comes back is
   * waited for as long as its connection lasts.
   */
  readonly request: number;
  /** A socket that neither opened nor failed for so long is given up: the network swallowed it. */
  readonly connect: number;
  /** After so much silence the connection is checked. Longer than the server's ping, which scripts cannot see. */
  readonly silence: number;
  /**
   * A checked connection that stays silent for so long is dead, whatever its state says, as after sleep. While a terminal or
   * a snapshot is awaited that was asked for before the check it may be silent for `request`, unless the network has
   * changed or the page has become visible since.
   */
  readonly check: number;
  /** Input that has no answer for so long, while nothing else comes, is a reason to check. */
  readonly doubt: number;
  /** The same for so long is told. With `doubt` and `check` a dead connection is given up within 8 s of the first key. */
  readonly answer: number;
  /**
   * Input, and a call that ends or changes something, waits for a connection for so long, and never for twice that: the
   * person has given up by then.
   */
  readonly input: number;
  /** Between attempts to connect; the last is repeated. The reference client's numbers. */
  readonly retries: readonly number[];
}

export const kTimings: Timings = {
  request: 60_000,
  connect: 10_000,
  silence: 30_000,
  check: 5_000,
  doubt: 2_000,
  answer: 3_000,
  input: 60_000,
  retries: [500, 1000, 2000, 4000, 8000],
};
