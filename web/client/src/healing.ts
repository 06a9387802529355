/// Terminal.heal(): lines above the screen in pages, and a repaint below them, become the whole terminal.
import type { Connection } from "./connection.ts";
import { PtydError } from "./errors.ts";
import type { OpenOptions, ScreenSnapshot, Snapshot } from "./messages.ts";
import { after } from "./platform.ts";

/// How often lines may go by, or the size change, while the scrollback is fetched, before that is given up.
const kTries = 3;

/// Between two pages it is waited as long as the last one took, but no longer than this, in milliseconds: what is typed
/// meanwhile finds the link free most of the time.
const kLongestPause = 500;

/// Wishes of the caller.
export interface HealOptions {
  readonly scrollback: number | undefined;
  readonly isWanted: () => boolean;
}

/// Stands above the oldest line where the scrollback has no room for those before it.
const kBeyond = "[ptyd: earlier lines are beyond the scrollback]";

/// Text that draws lines of the scrollback, from one number up to the other.
interface Lines {
  readonly text: string;
  readonly firstLine: number;
  readonly nextLine: number;
  readonly cols: number;
}

/// The text that replaces everything. `params` are those of the moment in which a repaint is asked for. `accept` is told
/// each repaint in its place among the output, and whether the text with it will be written.
export async function heal(
  connection: Connection,
  params: () => OpenOptions & { readonly terminalId: string },
  accept: (snapshot: Snapshot, replacesAll: boolean) => void,
  options: HealOptions,
): Promise<string> {
  for (let tries = 0; tries < kTries; tries++) {
    const above = await fetchLines(connection, params(), options);
    if (!above) continue;
    let text: string | undefined;
    const wanted = { ...params(), historyFormat: "repaint", fromLine: above.nextLine } as const;
    await connection.request("terminal.open", wanted, "never", (snapshot) => {
      text = options.isWanted() ? wholeText(above, snapshot) : undefined;
      accept(snapshot, text !== undefined);
    });
    if (text !== undefined) return text;
    goOn(options);
  }
  throw new PtydError("busy", "Lines went by faster than the scrollback could be fetched.");
}

/// The newest lines that are above the screen now. Nothing when the server does not keep some of them any more before
/// they are fetched, or the width changes.
async function fetchLines(
  connection: Connection,
  { threadId, terminalId }: { readonly threadId: string; readonly terminalId: string },
  options: HealOptions,
): Promise<Lines | undefined> {
  const scrollback = depthOf(options);
  const pages: string[] = [];
  let first: ScreenSnapshot | undefined;
  let fromLine: number | undefined;
  for (;;) {
    const asked = { threadId, terminalId, format: "lines", scrollback, fromLine } as const;
    const begun = Date.now();
    const page = await connection.request("terminal.snapshot", asked, "never");
    const took = Date.now() - begun;
    goOn(options);
    first ??= page;
    if (page.cols !== first.cols || page.firstLine !== (fromLine ?? first.firstLine)) return undefined;
    pages.push(page.text ?? "");
    fromLine = page.nextLine ?? 0;
    if (fromLine >= (first.endLine ?? 0)) {
      if (first.hasEarlier && scrollback !== 0) pages.unshift(`${kBeyond}\r\n`);
      return { text: pages.join(""), firstLine: first.firstLine ?? 0, nextLine: fromLine, cols: page.cols };
    }
    if (took > 0) await pause(took);
  }
}

/// One row of the scrollback is for kBeyond.
function depthOf({ scrollback }: HealOptions): number | undefined {
  return scrollback === undefined ? undefined : Math.max(scrollback - 1, 0);
}

/// A clock that was set meanwhile tells anything.
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => after(Math.min(Math.max(milliseconds, 0), kLongestPause), resolve));
}

function goOn({ isWanted }: HealOptions): void {
  if (!isWanted()) throw new PtydError("cancelled", "The scrollback is not wanted any more.");
}

/// `above`, then the repaint in `snapshot`. Nothing when that does not go on where the lines end, or none of them is
/// kept any more: the program has cleared them.
function wholeText(above: Lines, snapshot: Snapshot): string | undefined {
  const { history, fromLine, firstLine = 0, cols, rows = 1 } = snapshot;
  if (fromLine !== above.nextLine || cols !== above.cols) return undefined;
  if (above.firstLine < above.nextLine && firstLine >= above.nextLine) return undefined;
  // So many line feeds take all lines off the screen, and no row that is empty.
  return `\x1bc${above.text}${"\n".repeat(rows - 1)}${history}`;
}
