import { element } from "../dom.ts";
import { partsOf, type Part, type Readable } from "../readable.ts";

export interface ReadActions {
  readonly copy: (text: string) => void;
  /** The view was left: the focus goes back. */
  readonly left: () => void;
}

/// The text of a terminal as ordinary text of the page, in which the browser itself selects, finds, zooms and reads. It
/// stays as it was when it was opened. Escape leaves.
export class ReadView {
  readonly element = element("section", {
    class: "read-view",
    hidden: true,
    attributes: { "aria-label": "Text of this terminal" },
  });
  private readonly text = element("div", { class: "read-text", attributes: { tabindex: "0", role: "document" } });

  constructor(private readonly actions: ReadActions) {
    const button = (label: string, press: () => void) =>
      element("button", { class: "button", text: label, attributes: { type: "button" }, on: { click: press } });
    const copy = button("Copy", () => actions.copy(this.chosen()));
    const done = button("Done", () => this.close());
    done.classList.add("primary");
    this.element.append(this.text, element("div", { class: "read-buttons" }, copy, done));
    this.element.addEventListener("keydown", (event) => {
      event.stopPropagation(); // keys are the browser's here
      if (event.key === "Escape") this.close();
    });
  }

  /// Begins where the screen was.
  open({ lines, first }: Readable): void {
    const rows = lines.map((line) => element("div", { class: "read-line" }, ...partsOf(line).map(partElement)));
    this.text.replaceChildren(...rows);
    this.element.hidden = false;
    rows[first]?.scrollIntoView({ block: "start" });
    this.text.focus({ preventScroll: true });
  }

  close(tell = true): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.text.replaceChildren();
    if (tell) this.actions.left();
  }

  /// The selection, or all.
  private chosen(): string {
    const selected = getSelection()?.toString() ?? "";
    return selected !== "" ? selected : [...this.text.children].map((line) => line.textContent).join("\n");
  }
}

function partElement({ text, target }: Part): HTMLElement {
  if (target === undefined) return element("span", { text });
  const attributes = { href: target, target: "_blank", rel: "noopener noreferrer" };
  return element("a", { text, attributes });
}
