import { element, iconButton } from "../dom.ts";

export interface MenuItem {
  readonly label: string;
  readonly keys?: string;
  readonly press: () => void;
}

/// A button that opens a list of things to do. Arrows move, Escape closes. `left` says where the focus goes before
/// something is done, which may take it elsewhere.
export class Menu {
  readonly element = element("div", { class: "menu" });
  private readonly button: HTMLButtonElement;
  private readonly list = element("div", { class: "menu-list", hidden: true, attributes: { role: "menu" } });

  constructor(
    label: string,
    private readonly items: () => readonly (MenuItem | "line")[],
    private readonly left: () => void,
  ) {
    this.button = iconButton("more", label, () => (this.list.hidden ? this.open() : this.close()));
    this.button.setAttribute("aria-haspopup", "menu");
    this.button.setAttribute("aria-expanded", "false");
    this.element.append(this.button, this.list);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(event.relatedTarget as Node | null)) this.close();
    });
  }

  private open(): void {
    this.list.replaceChildren(...this.items().map((item) => this.row(item)));
    this.setOpen(true);
    this.list.querySelector("button")?.focus();
  }

  private close(): void {
    this.setOpen(false);
  }

  private setOpen(open: boolean): void {
    this.list.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
  }

  private row(item: MenuItem | "line"): HTMLElement {
    if (item === "line") return element("hr");
    const press = () => {
      this.close();
      this.left();
      item.press();
    };
    return element(
      "button",
      { class: "menu-item", attributes: { type: "button", role: "menuitem", tabindex: "-1" }, on: { click: press } },
      element("span", { text: item.label }),
      item.keys !== undefined && element("kbd", { text: item.keys }),
    );
  }

  private onKey(event: KeyboardEvent): void {
    if (this.list.hidden) return;
    const rows = [...this.list.querySelectorAll("button")];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) rows[(at + step + rows.length) % rows.length]?.focus();
    else if (event.key === "Escape") {
      this.close();
      this.button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
