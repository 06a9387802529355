import type { Exit, OpenOptions, Snapshot, Terminal, TerminalEvent } from "../../client/src/index.ts";
import { PtydError, replay } from "../../client/src/index.ts";
import type { Appearance } from "./appearance.ts";
import { Asking } from "./asking.ts";
import { element } from "./dom.ts";
import { Keyboard } from "./keyboard.ts";
import { mannersOf, type Manners } from "./program.ts";
import { mayHaveStarted } from "./refusal.ts";
import { panelIdOf, type Place } from "./route.ts";
import { Screen } from "./screen.ts";
import type { Settings } from "./settings.ts";
import { SizeKeeper, type Sized } from "./size_keeper.ts";
import { ToldLook } from "./told_look.ts";
import { StateNotice } from "./state_notice.ts";
import { Trouble } from "./trouble.ts";
import { TypeAhead } from "./type_ahead.ts";
import { Typing } from "./typing.ts";
import type { ViewHost } from "./view_host.ts";
import { Notice, type NoticeContent } from "./views/notice.ts";

/// A failure of it is told so.
const kRestarting = "Restarting failed";

/// How a terminal is opened: the folder of a new one may have to be asked for.
export interface Opening {
  readonly cwd: string | Promise<string>;
  readonly attach: boolean;
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
  private readonly trouble = new Trouble((content) => this.notice.say("trouble", content));
  private readonly state = new StateNotice({
    say: (content) => this.notice.say("state", content),
    manners: () => this.manners,
    restart: () => void this.restart(),
    askAgain: () => {
      this.focus();
      void this.askAgain();
    },
    startAnew: () => void this.startAnew(),
    close: () => this.host.closeTab(this.place),
  });
  private terminal: Terminal | undefined;
  private exit: Exit | undefined;
  /// Of the program that is shown.
  private pid: Snapshot["pid"] = null;
  /// As of the last mind().
  manners: Manners;
  private active = false;
  private readonly input = new TypeAhead();
  private readonly asking = new Asking(this.input, (request) => this.take(request));
  /// A new shell was asked for in place of this program, and has not begun.
  private restarting: Pick<Snapshot, "pid"> | undefined;
  private disposed = false;
  private opened = false;
  /// The last attempt failed so, and to attach may help.
  private failure: PtydError["code"] | undefined;
  private readonly typing: Typing;
  private readonly sizes: SizeKeeper;
  readonly keyboard: Keyboard;
  private readonly look: ToldLook;
  private readonly observer = new ResizeObserver(() => this.sizeMayHaveChanged());

  constructor(
    readonly place: Place,
    private readonly host: ViewHost,
  ) {
    this.element.id = panelIdOf(place);
    this.screen = new Screen(host.settings(), host.appearance(), {
      follow: (target, plain) => void this.follow(target, plain),
      hover: host.hover,
      offerCopy: host.offerCopy,
      bell: () => host.rang(place),
    });
    this.element.append(this.frame, this.notice.element);
    this.typing = this.makeTyping();
    this.manners = this.mind();
    this.sizes = new SizeKeeper(this.makeSized());
    this.look = new ToldLook(this.screen, host.appearance);
    this.keyboard = new Keyboard(this.screen, {
      shortcut: host.shortcut,
      noInput: () => this.manners.noInput,
      tell: (text) => this.trouble.tell(text),
      focus: () => this.focus(),
    });
  }

  /// Allowed actions here, or facts about it, may have changed.
  mind(): Manners {
    const before = this.manners as Manners | undefined;
    const manners = mannersOf(this.place, this.host.programOf(this.place), this.host.mayAct());
    this.manners = manners;
    if (manners.words !== before?.words)
      this.notice.say("program", manners.words ? { text: manners.words } : undefined);
    if (manners.noInput !== before?.noInput) this.trouble.clear();
    if (manners.restarts !== before?.restarts || manners.name !== before.name) this.state.renew();
    this.element.setAttribute("aria-label", manners.name);
    this.element.classList.toggle("own-size", manners.keepsSize);
    this.screen.takeInput(manners.noInput === undefined);
    return manners;
  }

  /// Shows the terminal of `place`: a new one, or with `attach` one that exists. Call when the element is in the page.
  async open(opening: Opening): Promise<void> {
    this.opened = true;
    this.screen.mount(this.frame);
    this.screen.setVisible(this.active);
    this.wireScreen();
    const cwd = await opening.cwd;
    if (this.disposed) return;
    await this.begin({ ...opening, cwd });
  }

  /// Asks the server again for what it had no longer, or could not attach to: there may be one of this name by now.
  async askAgain(): Promise<void> {
    const attach = { cwd: "/", attach: true };
    if (this.failure) return this.begin(attach);
    if (!this.isGone) return;
    await this.asking.once(this.openOptions(attach)); // where it is gone as before, that is said already
    if (this.asking.owesShell) await this.startAnew();
  }

  /// There is a connection again: takes up what had none.
  connected(): void {
    if (this.failure === "timeout" || this.failure === "unauthorised") void this.askAgain();
  }

  get isOpened(): boolean {
    return this.opened;
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

  appear(appearance: Appearance): void {
    this.screen.appear(appearance);
    this.look.renew(this.terminal);
  }

  claimSize(): void {
    this.sizes.claim();
  }

  /// Something took or gave room; `byUser`: the user did it.
  sizeMayHaveChanged(byUser = false): void {
    this.sizes.mayHaveChanged(byUser);
  }

  /// The list no longer has it: another client ended it, and no event tells.
  vanished(): void {
    if (this.terminal?.attachment !== "attached") return;
    this.terminal.detach();
    this.state.gone();
  }

  async clear(): Promise<void> {
    await this.attempt("Clearing failed", async (terminal) => {
      await terminal.clear();
      if (terminal.snapshot.status === "running") await terminal.write("\x0c"); // the program draws its prompt anew
    });
  }

  /// Input that comes before the new shell is for that one.
  async restart(): Promise<void> {
    const { terminal } = this;
    if (!this.manners.restarts || this.isAwaited || !terminal) return;
    const restarting = (this.restarting = { pid: terminal.snapshot.pid });
    this.trouble.clear();
    this.input.hold();
    const size = this.screen.fittingSize() ?? this.screen.size;
    if (this.exit) this.state.opening(false);
    try {
      await terminal.restart(size);
    } catch (error) {
      if (this.restarting === restarting) this.restartFailed(terminal, error as PtydError);
    }
    this.focus();
  }

  private restartFailed(terminal: Terminal, error: PtydError): void {
    const lost = this.restartIsOver(terminal, error);
    if (this.exit || this.isGone) this.state.notDone(kRestarting, { error, lost });
    else this.trouble.failed(kRestarting, error, lost);
  }

  /// Without a new shell. Returns the input that was meant for that.
  private restartIsOver(terminal: Terminal, error: PtydError): string {
    if (!this.restarting) return "";
    this.restarting = undefined;
    const lost = this.input.refuse(error);
    this.input.passTo(terminal);
    return lost;
  }

  /// Lets go of the terminal, which lives on.
  dispose(): void {
    this.disposed = true;
    this.observer.disconnect();
    this.sizes.dispose();
    this.typing.dispose();
    this.terminal?.detach();
    this.screen.dispose();
    this.element.remove();
  }

  private get isGone(): boolean {
    return this.terminal?.attachment === "gone" || this.terminal?.attachment === "closed";
  }

  /// A new shell or an answer is on its way, and input is kept for it.
  private get isAwaited(): boolean {
    return this.restarting !== undefined || this.asking.isUnderWay;
  }

  /// Says how it goes.
  private async begin(options: { cwd: string; attach: boolean }): Promise<void> {
    if (this.asking.isUnderWay) return;
    const request = this.openOptions(options); // before anything is said, which takes room
    this.state.opening(options.attach);
    const refusal = await this.asking.once(request);
    if (!refusal) return;
    const mayAskAgain = options.attach || mayHaveStarted(refusal.error);
    this.failure = mayAskAgain ? refusal.error.code : undefined;
    this.state.cannotOpen(refusal, mayAskAgain);
  }

  /// Shows what the server gives, unless this view has gone meanwhile.
  private async take(request: OpenOptions): Promise<void> {
    const terminal = await this.host.client.open(request);
    if (this.disposed) return terminal.detach();
    if (this.terminal) this.screen.reset();
    this.failure = undefined;
    this.terminal = terminal;
    this.wireTerminal(terminal);
    this.startFrom(terminal.snapshot);
    this.host.opened(terminal.snapshot);
    this.observer.observe(this.frame);
    this.claimSize();
    this.input.passTo(terminal);
    this.look.renew(terminal);
  }

  private makeSized(): Sized {
    return {
      screen: this.screen,
      element: this.element,
      notice: this.notice,
      terminal: () => this.terminal,
      isShown: () => this.active,
      keepsSize: () => this.manners.keepsSize,
      mayClaim: () => this.host.mayAct() && document.visibilityState !== "hidden",
      failed: (error) => this.trouble.failed("The size could not be changed", error),
      focus: () => this.focus(),
    };
  }

  private makeTyping(): Typing {
    const view = {
      isAwaited: () => this.isAwaited,
      isOver: () => this.exit !== undefined,
      touched: () => this.sizes.isForeign && this.claimSize(),
      restart: () => void this.restart(),
      notSent: (text: string) => this.state.notSent(text),
      takeStickyCtrl: this.host.takeStickyCtrl,
      say: (content: NoticeContent | undefined) => this.notice.say("input", content),
    };
    return new Typing(view, this.input, this.trouble);
  }

  // --- What the screen tells
  // ----------------------------------------------------------------------------------------------

  private wireScreen(): void {
    const { emulator } = this.screen;
    emulator.onData((data) => this.typing.take(data));
    emulator.attachCustomWheelEventHandler(() => !this.isAwaited); // a turn may become keys, for the old program
    emulator.onTitleChange((title) => this.host.titled(this.place, title));
    this.keyboard.listen(this.frame);
    this.frame.addEventListener("focusin", () => this.claimSize());
  }

  private async follow(target: string, plain: boolean): Promise<void> {
    const meant = plain || (await this.host.confirm({ title: "Open this link?", text: target, yes: "Open" }));
    if (meant) window.open(target, "_blank", "noopener,noreferrer");
    this.focus();
  }

  // --- What the terminal tells
  // --------------------------------------------------------------------------------------------

  private openOptions(options: { cwd: string; attach: boolean }): OpenOptions {
    const size = options.attach ? {} : this.sizes.sizeToOpen();
    return { ...this.place, ...options, ...size, ...this.look.take() };
  }

  private wireTerminal(terminal: Terminal): void {
    this.screen.healer.watch(terminal);
    terminal.onOutput.on((data) => {
      if (!this.active) this.host.noticed(this.place);
      return this.screen.write(data);
    });
    terminal.onReset.on((snapshot) => {
      this.screen.reset();
      this.startFrom(snapshot);
      this.host.opened(snapshot);
      if (!this.restarting) this.input.passTo(terminal);
    });
    terminal.onCleared.on(() => this.screen.reset());
    terminal.onExit.on((exit) => this.ended(exit));
    terminal.onError.on((message) => {
      this.failed(message, this.restartIsOver(terminal, new PtydError("spawn_failed", message)));
    });
    terminal.onResized.on((size) => this.sizes.changedElsewhere(size));
    terminal.onEvent.on((event) => this.onEvent(event));
    terminal.onAttachment.on((attachment) => {
      if (attachment === "gone") this.state.gone();
    });
  }

  private startFrom(snapshot: Snapshot): void {
    const { cols, rows } = snapshot;
    if (cols && rows) this.screen.setSize({ cols, rows });
    this.screen.replay(replay(snapshot));
    this.exit = undefined;
    if (this.restarting?.pid !== snapshot.pid || snapshot.status === "error") this.restarting = undefined;
    if (snapshot.pid !== this.pid) this.trouble.done(kRestarting);
    this.pid = snapshot.pid;
    this.state.clear();
    if (snapshot.status === "exited") this.ended(snapshot);
    if (snapshot.status === "error") this.failed("The program could not be started.");
  }

  private onEvent(event: TerminalEvent): void {
    if (event.type === "warning") this.trouble.tell(event.message);
    if (event.type === "clipboard") this.host.offerCopy(event.text);
    if (event.type === "shutdown") this.host.serverGoesDown(event.reason);
  }

  private ended(exit: Exit): void {
    this.exit = exit;
    this.state.ended(exit);
  }

  private failed(message: string, lost = ""): void {
    this.exit = { exitCode: null, exitSignal: null };
    this.state.failed(message, lost);
  }

  /// The server shows above the new shell what it still has of the old one's text.
  private async startAnew(): Promise<void> {
    this.focus();
    if (!this.manners.restarts) return;
    const request = this.openOptions({ cwd: this.terminal?.snapshot.cwd ?? "/", attach: false });
    this.state.opening(false);
    if (this.asking.isUnderWay) return this.asking.wantShell();
    const refusal = await this.asking.once(request);
    if (refusal) this.state.notDone("A shell could not be started", refusal);
  }

  private async attempt(what: string, action: (terminal: Terminal) => Promise<void>): Promise<void> {
    if (!this.terminal) return;
    try {
      await action(this.terminal);
    } catch (error) {
      this.trouble.failed(what, error as PtydError);
    }
  }
}
