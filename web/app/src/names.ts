import type { Entry } from "./entry.ts";
import { baseName } from "./plain.ts";

type Named = Pick<Entry, "key" | "givenName" | "title" | "process" | "cwd">;

/// A name for each of `entries`, none twice: what people call it, else its title, else its program and folder. Where these are the same the whole
/// path tells more, and where that is, too, a number, in the order of `entries`.
export function namesOf(entries: readonly Named[]): Map<string, string> {
  const short = new Map(entries.map((entry) => [entry.key, shortName(entry)]));
  const long = new Map(entries.map((entry) => [entry.key, longName(entry)]));
  const isAmbiguous = repeated([...short.values()]);
  const names = new Map<string, string>();
  const taken = new Map<string, number>();
  for (const { key } of entries) {
    const shortly = short.get(key) as string;
    const name = isAmbiguous(shortly) ? (long.get(key) as string) : shortly;
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    names.set(key, number === 1 ? name : `${name} (${number})`);
  }
  return names;
}

function shortName({ givenName, title, process, cwd }: Named): string {
  const called = givenName || title;
  if (called !== "") return called;
  return process === "" ? baseName(cwd) : `${process} · ${baseName(cwd)}`;
}

function longName({ givenName, title, process, cwd }: Named): string {
  const what = givenName || title || process;
  return what === "" ? cwd : `${what} · ${cwd}`;
}

function repeated(values: readonly string[]): (value: string) => boolean {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return (value) => (counts.get(value) ?? 0) > 1;
}
