/// Keys where nothing is sent: those that move do so through what is shown. Pure, for its test.
export type WatchKey =
  | { readonly lines: number }
  | { readonly pages: number }
  | { readonly columns: number }
  | { readonly to: "top" | "bottom" }
  /** The user wants to type. */
  | "typed";

/// Columns by which Left and Right move; one would take a hundred presses.
const kColumns = 8;

const kMoves: Readonly<Record<string, WatchKey>> = {
  ArrowUp: { lines: -1 },
  ArrowDown: { lines: 1 },
  PageUp: { pages: -1 },
  PageDown: { pages: 1 },
  Home: { to: "top" },
  End: { to: "bottom" },
  ArrowLeft: { columns: -kColumns },
  ArrowRight: { columns: kColumns },
};

/// Keys of neither kind, such as Tab or Ctrl+C, do what they do on any page.
export function watchKeyOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey">): WatchKey | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const isTyped = [...event.key].length === 1 || event.key === "Enter" || event.key === "Backspace";
  return kMoves[event.key] ?? (isTyped ? "typed" : undefined);
}
