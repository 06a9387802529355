import { copyText, readText } from "./clipboard.ts";
import type { TerminalView } from "./terminal_view.ts";
import type { Toast } from "./views/toasts.ts";

export interface ClipboardHost {
  readonly active: () => TerminalView | undefined;
  readonly show: (toast: Toast) => void;
}

/// Between the clipboard and the terminal in front. Says what a browser does not allow.
export class PageClipboard {
  constructor(private readonly host: ClipboardHost) {}

  async copy(): Promise<void> {
    const text = this.host.active()?.screen.emulator.getSelection() ?? "";
    if (text !== "") return this.copyText(text);
    this.tell("Nothing is selected. Drag with the mouse, with Shift if the program takes it; or read it as text.");
  }

  async copyText(text: string): Promise<void> {
    if (!(await copyText(text))) this.tell("The browser did not allow copying.", "error");
  }

  async paste(): Promise<void> {
    const text = await readText();
    if (text === undefined)
      this.tell("The browser does not let this page read the clipboard. Press Ctrl+Shift+V or use its own menu.");
    else await this.host.active()?.keyboard.paste(text);
  }

  /// A program wants it there.
  offer(text: string): void {
    const press = () => void this.copyText(text);
    const words = `A program wants to put ${text.length} characters on your clipboard.`;
    this.host.show({ text: words, kind: "info", cause: "clipboard", button: { label: "Allow", press } });
  }

  private tell(text: string, kind: "info" | "error" = "info"): void {
    this.host.show({ text, kind, cause: "copying" });
  }
}
