import { element } from "../dom.ts";

/// Says things to those who do not see the page, in a region that screen readers speak.
export class Announcer {
  readonly element = element("div", { class: "visually-hidden", attributes: { role: "status" } });

  /// What is said twice in a row is a change again, which it would not be by its text alone.
  say(words: string): void {
    const isSame = this.element.textContent === words;
    this.element.textContent = isSame ? `${words}\u00a0` : words;
  }
}
