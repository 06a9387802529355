import type { PtydError } from "../../client/src/index.ts";
import { InputWord } from "./input_word.ts";
import { withCtrl } from "./key_bytes.ts";
import { withoutPasteMarkers } from "./paste.ts";
import { isReport } from "./reports.ts";
import type { Trouble } from "./trouble.ts";
import type { TypeAhead } from "./type_ahead.ts";
import type { NoticeContent } from "./views/notice.ts";

/// The needs of what is typed from the view around it.
export interface TypedInto {
  /** A new shell or an answer is on its way. */
  readonly isAwaited: () => boolean;
  /** The program has ended. */
  readonly isOver: () => boolean;
  /** A person is at work here. */
  readonly touched: () => void;
  readonly restart: () => void;
  /** This came after the end. */
  readonly notSent: (text: string) => void;
  /** Ctrl was pressed on the key bar and waits for the next key. */
  readonly takeStickyCtrl: () => boolean;
  readonly say: (content: NoticeContent | undefined) => void;
}

/// Data that the emulator makes of keys, pastes and the mouse, on its way to the program.
///
/// Owns    timers: dispose().
export class Typing {
  private readonly word: InputWord;

  constructor(
    private readonly view: TypedInto,
    private readonly input: TypeAhead,
    private readonly trouble: Trouble,
  ) {
    this.word = new InputWord(
      () => this.input.pendingInput,
      () => this.input.cancelInput(),
      view.say,
    );
  }

  take(data: string): void {
    if (isReport(data)) return this.takeReport(data);
    if (this.view.isOver() && !this.view.isAwaited()) return this.takeAfterEnd(data);
    this.view.touched();
    const keys = this.view.takeStickyCtrl() ? withCtrl(data) : data;
    if (keys === "\x03" && this.input.pendingInput > 0) this.input.cancelInput();
    this.trouble.clear();
    this.input.write(keys).catch((error: PtydError) => this.trouble.inputFailed(keys, error));
    this.word.watch();
  }

  dispose(): void {
    this.word.dispose();
  }

  /// It is for the program whose modes ask for it, and kept for no other. Nothing that was typed is lost with it.
  private takeReport(data: string): void {
    if (this.view.isAwaited() || this.view.isOver()) return;
    this.view.touched();
    this.input.write(data).catch(() => undefined);
  }

  private takeAfterEnd(data: string): void {
    if (data === "\r") return this.view.restart();
    const text = withoutPasteMarkers(data);
    if (text.length > 1 && !text.startsWith("\x1b")) this.view.notSent(text);
  }
}
