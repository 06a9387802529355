import { element, iconButton } from "../dom.ts";

/// How long a message stays, in milliseconds: long enough to read two sentences. Errors stay until dismissed, and what
/// asks for something until it is answered.
const kStay = 8000;
/// More than this would cover the terminal; the oldest goes.
const kMost = 4;

export interface Toast {
  readonly text: string;
  /** A message takes the place of an earlier one with the same cause. */
  readonly cause: string;
  readonly kind: "info" | "error";
  readonly button?: { readonly label: string; readonly press: () => void };
}

/// Messages about the page as a whole; what concerns one terminal stands in the line below it.
export class Toasts {
  readonly element = element("div", { class: "toasts", attributes: { role: "log", "aria-live": "polite" } });

  /// Says nothing twice while it is still there to be read.
  show(toast: Toast): void {
    this.drop(toast.cause);
    const item = element("div", { class: `toast ${toast.kind}` }, element("span", { text: toast.text }));
    item.dataset.cause = toast.cause;
    if (toast.button) item.append(this.actionButton(item, toast.button));
    item.append(iconButton("close", "Dismiss", () => item.remove()));
    this.element.append(item);
    while (this.element.childElementCount > kMost) this.element.firstElementChild?.remove();
    if (toast.kind === "info" && !toast.button) setTimeout(() => item.remove(), kStay);
  }

  /// Takes back the message of `cause`, which holds no longer.
  drop(cause: string): void {
    for (const item of [...this.element.children] as HTMLElement[]) if (item.dataset.cause === cause) item.remove();
  }

  private actionButton(item: HTMLElement, button: { label: string; press: () => void }): HTMLButtonElement {
    const press = () => {
      item.remove();
      button.press();
    };
    return element("button", {
      class: "button",
      text: button.label,
      attributes: { type: "button" },
      on: { click: press },
    });
  }
}
