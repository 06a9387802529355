import { element } from "../dom.ts";

/// Stands where terminals do, while none is open.
export function emptyPage(newTerminal: () => void): HTMLElement {
  const button = element("button", {
    class: "button primary",
    text: "New terminal",
    attributes: { type: "button" },
    on: { click: newTerminal },
  });
  const text = "No terminal is open here. Running shells stay in the list.";
  return element("div", { class: "empty-page", hidden: true }, element("p", { text }), button);
}
