import { element } from "../dom.ts";
import { withCtrl, type BarKey } from "../key_bytes.ts";

export interface KeyBarActions {
  readonly press: (key: BarKey, ctrl: boolean) => void;
  readonly send: (text: string) => void;
  readonly paste: () => void;
  readonly focusTerminal: () => void;
}

const kKeys: readonly { readonly key: BarKey; readonly label: string; readonly name: string }[] = [
  { key: "Escape", label: "Esc", name: "Escape" },
  { key: "Tab", label: "Tab", name: "Tab" },
  { key: "ArrowLeft", label: "←", name: "Left" },
  { key: "ArrowDown", label: "↓", name: "Down" },
  { key: "ArrowUp", label: "↑", name: "Up" },
  { key: "ArrowRight", label: "→", name: "Right" },
  { key: "Home", label: "⇤", name: "Home" },
  { key: "End", label: "⇥", name: "End" },
  { key: "PageUp", label: "⇞", name: "Page up" },
  { key: "PageDown", label: "⇟", name: "Page down" },
];
/// Signs that shells need and the keyboards of phones hide.
const kSigns = ["|", "/", "-", "~"];

/// The keys that the keyboards of phones lack, and a field to write a line in: there the keyboard can complete, correct
/// and compose as it likes before the terminal hears of it.
export class KeyBar {
  readonly element = element("div", { class: "key-bar", attributes: { role: "toolbar", "aria-label": "Keys" } });
  private readonly keys = element("div", { class: "keys" });
  private readonly ctrl: HTMLButtonElement;
  private readonly field: HTMLTextAreaElement;
  private readonly form: HTMLFormElement;

  constructor(private readonly actions: KeyBarActions) {
    this.ctrl = this.button("Ctrl", "Ctrl for the next key", () => this.setCtrl(!this.ctrlHeld));
    this.ctrl.setAttribute("aria-pressed", "false");
    const line = this.button("Line", "Write a whole line", () => this.toggleForm());
    const keys = kKeys.map(({ key, label, name }) =>
      this.button(label, name, () => actions.press(key, this.takeCtrl())),
    );
    const signs = kSigns.map((sign) => this.button(sign, sign, () => actions.send(this.takeCtrl() ? withCtrl(sign) : sign)));
    const paste = this.button("Paste", "Paste", actions.paste);
    this.keys.append(this.ctrl, ...keys, ...signs, paste, line);
    this.field = element("textarea", { attributes: { rows: "1", "aria-label": "Line to send", enterkeyhint: "send" } });
    this.form = this.makeForm();
    this.element.append(this.form, this.keys);
  }

  /// Whether Ctrl was pressed for the key that comes now.
  takeCtrl(): boolean {
    const held = this.ctrlHeld;
    if (held) this.setCtrl(false);
    return held;
  }

  private get ctrlHeld(): boolean {
    return this.ctrl.getAttribute("aria-pressed") === "true";
  }

  private setCtrl(held: boolean): void {
    this.ctrl.setAttribute("aria-pressed", String(held));
  }

  private button(label: string, name: string, press: () => void): HTMLButtonElement {
    const attributes = { type: "button", "aria-label": name };
    const button = element("button", { class: "key", text: label, attributes, on: { click: press } });
    // The keyboard on the screen must not go away because a key beside it was touched.
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    return button;
  }

  private makeForm(): HTMLFormElement {
    const send = element("button", { class: "button primary", text: "Send", attributes: { type: "submit" } });
    const form = element("form", { class: "compose", hidden: true }, this.field, send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.actions.send(this.field.value + "\r");
      this.field.value = "";
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    return form;
  }

  private toggleForm(): void {
    this.form.hidden = !this.form.hidden;
    if (this.form.hidden) this.actions.focusTerminal();
    else this.field.focus();
  }
}
