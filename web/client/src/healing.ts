/// The parts of Terminal.heal(): lines above the screen in pages, and how they become the whole terminal.
import type { Connection } from "./connection.ts";
import type { ScreenSnapshot, Snapshot } from "./messages.ts";

/// Text that draws lines of the scrollback, up to the one of that number.
export interface Lines {
  readonly text: string;
  readonly nextLine: number;
  readonly cols: number;
}

interface Key {
  readonly threadId: string;
  readonly terminalId: string;
}

/// The newest lines, at most `scrollback`, that are above the screen now. Nothing when the server does not keep some of
/// them any more before they are fetched, or the width changes.
export async function fetchLines(
  connection: Connection,
  key: Key,
  scrollback: number | undefined,
): Promise<Lines | undefined> {
  const pages: string[] = [];
  let first: ScreenSnapshot | undefined;
  let fromLine: number | undefined;
  for (;;) {
    const asked = { ...key, format: "lines", scrollback, fromLine } as const;
    const page = await connection.request("terminal.snapshot", asked, "never");
    first ??= page;
    if (page.cols !== first.cols || page.firstLine !== (fromLine ?? first.firstLine)) return undefined;
    pages.push(page.text ?? "");
    fromLine = page.nextLine ?? 0;
    if (fromLine >= (first.endLine ?? 0)) return { text: pages.join(""), nextLine: fromLine, cols: page.cols };
  }
}

/// Text that draws the whole terminal: `above`, then the repaint in `snapshot`. Nothing when that does not go on where
/// the lines end.
export function wholeText(above: Lines, snapshot: Snapshot): string | undefined {
  const { history, fromLine, cols, rows = 1 } = snapshot;
  if (fromLine !== above.nextLine || cols !== above.cols) return undefined;
  // So many line feeds take all lines off the screen, and no row that is empty.
  return `\x1bc${above.text}${"\n".repeat(rows - 1)}${history}`;
}
