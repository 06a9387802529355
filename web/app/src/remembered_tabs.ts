import type { Place } from "./route.ts";
import { keyOf } from "./entry.ts";

/// More than anybody tells apart in a strip. What is beyond goes from the end that is further from the tab in front.
export const kMostRemembered = 32;
/// UTF-16 units of a name; the server's own bound is shorter.
const kLongestName = 512;

/// The tabs of a page, in their order, and the one in front.
export interface Tabs {
  readonly places: readonly Place[];
  readonly front: Place | undefined;
}

/// Remembers tabs for each server, by the address of its page: for this window, which finds its own again when it is
/// loaded anew, and for the browser, from which a new window takes those of the one that changed last.
///
/// Without storage it remembers nothing, and the page works on.
export class RememberedTabs {
  private readonly key: string;

  constructor(
    address: string,
    private readonly stores: () => readonly Storage[] = () => [sessionStorage, localStorage],
  ) {
    this.key = `ptyd.tabs ${new URL(".", address).pathname}`;
  }

  load(): Tabs {
    for (const text of this.texts()) {
      const tabs = parse(text);
      if (tabs) return tabs;
    }
    return { places: [], front: undefined };
  }

  save(tabs: Tabs): void {
    const text = JSON.stringify(bounded(tabs));
    this.attempt((store) => store.setItem(this.key, text));
  }

  private texts(): string[] {
    const texts: string[] = [];
    this.attempt((store) => {
      const text = store.getItem(this.key);
      if (text !== null) texts.push(text);
    });
    return texts;
  }

  /// Private windows may refuse either store.
  private attempt(use: (store: Storage) => void): void {
    try {
      for (const store of this.stores()) use(store);
    } catch {
      // nothing is remembered
    }
  }
}

/// Another page may have written it, older or newer.
function parse(text: string): Tabs | undefined {
  try {
    const { places, front } = JSON.parse(text) as { places?: unknown; front?: unknown };
    if (!Array.isArray(places)) return undefined;
    const known = new Map(places.filter(isPlace).map((place) => [keyOf(place), bare(place)]));
    return bounded({ places: [...known.values()], front: isPlace(front) ? bare(front) : undefined });
  } catch {
    return undefined;
  }
}

function bounded({ places, front }: Tabs): Tabs {
  const at = front ? places.findIndex((place) => keyOf(place) === keyOf(front)) : -1;
  const first = Math.max(0, at - kMostRemembered + 1);
  return { places: places.slice(first, first + kMostRemembered).map(bare), front: at < 0 ? undefined : front };
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== "object" || value === null) return false;
  const { threadId, terminalId } = value as Record<string, unknown>;
  const isName = (name: unknown) => typeof name === "string" && name !== "" && name.length <= kLongestName;
  return isName(threadId) && isName(terminalId);
}

function bare({ threadId, terminalId }: Place): Place {
  return { threadId, terminalId };
}
