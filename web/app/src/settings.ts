/// Preferences of its user that this browser remembers. Works without storage as well, then for this page only.
export interface Settings {
  readonly fontSize: number;
  /** `auto` is WebGL where there is one. */
  readonly renderer: "auto" | "dom";
  readonly sidebar: boolean;
  /** `system` follows what the browser says its user prefers. */
  readonly theme: Theme;
  /** The text of the terminal in front is given to screen readers. */
  readonly screenReader: boolean;
}

export const kThemes = ["system", "dark", "light"] as const;
export type Theme = (typeof kThemes)[number];

export const kFontSizes = { smallest: 8, usual: 14, largest: 32 } as const;

const kKey = "ptyd.settings";
const kUsual: Settings = {
  fontSize: kFontSizes.usual,
  renderer: "auto",
  sidebar: true,
  theme: "system",
  screenReader: false,
};

export function loadSettings(): Settings {
  try {
    return { ...kUsual, ...checked(JSON.parse(localStorage.getItem(kKey) ?? "{}")) };
  } catch {
    return kUsual;
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(kKey, JSON.stringify(settings));
  } catch {
    // private windows may refuse; the page works on
  }
}

export function clampFontSize(size: number): number {
  return Math.min(Math.max(Math.round(size), kFontSizes.smallest), kFontSizes.largest);
}

/// The valid part of `stored`; an older or newer page may have written it.
function checked(stored: unknown): Partial<Settings> {
  if (typeof stored !== "object" || stored === null) return {};
  const { fontSize, renderer, sidebar, theme, screenReader } = stored as Record<string, unknown>;
  return {
    ...(typeof fontSize === "number" ? { fontSize: clampFontSize(fontSize) } : {}),
    ...(renderer === "dom" || renderer === "auto" ? { renderer } : {}),
    ...(typeof sidebar === "boolean" ? { sidebar } : {}),
    ...(kThemes.some((known) => known === theme) ? { theme: theme as Theme } : {}),
    ...(typeof screenReader === "boolean" ? { screenReader } : {}),
  };
}
