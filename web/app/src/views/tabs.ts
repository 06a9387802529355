import { element, icon } from "../dom.ts";
import { isAgents, threadName, toolStatusInWords } from "../program.ts";
import { panelIdOf } from "../route.ts";
import { descriptionOf, labelOf, type Entry } from "../entry.ts";
import { KeyedRows, setAttribute, setText, type Row } from "./keyed.ts";
import { StateDot } from "./state_dot.ts";

export interface TabActions {
  readonly activate: (entry: Entry) => void;
  readonly close: (entry: Entry) => void;
  readonly rename: (entry: Entry) => void;
}

/// The terminals that this page shows, one of them in front. Arrows move between tabs, Delete closes one, F2 or a double
/// click renames it.
export class Tabs {
  readonly element = element("div", { class: "tabs", attributes: { role: "tablist", "aria-label": "Open terminals" } });
  private readonly rows: KeyedRows<Entry>;
  private activeKey: string | undefined;

  constructor(private readonly actions: TabActions) {
    this.rows = new KeyedRows(
      this.element,
      (entry) => entry.key,
      (entry) => this.tab(entry),
    );
  }

  show(entries: readonly Entry[], activeKey: string | undefined): void {
    const moved = this.activeKey !== activeKey;
    const hadFocus = this.element.contains(document.activeElement);
    this.activeKey = activeKey;
    this.rows.show(entries);
    if (!moved) return;
    this.selected?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) this.selected?.focus();
  }

  focus(): void {
    this.selected?.focus();
  }

  private get selected(): HTMLElement | null {
    return this.element.querySelector<HTMLElement>('[aria-selected="true"]');
  }

  private tab(first: Entry): Row<Entry> {
    let current = first;
    const dot = new StateDot();
    const name = element("span", { class: "name" });
    const toolStatus = element("span", { class: "visually-hidden" }); // the name needs the room
    const stays = isAgents(first) ? "the program stays its agent's" : "the shell keeps running";
    const close = closeSign(`Close this tab; ${stays}`, () => this.actions.close(current));
    const on = {
      click: () => this.actions.activate(current),
      dblclick: () => this.actions.rename(current),
      auxclick: (event: MouseEvent) => event.button === 1 && this.actions.close(current),
      keydown: (event: KeyboardEvent) => this.onKey(event, current),
    };
    const attributes = { role: "tab", "aria-controls": panelIdOf(first), "aria-keyshortcuts": "Delete F2" };
    const tab = element("div", { class: "tab", attributes, on }, dot.element, name, toolStatus, close);
    const update = (entry: Entry) => {
      current = entry;
      const active = entry.key === this.activeKey;
      dot.show(entry);
      setText(name, labelOf(entry));
      setText(toolStatus, toolStatusInWords(entry.toolCall));
      toolStatus.hidden = entry.toolCall === undefined;
      setAttribute(tab, "title", `${threadName(entry.threadId)}: ${labelOf(entry)}\n${descriptionOf(entry)}`);
      setAttribute(tab, "aria-selected", String(active));
      setAttribute(tab, "tabindex", active ? "0" : "-1");
    };
    return { element: tab, update };
  }

  private onKey(event: KeyboardEvent, entry: Entry): void {
    const tabs = [...this.element.children] as HTMLElement[];
    const at = tabs.indexOf(event.currentTarget as HTMLElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) tabs[(at + step + tabs.length) % tabs.length]?.focus();
    else if (event.key === "Enter" || event.key === " ") this.actions.activate(entry);
    else if (event.key === "Delete") this.actions.close(entry);
    else if (event.key === "F2") this.actions.rename(entry);
    else return;
    event.preventDefault();
  }
}

/// For the mouse and the finger only: a tab may hold nothing that takes the focus. Keys have Delete, everybody the menu.
function closeSign(title: string, press: () => void): HTMLElement {
  const on = {
    click: (event: MouseEvent) => {
      event.stopPropagation();
      press();
    },
  };
  return element("span", { class: "icon-button close", title, attributes: { "aria-hidden": "true" }, on }, icon("close"));
}
