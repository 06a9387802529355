import { element, iconButton } from "../dom.ts";
import type { Screen } from "../screen.ts";

const kDecorations = {
  matchBackground: "#3d4a2a",
  matchOverviewRuler: "#8fc98f",
  activeMatchBackground: "#6b7f2f",
  activeMatchColorOverviewRuler: "#dcbd7a",
};

/// Searches in one screen. Enter goes up (older), Shift+Enter down, Escape leaves.
export class SearchBox {
  readonly element = element("div", { class: "search", hidden: true, attributes: { role: "search" } });
  private readonly input: HTMLInputElement;
  private readonly count = element("span", { class: "count", attributes: { "aria-live": "polite" } });
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
      this.count.textContent = resultCount === 0 ? "none" : `${resultIndex + 1} of ${resultCount}`;
    });
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
    this.screen = undefined;
    this.element.hidden = true;
    if (tell) this.left();
  }

  private find(where: "same" | "older" | "newer"): void {
    const text = this.input.value;
    if (text === "" || !this.screen) {
      this.screen?.search.clearDecorations();
      this.count.textContent = "";
      return;
    }
    const options = { decorations: kDecorations, incremental: where === "same" };
    if (where === "newer") this.screen.search.findNext(text, options);
    else this.screen.search.findPrevious(text, options);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter") this.find(event.shiftKey ? "newer" : "older");
    else return;
    event.preventDefault();
  }
}
