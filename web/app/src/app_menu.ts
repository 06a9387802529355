import { logOut } from "./access.ts";
import { clampFontSize, kFontSizes, kThemes, type Settings, type Theme } from "./settings.ts";
import { kShortcuts, type Action } from "./shortcuts.ts";
import type { TerminalView } from "./terminal_view.ts";
import type { MenuItem } from "./views/menu.ts";

/// The menu's needs from the page.
export interface MenuHost {
  readonly settings: () => Settings;
  readonly active: () => TerminalView | undefined;
  readonly perform: (action: Action) => void;
  readonly change: (settings: Partial<Settings>) => void;
  readonly restart: () => void;
  /** Asks for a name of what is in front; absent where there is nothing, or no right to. */
  readonly rename: () => (() => void) | undefined;
  /** Takes what is in front out of this page. */
  readonly closeTab: () => void;
  /** Ends what is in front; absent where there is nothing to end, or no right to. */
  readonly end: () => (() => void) | undefined;
}

/// All that can be done now, with the terminal in front and with the page.
export function menuItems(host: MenuHost): (MenuItem | "line")[] {
  const item = (label: string, action: Action): MenuItem => ({
    label,
    keys: kShortcuts.find((shortcut) => shortcut.action === action)?.keys,
    press: () => host.perform(action),
  });
  const settings = host.settings();
  const size = (label: string, by: number): MenuItem => ({
    label,
    press: () => host.change({ fontSize: by === 0 ? kFontSizes.usual : clampFontSize(settings.fontSize + by) }),
  });
  const isDom = settings.renderer === "dom";
  const themes = kThemes.filter((theme) => theme !== settings.theme);
  const ofTerminal = terminalItems(host);
  return [
    item("Copy", "copy"),
    item("Paste", "paste"),
    item("Search", "search"),
    item("Read as text", "read"),
    "line",
    ...ofTerminal,
    ...(ofTerminal.length > 0 ? (["line"] as const) : []),
    size("Larger text", 1),
    size("Smaller text", -1),
    size("Usual text size", 0),
    {
      label: isDom ? "Draw with WebGL" : "Draw without WebGL",
      press: () => host.change({ renderer: isDom ? "auto" : "dom" }),
    },
    ...themes.map((theme) => ({ label: kThemeWords[theme], press: () => host.change({ theme }) })),
    item(settings.screenReader ? "Leave screen reader mode" : "Screen reader mode", "screenReader"),
    "line",
    item("Keys", "help"),
    { label: "Sign out", press: () => void logOut() },
  ];
}

const kThemeWords: Readonly<Record<Theme, string>> = {
  system: "Colours of the system",
  dark: "Dark colours",
  light: "Light colours",
};

function terminalItems(host: MenuHost): MenuItem[] {
  const active = host.active();
  const end = host.end();
  const closeItem = { label: "Close tab", press: host.closeTab };
  const rename = host.rename();
  const names = rename ? [{ label: "Rename", press: rename }] : [];
  if (!active) return [];
  if (!active.manners.restarts) {
    const stop = end ? [{ label: "Stop program", press: end }] : [];
    return [...stop, ...names, closeItem, ...(active.manners.keepsSize ? [fitItem(active)] : [])];
  }
  return [
    { label: "Clear", press: () => void active.clear() },
    { label: "Restart", press: host.restart },
    ...names,
    closeItem,
    ...(end ? [{ label: "End terminal", press: end }] : []),
  ];
}

function fitItem(view: TerminalView): MenuItem {
  const { screen } = view;
  const press = () => {
    screen.shrinks = !screen.shrinks;
    view.claimSize();
  };
  return { label: screen.shrinks ? "Show text at its usual size" : "Shrink text to fit", press };
}
