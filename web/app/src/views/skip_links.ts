import { element } from "../dom.ts";

export interface SkipActions {
  readonly toTerminal: () => void;
  readonly toggleScreenReader: () => void;
}

/// The first things that Tab finds on the page, and that are shown only then: on to the terminal, and its text for
/// screen readers.
export class SkipLinks {
  readonly element = element("div", { class: "skip-links" });
  private readonly reader: HTMLButtonElement;

  constructor(actions: SkipActions) {
    this.reader = button("", actions.toggleScreenReader);
    this.element.append(this.reader, button("To the terminal; Ctrl+F6 leads out of it", actions.toTerminal));
  }

  show(isScreenReaderOn: boolean): void {
    this.reader.textContent = `Turn screen reader mode ${isScreenReaderOn ? "off" : "on"}`;
  }
}

function button(text: string, press: () => void): HTMLButtonElement {
  return element("button", { class: "button", text, attributes: { type: "button" }, on: { click: press } });
}
