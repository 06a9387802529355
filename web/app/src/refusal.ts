import type { PtydError } from "../../client/src/index.ts";

/// Of input that is named in a sentence, in UTF-16 units.
const kShownInput = 40;
/// Answers to a start by which nothing runs.
const kNothingRuns: readonly PtydError["code"][] = ["bad_request", "bad_cwd", "denied", "limit", "spawn_failed"];

/// Something that the server did not do.
export interface Refusal {
  readonly error: PtydError;
  /** Input that was meant for it; "" for none. */
  readonly lost: string;
}

/// The start may have been carried out: to attach may find its shell.
export function mayHaveStarted(error: PtydError): boolean {
  return !kNothingRuns.includes(error.code);
}

/// The page itself gave it up.
export function isOwn(error: PtydError): boolean {
  return error.code === "closed" || error.code === "cancelled";
}

/// Nothing, where the page itself gave it up and no input is lost.
export function notDone(what: string, { error, lost }: Refusal): string | undefined {
  if (!isOwn(error)) return behindLost(lost, `${what}: ${error.message}`);
  return lost === "" ? undefined : notSent(lost);
}

export function behindLost(lost: string, words: string): string {
  return lost === "" ? words : `${notSent(lost)} ${words}`;
}

/// A sentence about input that did not leave the page.
export function notSent(input: string): string {
  return `“${shownInput(input)}” was not sent.`;
}

/// As keys are named: Enter, Ctrl and letters; the beginning where it is long.
export function shownInput(input: string): string {
  const name = (key: string) => {
    if (key === "\r") return "⏎";
    if (key === "\x1b") return "Esc ";
    if (key === "\x7f") return "⌫";
    return `^${String.fromCharCode(key.charCodeAt(0) + 64)}`;
  };
  const named = input.replace(/[\x00-\x1f\x7f]/g, name);
  return named.length > kShownInput ? `${named.slice(0, kShownInput)}…` : named;
}
