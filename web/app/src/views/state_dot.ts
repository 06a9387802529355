import { element } from "../dom.ts";
import { isAgents } from "../program.ts";
import { hasFailed, stateOf, type Entry } from "../entry.ts";
import { setText } from "./keyed.ts";

/// A dot whose shape and colour tell the state; the words are there for those who do not see it.
export class StateDot {
  readonly element = element("span", { class: "dot" });
  private readonly words = element("span", { class: "visually-hidden" });

  constructor() {
    this.element.append(this.words);
  }

  show(entry: Entry): void {
    const busy = entry.busy || isAgents(entry);
    const state = entry.status === "running" && busy ? "busy" : entry.status;
    const classes = `dot ${state}${hasFailed(entry) ? " failed" : ""}${entry.unread ? " unread" : ""}`;
    if (this.element.className !== classes) this.element.className = classes;
    setText(this.words, `${stateOf(entry)}${entry.unread ? ", new output" : ""}. `);
  }
}
