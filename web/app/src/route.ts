/// Which terminal the address bar names: `#/<thread>/<terminal>`. The fragment never leaves the browser.
export interface Place {
  readonly threadId: string;
  readonly terminalId: string;
}

export function formatPlace(place: Place): string {
  return `#/${encodeURIComponent(place.threadId)}/${encodeURIComponent(place.terminalId)}`;
}

/// The id of the element that shows `place`; ids have no spaces.
export function panelIdOf(place: Place): string {
  return `terminal-${encodeURIComponent(place.threadId)}-${encodeURIComponent(place.terminalId)}`;
}

export function parsePlace(fragment: string): Place | undefined {
  const parts = /^#\/([^/]+)\/([^/]+)$/.exec(fragment);
  if (!parts) return undefined;
  try {
    return { threadId: decodeURIComponent(parts[1] as string), terminalId: decodeURIComponent(parts[2] as string) };
  } catch {
    return undefined;
  }
}
