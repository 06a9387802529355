import { element, iconButton } from "../dom.ts";
import { labelOf, stateOf, type Entry, type Thread } from "../workspace.ts";

export interface SidebarActions {
  readonly open: (entry: Entry) => void;
  readonly end: (entry: Entry) => void;
  readonly newTerminal: (threadId: string) => void;
  readonly newThread: () => void;
}

/// The list of all threads and terminals of the server.
export class Sidebar {
  readonly element = element("nav", { class: "sidebar", attributes: { "aria-label": "Terminals" } });
  private readonly list = element("div", { class: "threads" });

  constructor(private readonly actions: SidebarActions) {
    const head = element(
      "div",
      { class: "sidebar-head" },
      element("span", { class: "brand", text: "ptyd" }),
      iconButton("plus", "New thread", actions.newThread),
    );
    this.element.append(head, this.list);
  }

  show(threads: readonly Thread[], activeKey: string | undefined): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.focus;
    this.list.replaceChildren(...threads.map((thread) => this.thread(thread, activeKey)));
    if (threads.length === 0) this.list.append(element("p", { class: "empty", text: "No terminals yet." }));
    if (focused) this.list.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  focus(): void {
    const current = this.list.querySelector<HTMLElement>('[aria-current="true"]');
    (current ?? this.element.querySelector<HTMLElement>("button"))?.focus();
  }

  private thread(thread: Thread, activeKey: string | undefined): HTMLElement {
    const plus = iconButton("plus", `New terminal in ${thread.threadId}`, () => this.actions.newTerminal(thread.threadId));
    plus.dataset.focus = `plus ${thread.threadId}`;
    const items = thread.entries.map((entry) => this.item(entry, entry.key === activeKey));
    return element(
      "section",
      { class: "thread" },
      element("div", { class: "thread-head" }, element("h2", { text: thread.threadId }), plus),
      element("ul", {}, ...items),
    );
  }

  private item(entry: Entry, active: boolean): HTMLElement {
    const name = labelOf(entry);
    const state = stateOf(entry);
    const label = element("span", { class: "label" }, element("span", { class: "name", text: name }), detail(entry));
    const open = element(
      "button",
      {
        class: "item",
        title: `${name}\n${entry.cwd}\n${state}`,
        attributes: { type: "button", "aria-current": active ? "true" : undefined },
        on: { click: () => this.actions.open(entry) },
      },
      stateDot(entry),
      label,
    );
    open.dataset.focus = `open ${entry.key}`;
    const end = iconButton("close", `End ${name}`, () => this.actions.end(entry));
    end.dataset.focus = `end ${entry.key}`;
    return element("li", { class: active ? "active" : "" }, open, end);
  }
}

/// A dot whose shape and colour tell the state; the words are there for those who do not see it.
export function stateDot(entry: Entry): HTMLElement {
  const state = entry.status === "running" && entry.busy ? "busy" : entry.status;
  const failed = entry.status === "exited" && entry.exitCode !== 0;
  const unread = entry.unread ? " unread" : "";
  const words = element("span", { class: "visually-hidden", text: `${stateOf(entry)}${entry.unread ? ", new output" : ""}. ` });
  return element("span", { class: `dot ${state}${failed ? " failed" : ""}${unread}` }, words);
}

function detail(entry: Entry): HTMLElement {
  const text = entry.status === "running" && !entry.agent ? entry.cwd : stateOf(entry);
  return element("span", { class: "detail", text });
}
