import { element, iconButton } from "../dom.ts";
import { endedEarlier, Fold } from "./fold.ts";
import { shortPath, timesOf } from "../plain.ts";
import { isAgents, threadName, toolCallInWords } from "../program.ts";
import { descriptionOf, labelOf, stateOf, type Entry, type Thread } from "../entry.ts";
import { KeyedRows, setAttribute, setText, type Row } from "./keyed.ts";
import { StateDot } from "./state_dot.ts";

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
  private readonly empty = element("p", { class: "empty", text: "No terminals yet." });
  private readonly rows: KeyedRows<Thread>;
  private activeKey: string | undefined;
  private home: string | undefined;

  constructor(private readonly actions: SidebarActions) {
    const head = element(
      "div",
      { class: "sidebar-head" },
      element("span", { class: "brand", text: "ptyd" }),
      iconButton("plus", "New thread", actions.newThread),
    );
    this.element.append(head, this.list, this.empty);
    this.rows = new KeyedRows(
      this.list,
      (thread) => thread.threadId,
      (thread) => this.threadRow(thread.threadId),
    );
  }

  show(threads: readonly Thread[], activeKey: string | undefined, home: string | undefined): void {
    this.activeKey = activeKey;
    this.home = home;
    this.rows.show(threads);
    this.empty.hidden = threads.length > 0;
  }

  focus(): void {
    const current = this.list.querySelector<HTMLElement>('[aria-current="true"]');
    (current ?? this.element.querySelector<HTMLElement>("button"))?.focus();
  }

  private threadRow(threadId: string): Row<Thread> {
    const agents = isAgents({ threadId });
    const plus = iconButton("plus", `New terminal in ${threadId}`, () => this.actions.newTerminal(threadId));
    const list = element("ul");
    const rows = new KeyedRows<Entry>(
      list,
      (entry) => entry.key,
      (entry) => this.entryRow(entry),
    );
    const title = element("h2", { text: threadName(threadId), title: threadId });
    const head = element("div", { class: "thread-head" }, title, !agents && plus);
    const fold = new Fold();
    let last: Thread | undefined;
    const update = (thread: Thread) => {
      last = thread;
      rows.show(fold.show(agents ? endedEarlier(thread.entries, this.activeKey) : [], thread.entries));
    };
    fold.onToggle = () => last && update(last);
    return {
      element: element("section", { class: agents ? "thread agents" : "thread" }, head, fold.element, list),
      update,
    };
  }

  private entryRow(first: Entry): Row<Entry> {
    let current = first;
    const dot = new StateDot();
    const name = element("span", { class: "name" });
    const detail = element("span", { class: "detail" });
    const toolCall = element("span", { class: "detail" });
    const label = element("span", { class: "label" }, name, toolCall, detail);
    const press = () => this.actions.open(current);
    const open = element(
      "button",
      { class: "item", attributes: { type: "button" }, on: { click: press } },
      dot.element,
      label,
    );
    const end = iconButton("close", "End", () => this.actions.end(current));
    const verb = isAgents(first) ? "Stop" : "End";
    const item = element("li", {}, open, end);
    const update = (entry: Entry) => {
      current = entry;
      const active = entry.key === this.activeKey;
      dot.show(entry);
      setText(name, labelOf(entry));
      setText(toolCall, toolCallInWords(entry.toolCall));
      toolCall.hidden = entry.toolCall === undefined;
      setText(detail, detailOf(entry, this.home));
      setAttribute(open, "title", `${labelOf(entry)}\n${entry.cwd}\n${descriptionOf(entry)}`);
      setAttribute(open, "aria-current", active ? "true" : undefined);
      setAttribute(end, "aria-label", `${verb} ${labelOf(entry)}`);
      setAttribute(end, "title", `${verb} ${labelOf(entry)}`);
      end.hidden = isAgents(entry) && entry.status === "exited"; // its agent may not have read it yet
      item.classList.toggle("active", active);
      item.classList.toggle("ended", isAgents(entry) && entry.status !== "running");
    };
    return { element: item, update };
  }
}

/// Where a shell is that nothing is to be said of; else its state, of an agent's program with its times.
function detailOf(entry: Entry, home: string | undefined): string {
  if (isAgents(entry)) return [stateOf(entry), timesOf(entry.since, entry.until)].filter(Boolean).join(" ");
  return entry.status === "running" && !entry.agent ? shortPath(entry.cwd, home) : stateOf(entry);
}
