import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal as Emulator } from "@xterm/xterm";
import type { Size } from "../../client/src/index.ts";
import type { Appearance } from "./appearance.ts";
import { CaretFollow } from "./caret_follow.ts";
import { Healer } from "./healer.ts";
import { KeptPlace } from "./kept_place.ts";
import { KittyKeys } from "./kitty_keys.ts";
import { allowedTarget } from "./links.ts";
import type { CellPlace } from "./readable.ts";
import type { Settings } from "./settings.ts";
import { passInsertedText } from "./inserted_text.ts";
import { kFonts, kLeastContrast, marksOf, themeOf } from "./theme.ts";
import { offeredText } from "./osc52.ts";
import { TouchScroll } from "./touch_scroll.ts";
import type { WatchKey } from "./watch_keys.ts";
import { useOurWidths } from "./widths.ts";

/// Lines that can be scrolled back; what the server keeps.
const kScrollback = 5000;
/// The sizes that the protocol takes.
const kLeast: Size = { cols: 20, rows: 5 };
const kMost: Size = { cols: 2000, rows: 1000 };

/// Letters are not shrunk below this (CSS pixels): smaller ones can hardly be read on a phone.
const kLeastShrunk = 10;

export interface ScreenHandlers {
  /** `plain`: the text of the link is its target, so the reader knows where it leads. */
  readonly follow: (target: string, plain: boolean) => void;
  readonly hover: (target: string | undefined) => void;
  /** A program wants this on the clipboard. */
  readonly offerCopy: (text: string) => void;
  readonly bell: () => void;
}

/// xterm.js with everything this page adds to it: renderer, size, search, links, widths.
///
/// Order   what write(), reset() and setSize() are given takes effect in the order of the calls.
export class Screen {
  readonly emulator: Emulator;
  readonly search = new SearchAddon();
  readonly kittyKeys: KittyKeys;
  readonly healer = new Healer(this);
  readonly scrollback = kScrollback;
  private readonly fit = new FitAddon();
  private webgl: WebglAddon | undefined;
  private frame: HTMLElement | undefined;
  private caretFollow: CaretFollow | undefined;
  private replaying = false;
  private searched = false;
  private pressed = false;
  private visible = false;
  /// False: letters stay as large as they are set, and what does not fit is scrolled to.
  shrinks = true;

  constructor(
    private settings: Settings,
    private appearance: Appearance,
    handlers: ScreenHandlers,
  ) {
    this.emulator = new Emulator({
      allowProposedApi: true, // unicode versions
      cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      fontFamily: kFonts,
      fontSize: settings.fontSize,
      lineHeight: 1.2,
      linkHandler: linkHandler(handlers),
      macOptionClickForcesSelection: true,
      minimumContrastRatio: kLeastContrast,
      rightClickSelectsWord: true,
      scrollback: kScrollback,
      theme: themeOf(appearance, false),
    });
    for (const addon of [this.fit, this.search]) this.emulator.loadAddon(addon);
    this.emulator.loadAddon(webLinks(handlers));
    useOurWidths(this.emulator);
    this.kittyKeys = new KittyKeys(this.emulator);
    this.emulator.onBell(() => this.replaying || handlers.bell());
    this.emulator.parser.registerOscHandler(52, (parameters) => {
      const text = this.replaying ? undefined : offeredText(parameters);
      if (text !== undefined) handlers.offerCopy(text);
      return true;
    });
  }

  /// Puts the screen into `parent`, which must be visible.
  mount(parent: HTMLElement): void {
    this.frame = parent;
    this.emulator.open(parent);
    passInsertedText(this.emulator);
    new TouchScroll(this.emulator, parent);
    parent.addEventListener("pointerdown", () => (this.pressed = true));
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, this.onReleased);
  }

  /// Fulfilled once the emulator has taken it in.
  write(text: string): Promise<void> {
    return new Promise((resolve) => this.emulator.write(text, resolve));
  }

  /// Writes what was said some time ago: it rings no bell and offers nothing to the clipboard.
  replay(text: string): void {
    this.emulator.write("", () => void (this.replaying = true));
    this.emulator.write(text, () => void (this.replaying = false));
  }

  get isVisible(): boolean {
    return this.visible;
  }

  /// No full-screen program is shown, and nobody is selecting.
  get mayBeReplaced(): boolean {
    return this.emulator.buffer.active.type === "normal" && !this.pressed;
  }

  /// Writes what recreates the whole terminal, so that one frame shows the old and the next one the new; what is looked
  /// at and what is selected stays. Fulfilled once it is shown.
  replace(text: string): Promise<void> {
    const { emulator } = this;
    let kept: KeptPlace | undefined;
    emulator.write("", () => {
      kept = new KeptPlace(emulator);
      emulator.options.screenReaderMode = false; // it was read out when it was printed
      this.replaying = true;
    });
    return new Promise((resolve) => {
      // Synchronized output, which RIS ends and the repaint at the end of the text as well.
      emulator.write(text.replace("\x1bc", "\x1bc\x1b[?2026h"), () => {
        this.replaying = false;
        kept?.restore();
        this.readToScreenReader();
        resolve();
      });
    });
  }

  /// Empty, with all modes as at the beginning.
  reset(): void {
    this.emulator.write("\x1bc");
  }

  setSize(size: Size): void {
    this.emulator.write("", () => this.emulator.resize(size.cols, size.rows));
  }

  get size(): Size {
    return { cols: this.emulator.cols, rows: this.emulator.rows };
  }

  /// The size that fits into the parent, within what the protocol takes; nothing while it is hidden.
  fittingSize(): Size | undefined {
    const proposed = this.fit.proposeDimensions();
    if (!proposed || !Number.isFinite(proposed.cols) || !Number.isFinite(proposed.rows)) return undefined;
    return {
      cols: Math.min(Math.max(proposed.cols, kLeast.cols), kMost.cols),
      rows: Math.min(Math.max(proposed.rows, kLeast.rows), kMost.rows),
    };
  }

  /// Letters so small that a screen of this size fits into the parent, within what can be read; what does not fit then is
  /// scrolled to, and the caret kept in sight. For who cannot make the screen as large as there is room.
  shrinkFor(size: Size): void {
    this.emulator.options.fontSize = this.settings.fontSize;
    const fits = this.fit.proposeDimensions();
    if (!fits || !Number.isFinite(fits.cols) || !Number.isFinite(fits.rows)) return;
    const share = Math.min(1, fits.cols / size.cols, fits.rows / size.rows);
    const least = Math.min(kLeastShrunk, this.settings.fontSize);
    if (this.shrinks) this.emulator.options.fontSize = Math.max(least, Math.floor(this.settings.fontSize * share));
    if (this.frame) this.caretFollow ??= new CaretFollow(this.emulator, this.frame);
    this.caretFollow?.follow();
  }

  /// Through what is shown: where the screen is larger than its parent, then through what has scrolled away.
  move(key: Exclude<WatchKey, "typed">): void {
    if ("columns" in key) this.frame?.scrollBy(key.columns * (this.cellSize()?.width ?? 0), 0);
    else if ("lines" in key) this.moveLines(key.lines);
    else if ("pages" in key) this.emulator.scrollPages(key.pages);
    else if (key.to === "top") this.emulator.scrollToTop();
    else this.emulator.scrollToBottom();
  }

  /// Whether keys and mice reach the program. A phone shows no keyboard where they do not.
  takeInput(takes: boolean): void {
    this.emulator.options.disableStdin = !takes;
  }

  /// In pixels, if it is known yet.
  cellSize(): { width: number; height: number } | undefined {
    const area = this.emulator.element?.querySelector(".xterm-screen");
    const width = Math.round((area?.clientWidth ?? 0) / this.emulator.cols);
    const height = Math.round((area?.clientHeight ?? 0) / this.emulator.rows);
    return width > 0 && height > 0 ? { width, height } : undefined;
  }

  /// The cell of the buffer at a point of the window.
  cellAt(x: number, y: number): CellPlace {
    const area = this.emulator.element?.querySelector(".xterm-screen")?.getBoundingClientRect() ?? new DOMRect();
    const within = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    const row = within((y - area.top) / area.height, this.emulator.rows);
    return { row: this.emulator.buffer.active.viewportY + row, column: within((x - area.left) / area.width, this.emulator.cols) };
  }

  /// One that is looked at has a graphics context, until that is released, and its text in the page for screen readers.
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.readToScreenReader();
    if (visible) this.healer.stirred();
    if (this.settings.renderer === "dom") this.releaseGraphics();
    else if (visible) this.useWebgl();
  }

  /// Browsers have few contexts, and count one that was only let go of until it is collected.
  releaseGraphics(): void {
    const canvases = this.webgl ? [...(this.emulator.element?.querySelectorAll("canvas") ?? [])] : [];
    this.webgl?.dispose();
    this.webgl = undefined;
    for (const canvas of canvases) canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  }

  setSearched(searched: boolean): void {
    this.searched = searched;
    this.emulator.options.theme = themeOf(this.appearance, searched);
  }

  /// How matches of a search are marked here.
  get marks(): ReturnType<typeof marksOf> {
    return marksOf(this.appearance);
  }

  appear(appearance: Appearance): void {
    this.appearance = appearance;
    this.setSearched(this.searched);
  }

  apply(settings: Settings): void {
    this.settings = settings;
    this.emulator.options.fontSize = settings.fontSize;
  }

  /// The visible lines as text.
  text(): string[] {
    const { viewportY } = this.emulator.buffer.active;
    return this.lines(viewportY, viewportY + this.emulator.rows);
  }

  /// All lines as text, those scrolled away too.
  wholeText(): string[] {
    return this.lines(0, this.emulator.buffer.active.length);
  }

  dispose(): void {
    for (const end of ["pointerup", "pointercancel"]) window.removeEventListener(end, this.onReleased);
    this.healer.dispose();
    this.releaseGraphics();
    this.emulator.dispose();
  }

  private readonly onReleased = () => (this.pressed = false);

  private readToScreenReader(): void {
    this.emulator.options.screenReaderMode = this.visible && this.settings.screenReader;
  }

  private moveLines(lines: number): void {
    const before = this.frame?.scrollTop;
    this.frame?.scrollBy(0, lines * (this.cellSize()?.height ?? 0));
    if (this.frame?.scrollTop === before) this.emulator.scrollLines(lines);
  }

  private lines(from: number, to: number): string[] {
    const buffer = this.emulator.buffer.active;
    const line = (index: number) =>
      buffer
        .getLine(from + index)
        ?.translateToString(true)
        .trimEnd() ?? "";
    return Array.from({ length: to - from }, (_, index) => line(index));
  }

  private useWebgl(): void {
    if (this.webgl || !this.emulator.element) return;
    try {
      const webgl = new WebglAddon();
      webgl.onContextLoss(() => {
        webgl.dispose();
        if (this.webgl === webgl) this.webgl = undefined;
      });
      this.emulator.loadAddon(webgl);
      this.webgl = webgl;
    } catch {
      this.webgl = undefined; // no WebGL here: the emulator draws with elements
    }
  }
}

/// Links whose text may say one thing and whose target another (OSC 8).
function linkHandler(links: ScreenHandlers): Emulator["options"]["linkHandler"] {
  return {
    allowNonHttpProtocols: true, // mailto; allowedTarget() has the last word
    activate: (event, address) => {
      const target = allowedTarget(address);
      if (target && isMeant(event)) links.follow(target, false);
    },
    hover: (_event, address) => links.hover(allowedTarget(address)),
    leave: () => links.hover(undefined),
  };
}

/// Addresses in plain sight.
function webLinks(links: ScreenHandlers): WebLinksAddon {
  const activate = (event: MouseEvent, address: string) => {
    const target = allowedTarget(address);
    if (target && isMeant(event)) links.follow(target, true);
  };
  return new WebLinksAddon(activate, {
    hover: (_event, address) => links.hover(allowedTarget(address)),
    leave: () => links.hover(undefined),
  });
}

/// A plain click belongs to the terminal; fingers have no Ctrl key.
function isMeant(event: MouseEvent): boolean {
  return event.ctrlKey || event.metaKey || matchMedia("(pointer: coarse)").matches;
}
