import type { ITheme } from "@xterm/xterm";

/// Colours of terminals. The page's own are in style.css; `background` is the same in both.
export const kTheme: ITheme = {
  background: "#0f1216",
  foreground: "#d7dbe2",
  cursor: "#7cc4b8",
  cursorAccent: "#0f1216",
  selectionBackground: "#2f4a5a",
  selectionInactiveBackground: "#263440",
  black: "#1d222b",
  red: "#e5787d",
  green: "#8fc98f",
  yellow: "#dcbd7a",
  blue: "#7aa7e5",
  magenta: "#c08fd8",
  cyan: "#6fc3c7",
  white: "#c9ced8",
  brightBlack: "#78839a",
  brightRed: "#f2969a",
  brightGreen: "#a9dca8",
  brightYellow: "#ecd49a",
  brightBlue: "#9cc0f2",
  brightMagenta: "#d5aee8",
  brightCyan: "#92d9dc",
  brightWhite: "#f2f4f8",
  scrollbarSliderBackground: "#39414f80",
  scrollbarSliderHoverBackground: "#4a5465a0",
  scrollbarSliderActiveBackground: "#5b677bc0",
};

/// While a search is open: the match that is shown is selected, and stands out from the others.
export const kSearchedTheme: ITheme = {
  ...kTheme,
  selectionBackground: "#dcbd7a",
  selectionInactiveBackground: "#dcbd7a",
  selectionForeground: "#0f1216",
};

export const kFonts =
  'ui-monospace, "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';

/// What programs are told when they ask for colours.
export const kAnnouncedColours = {
  foreground: kTheme.foreground as string,
  background: kTheme.background as string,
  cursor: kTheme.cursor as string,
};
