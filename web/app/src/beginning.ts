import type { PtydClient } from "../../client/src/index.ts";
import { keyOf, type Entry } from "./entry.ts";
import { isAgents } from "./program.ts";
import type { Place } from "./route.ts";

/// A list that did not come is asked for again so much later (ms).
const kAgain = 1000;

/// Fulfilled once `refresh` says that the list has come. Without it a remembered tab would be taken for gone, and a shell
/// be started beside those that run.
export async function firstList(client: Pick<PtydClient, "whenOpen">, refresh: () => Promise<boolean>): Promise<void> {
  for (;;) {
    await client.whenOpen(); // whoever has to sign in first is not to type into a terminal behind that
    if (await refresh()) return;
    await new Promise((resolve) => setTimeout(resolve, kAgain));
  }
}

/// In front is the first of those `wanted` that there is, else a shell that runs, else any.
export function firstInFront(entries: readonly Entry[], wanted: readonly (Place | undefined)[]): Entry | undefined {
  const known = (place: Place | undefined) => entries.find((entry) => place && entry.key === keyOf(place));
  const shells = entries.filter((entry) => !isAgents(entry));
  return wanted.map(known).find(Boolean) ?? shells.find((entry) => entry.status === "running") ?? shells[0];
}
