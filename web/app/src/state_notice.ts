import type { Exit } from "../../client/src/index.ts";
import type { Manners } from "./program.ts";
import { behindLost, notDone, notSent, type Refusal } from "./refusal.ts";
import type { NoticeContent } from "./views/notice.ts";

/// The words' needs from the view that they are about.
export interface Stated {
  readonly say: (content: NoticeContent | undefined) => void;
  readonly manners: () => Manners;
  readonly restart: () => void;
  readonly askAgain: () => void;
  readonly startAnew: () => void;
  readonly close: () => void;
}

/// Says below a terminal what has become of it, with a button for each thing that can be done.
export class StateNotice {
  /// Made anew when what may be done changes.
  private end: () => NoticeContent = () => ({ text: "" });
  private said: (() => NoticeContent) | undefined;

  constructor(private readonly view: Stated) {}

  /// Manners have changed.
  renew(): void {
    if (this.said) this.view.say(this.said());
  }

  opening(attach: boolean): void {
    this.say(() => ({ text: attach ? "Attaching …" : "Starting …" }));
  }

  /// `mayAskAgain`: to ask again starts nothing.
  cannotOpen({ error, lost }: Refusal, mayAskAgain: boolean): void {
    const again = { label: "Try again", press: this.view.askAgain };
    this.say(() => {
      const missing = error.code === "not_found" ? this.view.manners().missing : undefined;
      const text = behindLost(lost, missing ?? `This terminal cannot be opened: ${error.message}`);
      return { text, kind: "error", buttons: mayAskAgain && !missing ? [again, this.close] : [this.close] };
    });
  }

  ended(exit: Exit): void {
    this.sayEnd(() => ({ text: this.view.manners().ended(exit), buttons: this.buttonsAtEnd() }));
  }

  /// No shell could be started, and `lost` was meant for it.
  failed(message: string, lost = ""): void {
    this.sayEnd(() => ({ text: message, kind: "error", buttons: this.buttonsAtEnd() }));
    if (lost !== "") this.notSent(lost);
  }

  gone(): void {
    const text = "This terminal no longer exists on the server. Its last screen is still shown.";
    const shell = { label: "New shell here", press: this.view.startAnew };
    this.sayEnd(() => ({
      text,
      kind: "error",
      buttons: this.view.manners().restarts ? [shell, this.close] : [this.close],
    }));
  }

  /// Input came after the end.
  notSent(input: string): void {
    this.sayBeforeEnd(notSent(input));
  }

  /// Something was asked for after the end.
  notDone(what: string, refusal: Refusal): void {
    const words = notDone(what, refusal);
    if (words === undefined) this.say(this.end);
    else this.sayBeforeEnd(words);
  }

  /// It runs, and is shown.
  clear(): void {
    this.said = undefined;
    this.view.say(undefined);
  }

  private sayEnd(end: () => NoticeContent): void {
    this.end = end;
    this.say(end);
  }

  private sayBeforeEnd(words: string): void {
    this.say(() => {
      const end = this.end();
      return { ...end, text: `${words} ${end.text}`, kind: "error" };
    });
  }

  private say(make: () => NoticeContent): void {
    this.said = make;
    this.view.say(make());
  }

  private buttonsAtEnd(): NonNullable<NoticeContent["buttons"]> {
    const restart = { label: "Restart", press: this.view.restart };
    return this.view.manners().restarts ? [restart, this.close] : [this.close];
  }

  private get close(): { label: string; press: () => void } {
    return { label: "Close", press: this.view.close };
  }
}
