import { element } from "../dom.ts";
import { kShortcuts } from "../shortcuts.ts";

/// The page's own keys, to be read.
export function keyTable(): HTMLElement {
  const rows = kShortcuts.map(({ keys, does }) =>
    element("tr", {}, element("td", {}, element("kbd", { text: keys })), element("td", { text: does })),
  );
  return element("table", { class: "keys" }, element("tbody", {}, ...rows));
}
