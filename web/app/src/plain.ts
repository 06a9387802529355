/// Longest title that is shown, in UTF-16 units; a program may set any.
export const kMaxTitle = 200;

/// What a program calls itself, fit to be shown.
export function shownTitle(title: string): string {
  return shownText(title, kMaxTitle);
}

/// Text from outside, fit to be shown: no control characters, none that reverse or hide text, at most `most` UTF-16
/// units.
export function shownText(text: string, most: number): string {
  const clean = text.replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ").trim();
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
}

/// The last part of a path; "/" for the root.
export function baseName(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || "/";
}

/// `path` as people write it who are at home in `home`.
export function shortPath(path: string, home: string | undefined): string {
  if (!home || home === "/" || (path !== home && !path.startsWith(`${home}/`))) return path;
  return `~${path.slice(home.length)}`;
}

/// How a program ended, in words.
export function endInWords(exit: { readonly exitCode: number | null; readonly exitSignal: number | null }): string {
  if (exit.exitSignal !== null && exit.exitSignal !== 0) return `ended by ${signalName(exit.exitSignal)}`;
  if (exit.exitCode !== null) return `exited with code ${exit.exitCode}`;
  return "ended";
}

const kSignals: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

function signalName(number: number): string {
  return kSignals[number] ?? `signal ${number}`;
}
