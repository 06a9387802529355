import { element } from "../dom.ts";
import { partsOf, readableOf, wordAt, type Part } from "../readable.ts";
import type { Screen } from "../screen.ts";

/// A field with a caret that shows no keyboard on a phone.
const kReadOnlyText = {
  role: "textbox",
  "aria-label": "Text of this terminal",
  "aria-multiline": "true",
  "aria-readonly": "true",
  contenteditable: "true",
  inputmode: "none",
  spellcheck: "false",
  tabindex: "0",
};

export interface ReadActions {
  readonly copy: (text: string) => void;
  /** The view was left: the focus goes back. */
  readonly left: () => void;
}

/// The text of a terminal as ordinary text of the page, in which the browser itself selects, finds, zooms and reads. It
/// stays as it was when it was opened. It has a caret, so that keys select; nothing can be changed. Escape leaves.
export class ReadView {
  readonly element = element("section", {
    class: "read-view",
    hidden: true,
    attributes: { "aria-label": "Text of this terminal" },
  });
  private readonly text = element("div", { class: "read-text", attributes: kReadOnlyText });

  constructor(private readonly actions: ReadActions) {
    const button = (label: string, press: () => void) =>
      element("button", { class: "button", text: label, attributes: { type: "button" }, on: { click: press } });
    const copy = button("Copy", () => actions.copy(this.chosen()));
    const done = button("Done", () => this.close());
    done.classList.add("primary");
    for (const change of ["beforeinput", "drop"] as const)
      this.text.addEventListener(change, (event) => event.preventDefault());
    this.element.append(this.text, element("div", { class: "read-buttons" }, copy, done));
    this.element.addEventListener("keydown", (event) => {
      event.stopPropagation(); // keys are the browser's here
      if (event.key === "Escape") this.close();
    });
  }

  /// Begins where the screen was, or at the word at `point`, which is selected then.
  open(screen: Screen, point?: { readonly clientX: number; readonly clientY: number }): void {
    const cell = point && screen.cellAt(point.clientX, point.clientY);
    const { lines, first, pressed } = readableOf(screen.emulator.buffer.active, cell);
    const rows = lines.map((line) => element("div", { class: "read-line" }, ...partsOf(line).map(partElement)));
    this.text.replaceChildren(...rows);
    this.element.hidden = false;
    rows[first]?.scrollIntoView({ block: "start" });
    this.text.focus({ preventScroll: true });
    if (rows[first]) getSelection()?.collapse(rows[first], 0);
    const row = rows[pressed?.line ?? -1];
    const word = pressed && wordAt(lines[pressed.line] as string, pressed.offset);
    if (!row || !word) return;
    row.scrollIntoView({ block: "center" });
    selectText(row, word.begin, word.end);
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
  const attributes = { href: target, target: "_blank", rel: "noopener noreferrer", contenteditable: "false" };
  return element("a", { text, attributes });
}

/// Selects `row`'s text from `begin` to `end`, in UTF-16 units, across the parts that it is of.
function selectText(row: HTMLElement, begin: number, end: number): void {
  const range = document.createRange();
  let before = 0;
  for (const part of row.children) {
    const text = part.firstChild;
    const length = text?.nodeValue?.length ?? 0;
    if (text && begin >= before && begin <= before + length) range.setStart(text, begin - before);
    if (text && end >= before && end <= before + length) range.setEnd(text, end - before);
    before += length;
  }
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
