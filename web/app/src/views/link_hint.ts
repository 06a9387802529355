import { element } from "../dom.ts";

/// Where a link leads, while the mouse is over it.
export class LinkHint {
  readonly element = element("div", { class: "link-hint", hidden: true });

  show(target: string | undefined): void {
    this.element.textContent = target === undefined ? "" : `Ctrl+click: ${target}`;
    this.element.hidden = target === undefined;
  }
}
