/// The page's own keys. All others belong to the program in the terminal, so these are few and carry two modifiers.

export type Action =
  | "newTerminal"
  | "search"
  | "read"
  | "screenReader"
  | "copy"
  | "paste"
  | "nextTab"
  | "previousTab"
  | "nextPart"
  | "toggleList"
  | "help";

export interface Shortcut {
  readonly action: Action;
  /** As shown to people. */
  readonly keys: string;
  readonly does: string;
  /** KeyboardEvent.code, which does not depend on the layout. */
  readonly code: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

export const kShortcuts: readonly Shortcut[] = [
  row("newTerminal", "Ctrl+Shift+`", "New terminal in this thread", "Backquote", "cs"),
  row("search", "Ctrl+Shift+F", "Search in the terminal", "KeyF", "cs"),
  row("read", "Ctrl+F2", "Read the terminal's text as text of the page", "F2", "c"),
  row("screenReader", "Ctrl+F3", "Turn screen reader mode on or off", "F3", "c"),
  row("copy", "Ctrl+Shift+C", "Copy the selection", "KeyC", "cs"),
  row("paste", "Ctrl+Shift+V", "Paste", "KeyV", "cs"),
  row("nextTab", "Ctrl+Shift+.", "Next tab", "Period", "cs"),
  row("previousTab", "Ctrl+Shift+,", "Previous tab", "Comma", "cs"),
  row("nextPart", "Ctrl+F6", "Move between terminal, list and tabs", "F6", "c"),
  row("toggleList", "Ctrl+Shift+L", "Show or hide the list", "KeyL", "cs"),
  row("help", "Ctrl+F1", "Show these keys", "F1", "c"),
];

type Keys = Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

export function actionOf(event: Keys): Action | undefined {
  return kShortcuts.find(
    (shortcut) =>
      shortcut.code === event.code &&
      shortcut.ctrl === event.ctrlKey &&
      shortcut.shift === event.shiftKey &&
      shortcut.alt === event.altKey &&
      !event.metaKey,
  )?.action;
}

function row(action: Action, keys: string, does: string, code: string, modifiers: string): Shortcut {
  const has = (modifier: string) => modifiers.includes(modifier);
  return { action, keys, does, code, ctrl: has("c"), shift: has("s"), alt: has("a") };
}
