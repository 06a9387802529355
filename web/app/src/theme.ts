import type { ISearchDecorationOptions } from "@xterm/addon-search";
import type { ITheme } from "@xterm/xterm";
import type { Appearance } from "./appearance.ts";

/// Colours of terminals. The page's own are in style.css; `background` is the same in both.
const kDark: ITheme = {
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

/// Each colour is read on the ground; programs choose them for letters.
const kLight: ITheme = {
  background: "#fcfcfd",
  foreground: "#23272f",
  cursor: "#0f7a6b",
  cursorAccent: "#fcfcfd",
  selectionBackground: "#bcdcd7",
  selectionInactiveBackground: "#d9e6e4",
  black: "#23272f",
  red: "#b3282f",
  green: "#2a7233",
  yellow: "#7d5a00",
  blue: "#1f5fb0",
  magenta: "#8a3fa8",
  cyan: "#0b6f78",
  white: "#5f6673",
  brightBlack: "#666e7c",
  brightRed: "#c2343b",
  brightGreen: "#2f7a38",
  brightYellow: "#86620a",
  brightBlue: "#2b6bc0",
  brightMagenta: "#974bb5",
  brightCyan: "#14757e",
  brightWhite: "#4a515d",
  scrollbarSliderBackground: "#c2c8d280",
  scrollbarSliderHoverBackground: "#a9b1bea0",
  scrollbarSliderActiveBackground: "#8d97a7c0",
};

const kThemes: Readonly<Record<Appearance, ITheme>> = { dark: kDark, light: kLight };

/// While a search is open the match that is shown is selected, and stands out from the others.
const kMatch: Readonly<Record<Appearance, ITheme>> = {
  dark: { selectionBackground: "#dcbd7a", selectionInactiveBackground: "#dcbd7a", selectionForeground: "#0f1216" },
  light: { selectionBackground: "#7d5a00", selectionInactiveBackground: "#7d5a00", selectionForeground: "#ffffff" },
};

/// How all matches of a search are marked.
const kMarks: Readonly<Record<Appearance, ISearchDecorationOptions>> = {
  dark: {
    matchBackground: "#3d4a2a",
    matchOverviewRuler: "#8fc98f",
    activeMatchBackground: "#6b7f2f",
    activeMatchColorOverviewRuler: "#dcbd7a",
  },
  light: {
    matchBackground: "#dcebb8",
    matchOverviewRuler: "#2a7233",
    activeMatchBackground: "#7d5a00",
    activeMatchColorOverviewRuler: "#7d5a00",
  },
};

export function marksOf(appearance: Appearance): ISearchDecorationOptions {
  return kMarks[appearance];
}

export function themeOf(appearance: Appearance, searched: boolean): ITheme {
  return searched ? { ...kThemes[appearance], ...kMatch[appearance] } : kThemes[appearance];
}

/// Letters are made at least this much lighter or darker than their ground (WCAG AA): programs mix colours of their own
/// with those of a theme that they do not know.
export const kLeastContrast = 4.5;

export const kFonts =
  'ui-monospace, "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';

/// Colours that programs are told when they ask.
export function announcedColours(appearance: Appearance): { foreground: string; background: string; cursor: string } {
  const { foreground, background, cursor } = kThemes[appearance] as Required<ITheme>;
  return { foreground, background, cursor };
}
