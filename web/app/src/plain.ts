/// Longest title that is shown, in UTF-16 units; a program may set any.
export const kMaxTitle = 200;

/// A program's name for itself, fit to be shown.
export function shownTitle(title: string): string {
  return shownText(title, kMaxTitle);
}

/// Text from outside, fit to be shown: no control characters, none that reverse or hide text, at most `most` UTF-16
/// units.
export function shownText(text: string, most: number): string {
  const clean = text.replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu, " ").trim();
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

/// When something began, for as long as it goes on; how long it took, once it is over. Both are ISO-8601, or "".
export function timesOf(since: string, until: string): string {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  if (Number.isNaN(begin)) return "";
  if (!Number.isNaN(end)) return `after ${durationInWords(Math.max(0, end - begin))}`;
  return `since ${new Date(begin).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}`;
}

/// The two largest units of `milliseconds`; tenths of a second below ten.
export function durationInWords(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
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
