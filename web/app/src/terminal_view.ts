import type {
  Exit,
  OpenOptions,
  PtydClient,
  PtydError,
  Size,
  Snapshot,
  Terminal,
  TerminalEvent,
} from "../../client/src/index.ts";
import { replay } from "../../client/src/index.ts";
import { element } from "./dom.ts";
import { InputWord } from "./input_word.ts";
import { withCtrl } from "./key_bytes.ts";
import { linesRunAtOnce, withoutPasteMarkers } from "./paste.ts";
import { endInWords } from "./plain.ts";
import type { Place } from "./route.ts";
import { Screen } from "./screen.ts";
import type { Settings } from "./settings.ts";
import { kAnnouncedColours } from "./theme.ts";
import { Notice, type NoticeContent } from "./views/notice.ts";

/// A window that is being dragged changes its size at every frame; the program is told when it rests for so long (ms).
const kResizeRest = 100;

/// What a view asks of the page around it.
export interface ViewHost {
  readonly client: PtydClient;
  readonly settings: () => Settings;
  /** False for who may only look on. */
  readonly mayAct: () => boolean;
  /** The page's own keys; true when `event` was one of them. */
  readonly shortcut: (event: KeyboardEvent) => boolean;
  readonly confirm: (question: { title: string; text: string; yes: string }) => Promise<boolean>;
  readonly tell: (text: string, kind?: "error" | "info") => void;
  readonly offerCopy: (text: string) => void;
  readonly hover: (target: string | undefined) => void;
  /** Ctrl was pressed on the key bar and waits for the next key. */
  readonly takeStickyCtrl: () => boolean;
  readonly opened: (snapshot: Snapshot) => void;
  readonly titled: (place: Place, title: string) => void;
  readonly noticed: (place: Place) => void;
  readonly closeTab: (place: Place) => void;
}

/// One terminal in the page: its screen, what it says about itself, and the way between keyboard and server.
///
/// Owns    the Screen; the Terminal once it is open.
/// Order   whatever the server says takes effect on the screen in the order it was said.
export class TerminalView {
  readonly element = element("section", { class: "terminal", attributes: { role: "tabpanel" } });
  readonly screen: Screen;
  private readonly frame = element("div", { class: "frame" });
  private readonly notice = new Notice();
  /// What there may be to say; the first that is there is said.
  private readonly words: { state?: NoticeContent; input?: NoticeContent; size?: NoticeContent } = {};
  private terminal: Terminal | undefined;
  private exit: Exit | undefined;
  private active = false;
  private asking = false;
  private disposed = false;
  private foreignSize: Size | undefined;
  private resizeTimer: number | undefined;
  private resizedByUser = false;
  private readonly inputWord = new InputWord(
    () => this.terminal?.pendingInput ?? 0,
    () => this.terminal?.cancelInput(),
    (content) => this.say("input", content),
  );
  private readonly observer = new ResizeObserver(() => this.sizeMayHaveChanged());

  constructor(
    readonly place: Place,
    private readonly host: ViewHost,
  ) {
    this.screen = new Screen(host.settings(), {
      follow: (target, plain) => void this.follow(target, plain),
      hover: host.hover,
      offerCopy: host.offerCopy,
      bell: () => host.noticed(place),
    });
    this.element.append(this.frame, this.notice.element);
    this.element.setAttribute("aria-label", `Terminal ${place.terminalId} of ${place.threadId}`);
  }

  /// Shows the terminal of `place`: a new one, or with `attach` one that exists. Call when the element is in the page.
  async open(options: { readonly cwd: string; readonly attach: boolean }): Promise<void> {
    this.screen.mount(this.frame);
    this.screen.setVisible(this.active);
    this.wireScreen();
    const request = this.openOptions(options); // before anything is said, which takes room
    this.say("state", { text: options.attach ? "Attaching …" : "Starting …" });
    try {
      await this.take(request);
    } catch (error) {
      const text = `This terminal cannot be opened: ${(error as PtydError).message}`;
      this.say("state", { text, kind: "error", buttons: [this.closeButton()] });
    }
  }

  /// Asks the server again for what it had no longer: there may be another one of this name by now.
  async askAgain(): Promise<void> {
    if (!this.isGone || this.asking) return;
    this.asking = true;
    try {
      await this.take(this.openOptions({ cwd: "/", attach: true }));
    } catch {
      // it is gone as before, which is said already
    }
    this.asking = false;
  }

  get snapshot(): Snapshot | undefined {
    return this.terminal?.snapshot;
  }

  get applicationCursor(): boolean {
    return this.screen.emulator.modes.applicationCursorKeysMode;
  }

  setActive(active: boolean): void {
    this.active = active;
    this.element.hidden = !active;
    this.screen.setVisible(active);
    if (active) this.claimSize();
  }

  focus(): void {
    this.screen.emulator.focus();
  }

  apply(settings: Settings): void {
    this.screen.apply(settings);
    this.screen.setVisible(this.active);
    this.claimSize();
  }

  /// Makes the program as large as this window, if this window is looked at.
  claimSize(): void {
    if (!this.active || !this.terminal || !this.host.mayAct() || document.visibilityState === "hidden") return;
    this.foreignSize = undefined;
    this.showSize(); // before measuring: the words take room
    const size = this.screen.fittingSize();
    if (!size) return;
    const { cols, rows, status } = this.terminal.snapshot;
    if (status !== "running" || (cols === size.cols && rows === size.rows)) return this.screen.setSize(size);
    this.terminal.resize(size).then(
      () => this.screen.setSize(size),
      (error: PtydError) => this.report("The size could not be changed", error),
    );
  }

  /// Something took or gave room; waits until it rests. `byUser`: the user did it, which takes the size back from
  /// another window. Else it may only be our own words below the screen.
  sizeMayHaveChanged(byUser = false): void {
    this.resizedByUser ||= byUser;
    clearTimeout(this.resizeTimer);
    this.resizeTimer = window.setTimeout(() => {
      if (!this.foreignSize || this.resizedByUser) this.claimSize();
      this.resizedByUser = false;
    }, kResizeRest);
  }

  /// What a person gives by other means than the keyboard: the same as if it were typed there.
  type(data: string): void {
    this.screen.emulator.input(data);
  }

  /// The list no longer has it: another client ended it, and no event tells.
  vanished(): void {
    if (this.terminal?.attachment !== "attached") return;
    this.terminal.detach();
    this.gone();
  }

  async paste(text: string): Promise<void> {
    const clean = withoutPasteMarkers(text);
    const lines = linesRunAtOnce(clean, this.screen.emulator.modes.bracketedPasteMode);
    if (clean === "" || (lines > 0 && !(await this.confirmPaste(lines)))) return;
    this.screen.emulator.paste(clean);
    this.focus();
  }

  async clear(): Promise<void> {
    await this.attempt("Clearing failed", async (terminal) => {
      await terminal.clear();
      if (terminal.snapshot.status === "running") await terminal.write("\x0c"); // the program draws its prompt anew
    });
  }

  async restart(): Promise<void> {
    await this.attempt("Restarting failed", async (terminal) => {
      const size = this.screen.fittingSize() ?? this.screen.size;
      await terminal.restart(size);
    });
    this.focus();
  }

  /// Lets go of the terminal, which lives on.
  dispose(): void {
    this.disposed = true;
    this.observer.disconnect();
    clearTimeout(this.resizeTimer);
    this.inputWord.dispose();
    this.terminal?.detach();
    this.screen.dispose();
    this.element.remove();
  }

  private get isGone(): boolean {
    return this.terminal?.attachment === "gone" || this.terminal?.attachment === "closed";
  }

  /// Shows what the server gives, unless this view has gone meanwhile.
  private async take(request: OpenOptions): Promise<void> {
    const terminal = await this.host.client.open(request);
    if (this.disposed) return terminal.detach();
    if (this.terminal) this.screen.reset();
    this.terminal = terminal;
    this.wireTerminal(terminal);
    this.startFrom(terminal.snapshot);
    this.host.opened(terminal.snapshot);
    this.observer.observe(this.frame);
    this.claimSize();
  }

  // --- What the screen tells
  // ----------------------------------------------------------------------------------------------

  private wireScreen(): void {
    const { emulator } = this.screen;
    emulator.onData((data) => this.typed(data));
    emulator.onTitleChange((title) => this.host.titled(this.place, title));
    emulator.attachCustomKeyEventHandler((event) => event.type !== "keydown" || !this.host.shortcut(event));
    this.frame.addEventListener("paste", (event) => this.onPaste(event), { capture: true });
    this.frame.addEventListener("focusin", () => this.claimSize());
  }

  private typed(data: string): void {
    if (!this.host.mayAct()) return this.host.tell("You may only look on here; what you type is not sent.");
    if (this.exit) return this.typeAfterExit(data);
    if (this.foreignSize) this.claimSize();
    const keys = this.host.takeStickyCtrl() ? withCtrl(data) : data;
    if (keys === "\x03" && (this.terminal?.pendingInput ?? 0) > 0) this.terminal?.cancelInput();
    this.terminal?.write(keys).catch((error: PtydError) => this.report("Input was not sent", error));
    this.inputWord.watch();
  }

  /// The browser's own paste, from any key or menu: the only one that also works on plain HTTP.
  private onPaste(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    void this.paste(event.clipboardData?.getData("text/plain") ?? "");
  }

  private confirmPaste(lines: number): Promise<boolean> {
    return this.host.confirm({
      title: `Paste ${lines} lines?`,
      text: "The program in this terminal does not tell pasted text from typed text: each line may be run at once.",
      yes: "Paste",
    });
  }

  private typeAfterExit(data: string): void {
    if (data === "\r") void this.restart();
  }

  private async follow(target: string, plain: boolean): Promise<void> {
    const meant = plain || (await this.host.confirm({ title: "Open this link?", text: target, yes: "Open" }));
    if (meant) window.open(target, "_blank", "noopener,noreferrer");
    this.focus();
  }

  // --- What the terminal tells
  // --------------------------------------------------------------------------------------------

  private openOptions(options: { cwd: string; attach: boolean }): OpenOptions {
    const size = options.attach ? {} : this.screen.fittingSize();
    const emulator = "xterm.js(6.0.0)";
    return {
      ...this.place,
      ...options,
      ...size,
      colors: kAnnouncedColours,
      cellSize: this.screen.cellSize(),
      emulator,
    };
  }

  private wireTerminal(terminal: Terminal): void {
    terminal.onOutput.on((data) => {
      if (!this.active) this.host.noticed(this.place);
      return this.screen.write(data);
    });
    terminal.onReset.on((snapshot) => {
      this.screen.reset();
      this.startFrom(snapshot);
      this.host.opened(snapshot);
    });
    terminal.onCleared.on(() => this.screen.reset());
    terminal.onExit.on((exit) => this.ended(exit));
    terminal.onError.on((message) => this.failed(message));
    terminal.onResized.on((size) => this.resizedElsewhere(size));
    terminal.onEvent.on((event) => this.onEvent(event));
    terminal.onAttachment.on((attachment) => {
      if (attachment === "gone") this.gone();
    });
  }

  private startFrom(snapshot: Snapshot): void {
    const { cols, rows } = snapshot;
    if (cols && rows) this.screen.setSize({ cols, rows });
    this.screen.replay(replay(snapshot));
    this.exit = undefined;
    this.say("state", undefined);
    if (snapshot.status === "exited") this.ended(snapshot);
    if (snapshot.status === "error") this.failed("The shell could not be started.");
  }

  private onEvent(event: TerminalEvent): void {
    if (event.type === "warning") this.host.tell(event.message);
    if (event.type === "clipboard") this.host.offerCopy(event.text);
    if (event.type === "shutdown") this.host.tell(`The server is going down: ${event.reason}`);
  }

  private ended(exit: Exit): void {
    this.exit = exit;
    const words = endInWords(exit);
    const text = `${words.charAt(0).toUpperCase()}${words.slice(1)}. Press Enter for a new shell.`;
    this.say("state", { text, buttons: [this.restartButton(), this.closeButton()] });
  }

  private failed(message: string): void {
    this.exit = { exitCode: null, exitSignal: null };
    this.say("state", { text: message, kind: "error", buttons: [this.restartButton(), this.closeButton()] });
  }

  private gone(): void {
    const text = "This terminal no longer exists on the server. Its last screen is still shown.";
    this.say("state", { text, kind: "error", buttons: [this.closeButton()] });
  }

  private resizedElsewhere(size: Size): void {
    this.screen.setSize(size);
    const ours = this.screen.fittingSize();
    const same = !ours || (ours.cols === size.cols && ours.rows === size.rows);
    this.foreignSize = same ? undefined : size;
    this.showSize();
  }

  /// A terminal may be smaller or larger than this window because another one gave it its size.
  private showSize(): void {
    this.element.classList.toggle("foreign-size", this.foreignSize !== undefined);
    if (!this.foreignSize) return this.say("size", undefined);
    const { cols, rows } = this.foreignSize;
    const press = () => {
      this.claimSize();
      this.focus();
    };
    const fit = { label: "Fit to this window", press };
    this.say("size", { text: `Sized ${cols} × ${rows} by another window.`, buttons: [fit] });
  }

  // --- Help
  // -----------------------------------------------------------------------------------------------------------------

  private say(about: "state" | "input" | "size", content: NoticeContent | undefined): void {
    this.words[about] = content;
    this.notice.show(this.words.state ?? this.words.input ?? this.words.size);
  }

  private async attempt(what: string, action: (terminal: Terminal) => Promise<void>): Promise<void> {
    if (!this.terminal) return;
    try {
      await action(this.terminal);
    } catch (error) {
      this.report(what, error as PtydError);
    }
  }

  private report(what: string, error: PtydError): void {
    if (error.code !== "closed" && error.code !== "cancelled") this.host.tell(`${what}: ${error.message}`, "error");
  }

  private restartButton(): { label: string; press: () => void } {
    return { label: "Restart", press: () => void this.restart() };
  }

  private closeButton(): { label: string; press: () => void } {
    return { label: "Close", press: () => this.host.closeTab(this.place) };
  }
}
