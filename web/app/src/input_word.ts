import type { NoticeContent } from "./views/notice.ts";

/// Input that is worth a word while it is on its way, in UTF-16 units, and how often the word is renewed (ms).
const kLongInput = 128 * 1024;
const kInputWord = 200;

/// Tells how far a long paste is, with a way to stop it.
export class InputWord {
  private timer: number | undefined;

  constructor(
    /** UTF-16 units on their way. */
    private readonly pending: () => number,
    private readonly stop: () => void,
    private readonly say: (content: NoticeContent | undefined) => void,
  ) {}

  /// Something was written.
  watch(): void {
    const left = this.pending();
    if (this.timer === undefined && left < kLongInput) return;
    this.dispose();
    if (left === 0) return this.say(undefined);
    const stop = { label: "Stop", press: this.stop };
    this.say({ text: `${Math.ceil(left / 1024)} K characters of input wait.`, buttons: [stop] });
    this.timer = window.setTimeout(() => this.watch(), kInputWord);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
