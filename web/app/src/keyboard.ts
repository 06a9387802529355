import { kittyBytes } from "./kitty_keys.ts";
import { linesRunAtOnce, withoutPasteMarkers } from "./paste.ts";
import { mayRunLines } from "./questions.ts";
import type { Screen } from "./screen.ts";
import { watchKeyOf } from "./watch_keys.ts";

/// The keyboard's needs from the view that it belongs to.
export interface Keyed {
  /** The page's own keys; true when `event` was one of them. */
  readonly shortcut: (event: KeyboardEvent) => boolean;
  /** Said instead of passing input on; absent: it is passed on. */
  readonly noInput: () => string | undefined;
  readonly tell: (text: string) => void;
  readonly focus: () => void;
}

/// Keys and pastes on their way to a view's emulator, which makes input for the program of them.
export class Keyboard {
  constructor(
    private readonly screen: Screen,
    private readonly view: Keyed,
  ) {}

  /// `frame` is around the emulator, which is in the page.
  listen(frame: HTMLElement): void {
    const { emulator } = this.screen;
    emulator.attachCustomKeyEventHandler((event) => event.type !== "keydown" || this.isForProgram(event));
    frame.addEventListener("paste", (event) => this.onPaste(event), { capture: true });
  }

  /// Input that a person gives by other means than the keyboard: the same as if it were typed there.
  type(data: string): void {
    if (this.refusesInput()) return;
    this.screen.emulator.input(data);
  }

  async paste(text: string): Promise<void> {
    if (this.refusesInput()) return;
    const clean = withoutPasteMarkers(text);
    const lines = linesRunAtOnce(clean, this.screen.emulator.modes.bracketedPasteMode);
    if (clean === "" || (lines > 0 && !(await mayRunLines(lines, clean)))) return;
    this.screen.emulator.paste(clean);
    this.view.focus();
  }

  /// Where nothing is sent keys move what is shown, and Tab leads out as on any page.
  private isForProgram(event: KeyboardEvent): boolean {
    if (this.view.shortcut(event)) return false;
    if (this.view.noInput() === undefined) return !this.sendKittyKey(event);
    const key = watchKeyOf(event);
    if (key === "typed") this.refusesInput();
    if (key === undefined || key === "typed") return false;
    event.preventDefault();
    this.screen.move(key);
    return false;
  }

  private sendKittyKey(event: KeyboardEvent): boolean {
    const bytes = this.screen.kittyKeys.areWanted && !event.isComposing ? kittyBytes(event) : undefined;
    if (bytes === undefined) return false;
    event.preventDefault();
    this.type(bytes);
    return true;
  }

  private refusesInput(): boolean {
    const noInput = this.view.noInput();
    if (noInput !== undefined) this.view.tell(noInput);
    return noInput !== undefined;
  }

  /// The browser's own paste, from any key or menu: the only one that also works on plain HTTP.
  private onPaste(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    void this.paste(event.clipboardData?.getData("text/plain") ?? "");
  }
}
