import { element, iconButton } from "../dom.ts";
import { labelOf, stateOf, type Entry } from "../workspace.ts";
import { stateDot } from "./sidebar.ts";

export interface TabActions {
  readonly activate: (entry: Entry) => void;
  readonly close: (entry: Entry) => void;
}

/// The terminals that this page shows, one of them in front. Arrows move between tabs, Delete closes one.
export class Tabs {
  readonly element = element("div", { class: "tabs", attributes: { role: "tablist", "aria-label": "Open terminals" } });

  constructor(private readonly actions: TabActions) {}

  show(entries: readonly Entry[], activeKey: string | undefined): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(...entries.map((entry) => this.tab(entry, entry.key === activeKey)));
    const active = this.element.querySelector<HTMLElement>('[aria-selected="true"]');
    active?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) active?.focus();
  }

  focus(): void {
    this.element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }

  private tab(entry: Entry, active: boolean): HTMLElement {
    const name = labelOf(entry);
    const attributes = { role: "tab", "aria-selected": String(active), tabindex: active ? "0" : "-1" };
    const tab = element(
      "div",
      {
        class: "tab",
        title: `${entry.threadId}: ${name}\n${stateOf(entry)}`,
        attributes,
        on: {
          click: () => this.actions.activate(entry),
          auxclick: (event) => event.button === 1 && this.actions.close(entry),
          keydown: (event) => this.onKey(event, entry),
        },
      },
      stateDot(entry),
      element("span", { class: "name", text: name }),
    );
    const close = iconButton("close", "Close this tab; the shell keeps running", (event) => {
      event.stopPropagation();
      this.actions.close(entry);
    });
    close.tabIndex = -1;
    tab.append(close);
    return tab;
  }

  private onKey(event: KeyboardEvent, entry: Entry): void {
    const tabs = [...this.element.children] as HTMLElement[];
    const at = tabs.indexOf(event.currentTarget as HTMLElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) tabs[(at + step + tabs.length) % tabs.length]?.click();
    else if (event.key === "Enter" || event.key === " ") this.actions.activate(entry);
    else if (event.key === "Delete") this.actions.close(entry);
    else return;
    event.preventDefault();
  }
}
