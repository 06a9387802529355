import { element, iconButton } from "../dom.ts";
import type { Screen } from "../screen.ts";

/// Matches that are marked and counted at most; the addon's own number.
const kMostCounted = 1000;

const kSwitches = [
  { option: "caseSensitive", label: "Aa", name: "Match case" },
  { option: "wholeWord", label: "words", name: "Whole words" },
  { option: "regex", label: ".*", name: "Regular expression" },
] as const;
type Switch = (typeof kSwitches)[number]["option"];

/// Searches in one screen. Enter goes up (older), Shift+Enter down, Escape leaves.
export class SearchBox {
  readonly element = element("div", { class: "search", hidden: true, attributes: { role: "search" } });
  private readonly input: HTMLInputElement;
  private readonly count = element("span", { class: "count", attributes: { "aria-live": "polite" } });
  private readonly on = new Set<Switch>();
  private screen: Screen | undefined;
  private stopListening: (() => void) | undefined;

  constructor(private readonly left: () => void) {
    this.input = element("input", {
      attributes: {
        type: "search",
        placeholder: "Search",
        "aria-label": "Search in this terminal",
        spellcheck: "false",
      },
      on: { input: () => this.find("same"), keydown: (event) => this.onKey(event) },
    });
    this.element.append(
      this.input,
      ...kSwitches.map(({ option, label, name }) => this.switch(option, label, name)),
      this.count,
      iconButton("up", "Previous match", () => this.find("older")),
      iconButton("down", "Next match", () => this.find("newer")),
      iconButton("close", "Close search", () => this.close()),
    );
  }

  open(screen: Screen): void {
    this.close(false);
    this.screen = screen;
    const listener = screen.search.onDidChangeResults(({ resultIndex, resultCount }) => {
      this.count.textContent = countInWords(resultIndex, resultCount);
    });
    screen.setSearched(true);
    this.stopListening = () => listener.dispose();
    this.element.hidden = false;
    const selected = screen.emulator.getSelection();
    if (selected && !selected.includes("\n")) this.input.value = selected;
    this.input.select();
    this.input.focus();
    this.find("same");
  }

  close(tell = true): void {
    if (this.element.hidden) return;
    this.stopListening?.();
    this.screen?.search.clearDecorations();
    this.screen?.setSearched(false);
    this.screen = undefined;
    this.element.hidden = true;
    if (tell) this.left();
  }

  private find(where: "same" | "older" | "newer"): void {
    const text = this.input.value;
    const isWrong = this.on.has("regex") && !isExpression(text);
    if (text === "" || !this.screen || isWrong) {
      this.screen?.search.clearDecorations();
      this.count.textContent = isWrong ? "not valid" : "";
      return;
    }
    const switches = Object.fromEntries([...this.on].map((option) => [option, true]));
    const options = { decorations: this.screen.marks, incremental: where === "same", ...switches };
    if (where === "newer") this.screen.search.findNext(text, options);
    else this.screen.search.findPrevious(text, options);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.keyCode === 229) return; // these keys are the input method's
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.find(event.shiftKey ? "newer" : "older");
    else return;
    event.preventDefault();
  }

  private switch(option: Switch, label: string, name: string): HTMLButtonElement {
    const attributes = { type: "button", "aria-label": name, "aria-pressed": "false" };
    const press = () => {
      if (!this.on.delete(option)) this.on.add(option);
      button.setAttribute("aria-pressed", String(this.on.has(option)));
      this.screen?.search.clearDecorations();
      this.find("same");
    };
    const sign = element("span", { text: label, attributes: { "aria-hidden": "true" } });
    const button = element("button", { class: "switch", title: name, attributes, on: { click: press } }, sign);
    return button;
  }
}

/// `index` is -1 where there are too many to tell which one is shown.
function countInWords(index: number, count: number): string {
  if (count === 0) return "none";
  if (count < kMostCounted) return `${index + 1} of ${count}`;
  return index < 0 ? `more than ${kMostCounted}` : `${index + 1} of more than ${kMostCounted}`;
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
