import type { PtydError, Size, Terminal } from "../../client/src/index.ts";
import type { Screen } from "./screen.ts";
import type { Notice } from "./views/notice.ts";

/// A window that is being dragged changes its size at every frame; the program is told when it rests for so long (ms).
const kResizeRest = 100;

/// The keeper's needs from the view around it.
export interface Sized {
  readonly screen: Screen;
  readonly element: HTMLElement;
  readonly notice: Notice;
  readonly terminal: () => Terminal | undefined;
  /** It is in front and open. */
  readonly isShown: () => boolean;
  /** No window gives the program another size. */
  readonly keepsSize: () => boolean;
  /** This window is looked at, by a user that may change sizes. */
  readonly mayClaim: () => boolean;
  readonly failed: (error: PtydError) => void;
  readonly focus: () => void;
}

/// Whose size a terminal in the page has: that of this window, of another one, or its program's own.
///
/// Owns    a timer: dispose().
export class SizeKeeper {
  private foreignSize: Size | undefined;
  /** The last one that this window asked for: it is told of it as of any other, maybe when it has another one by then. */
  private askedFor: Size | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private resizedByUser = false;

  constructor(private readonly view: Sized) {}

  /// Another window has changed the size since this one did.
  get isForeign(): boolean {
    return this.foreignSize !== undefined;
  }

  /// The size for a new program.
  sizeToOpen(): Size | undefined {
    return (this.askedFor = this.view.screen.fittingSize());
  }

  /// Makes the program as large as this window, if this window is looked at; letters small, if it keeps its size.
  claim(): void {
    const { screen } = this.view;
    const terminal = this.view.terminal();
    if (!terminal || !this.view.isShown()) return;
    if (this.view.keepsSize()) return screen.shrinkFor(terminal.snapshot);
    if (!this.view.mayClaim()) return;
    this.foreignSize = undefined;
    this.show(); // before measuring: the words take room
    const size = screen.fittingSize();
    if (!size) return;
    const { cols, rows, status } = terminal.snapshot;
    if (status !== "running" || (cols === size.cols && rows === size.rows)) return screen.setSize(size);
    this.askedFor = size;
    terminal.resize(size).then(
      () => screen.setSize(size),
      (error: PtydError) => this.view.failed(error),
    );
  }

  /// Something took or gave room; waits until it rests. `byUser`: the user did it, which takes the size back from
  /// another window. Else it may only be our own words below the screen.
  mayHaveChanged(byUser: boolean): void {
    this.resizedByUser ||= byUser;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.foreignSize || this.resizedByUser) this.claim();
      this.resizedByUser = false;
    }, kResizeRest);
  }

  changedElsewhere(size: Size): void {
    const { screen } = this.view;
    screen.setSize(size);
    if (this.view.keepsSize()) return this.claim();
    const isOurs = [screen.fittingSize() ?? size, this.askedFor].some((each) => isSame(each, size));
    this.foreignSize = isOurs ? undefined : size;
    if (!isOurs) this.askedFor = undefined;
    this.show();
    if (isOurs && !isSame(screen.fittingSize(), size)) this.mayHaveChanged(false);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /// A terminal may be smaller or larger than this window because another one gave it its size.
  private show(): void {
    this.view.element.classList.toggle("foreign-size", this.isForeign);
    if (!this.foreignSize) return this.view.notice.say("size", undefined);
    const { cols, rows } = this.foreignSize;
    const press = () => {
      this.claim();
      this.view.focus();
    };
    const fit = { label: "Fit to this window", press };
    this.view.notice.say("size", { text: `Sized ${cols} × ${rows} by another window.`, buttons: [fit] });
  }
}

function isSame(one: Size | undefined, other: Size): boolean {
  return one?.cols === other.cols && one.rows === other.rows;
}
