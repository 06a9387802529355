import type { Exit, PtydError } from "../../client/src/index.ts";
import type { Manners } from "./program.ts";
import { notSent } from "./trouble.ts";
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

/// Something that the server did not do.
export interface Refusal {
  readonly error: PtydError;
  /** Input that was meant for it; "" for none. */
  readonly lost: string;
}

/// Says below a terminal what has become of it, with a button for each thing that can be done.
export class StateNotice {
  private end: NoticeContent = { text: "" };

  constructor(private readonly view: Stated) {}

  opening(attach: boolean): void {
    this.view.say({ text: attach ? "Attaching …" : "Starting …" });
  }

  /// `mayAskAgain`: to ask again starts nothing.
  cannotOpen({ error, lost }: Refusal, mayAskAgain: boolean): void {
    const missing = error.code === "not_found" ? this.view.manners().missing : undefined;
    const text = behindLost(lost, missing ?? `This terminal cannot be opened: ${error.message}`);
    const again = { label: "Try again", press: this.view.askAgain };
    this.view.say({ text, kind: "error", buttons: mayAskAgain && !missing ? [again, this.close] : [this.close] });
  }

  ended(exit: Exit): void {
    this.sayEnd({ text: this.view.manners().ended(exit), buttons: this.buttonsAtEnd() });
  }

  failed(message: string): void {
    this.sayEnd({ text: message, kind: "error", buttons: this.buttonsAtEnd() });
  }

  gone(): void {
    const text = "This terminal no longer exists on the server. Its last screen is still shown.";
    const shell = { label: "New shell here", press: this.view.startAnew };
    const { restarts } = this.view.manners();
    this.sayEnd({ text, kind: "error", buttons: restarts ? [shell, this.close] : [this.close] });
  }

  /// Input came after the end.
  notSent(input: string): void {
    this.sayBeforeEnd(notSent(input));
  }

  /// Something was asked for after the end.
  notDone(what: string, { error, lost }: Refusal): void {
    this.sayBeforeEnd(behindLost(lost, `${what}: ${error.message}`));
  }

  /// It runs, and is shown.
  clear(): void {
    this.view.say(undefined);
  }

  private sayEnd(content: NoticeContent): void {
    this.end = content;
    this.view.say(content);
  }

  private sayBeforeEnd(words: string): void {
    this.view.say({ ...this.end, text: `${words} ${this.end.text}`, kind: "error" });
  }

  private buttonsAtEnd(): NonNullable<NoticeContent["buttons"]> {
    const restart = { label: "Restart", press: this.view.restart };
    return this.view.manners().restarts ? [restart, this.close] : [this.close];
  }

  private get close(): { label: string; press: () => void } {
    return { label: "Close", press: this.view.close };
  }
}

function behindLost(lost: string, words: string): string {
  return lost === "" ? words : `${notSent(lost)} ${words}`;
}
