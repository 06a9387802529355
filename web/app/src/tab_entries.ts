import { keyOf, unknownEntry, type Entry } from "./entry.ts";
import type { Place } from "./route.ts";

/// Entries of the tabs. A terminal that is gone keeps the name that it had.
export class TabEntries {
  private before = new Map<string, Entry>();

  of(places: readonly Place[], known: (key: string) => Entry | undefined): Entry[] {
    const entries = places.map((place) => known(keyOf(place)) ?? this.gone(place));
    this.before = new Map(entries.map((entry) => [entry.key, entry]));
    return entries;
  }

  private gone(place: Place): Entry {
    const before = this.before.get(keyOf(place));
    return before ? { ...before, status: "exited", busy: false, agent: undefined } : unknownEntry(place);
  }
}
