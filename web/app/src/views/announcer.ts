import { element } from "../dom.ts";

/// Says things to those who do not see the page, in a region that screen readers speak.
export class Announcer {
  readonly element = element("div", { class: "visually-hidden", attributes: { role: "status" } });

  /// Says it also when it is the same as before, which would be no change of the text.
  say(words: string): void {
    const isSame = this.element.textContent === words;
    this.element.textContent = isSame ? `${words}\u00a0` : words;
  }
}
