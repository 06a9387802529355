import { element, iconButton } from "./dom.ts";
import type { Action } from "./shortcuts.ts";

/// The parts of the page, made by others.
export interface Parts {
  readonly skipLinks: HTMLElement;
  readonly sidebar: HTMLElement;
  readonly tabs: HTMLElement;
  readonly connection: HTMLElement;
  readonly menu: HTMLElement;
  /** The terminals, and what lies over them. */
  readonly terminals: HTMLElement;
  readonly over: readonly HTMLElement[];
  readonly keyBar: HTMLElement;
  /** Names what is in front; seen by nobody. */
  readonly heading: HTMLElement;
  readonly announcer: HTMLElement;
}

/// Puts the parts where they belong: the list at the side, the header, the terminals below it, and keys for fingers.
export function layOut(parts: Parts, perform: (action: Action) => void): HTMLElement {
  const scrim = element("div", { class: "scrim", on: { click: () => perform("toggleList") } });
  const header = element(
    "header",
    { class: "header" },
    parts.heading,
    iconButton("list", "Show or hide the list", () => perform("toggleList")),
    parts.tabs,
    iconButton("plus", "New terminal in this thread", () => perform("newTerminal")),
    element("span", { class: "spacer" }),
    element("span", { class: "role", text: "View only", title: "Your token is for viewing" }),
    parts.connection,
    iconButton("search", "Search", () => perform("search")),
    parts.menu,
  );
  parts.terminals.append(...parts.over);
  const stage = element("div", { class: "stage" }, header, parts.terminals, parts.keyBar);
  return element("div", { class: "app" }, parts.skipLinks, parts.sidebar, scrim, stage, parts.announcer);
}

/// Whether the list is a drawer over the rest; style.css has the same bound.
export function isNarrow(): boolean {
  return matchMedia("(max-width: 45rem)").matches;
}
