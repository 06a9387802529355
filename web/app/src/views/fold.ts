import { element } from "../dom.ts";
import { hasFailed, type Entry } from "../entry.ts";
import { setAttribute, setText } from "./keyed.ts";

/// Ended programs of an agent that stay in sight: the newest ones, which people come to look at.
const kShownEnded = 3;

/// Those of `entries`, oldest first, that have ended and are neither among the newest of these nor in front.
export function endedEarlier(entries: readonly Entry[], frontKey: string | undefined): Entry[] {
  const ended = entries.filter((entry) => entry.status === "exited" || entry.status === "error");
  return ended.slice(0, -kShownEnded).filter((entry) => entry.key !== frontKey);
}

/// A line that stands for the programs that ended earlier, and shows them when it is pressed.
export class Fold {
  readonly element = element("button", { class: "fold", hidden: true, attributes: { type: "button" } });
  onToggle: () => void = () => undefined;
  private isOpen = false;

  constructor() {
    this.element.addEventListener("click", () => {
      this.isOpen = !this.isOpen;
      this.onToggle();
    });
  }

  /// Gives those of `all` that are to be shown.
  show(folded: readonly Entry[], all: readonly Entry[]): readonly Entry[] {
    this.element.hidden = folded.length === 0;
    setText(this.element, wordsOf(folded));
    setAttribute(this.element, "aria-expanded", String(this.isOpen));
    return this.isOpen ? all : all.filter((entry) => !folded.includes(entry));
  }
}

function wordsOf(folded: readonly Entry[]): string {
  const failed = folded.filter(hasFailed).length;
  return `${folded.length} ended earlier${failed > 0 ? `, ${failed} failed` : ""}`;
}
