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

/// Says below a terminal what has become of it, with a button for each thing that can be done.
export class StateNotice {
  constructor(private readonly view: Stated) {}

  opening(attach: boolean): void {
    this.view.say({ text: attach ? "Attaching …" : "Starting …" });
  }

  /// `lost`: what was typed for it. What may be asked again starts nothing.
  cannotOpen({ code, message }: PtydError, lost: string, mayAskAgain: boolean): void {
    const missing = code === "not_found" ? this.view.manners().missing : undefined;
    const text = `${lost && `${notSent(lost)} `}${missing ?? `This terminal cannot be opened: ${message}`}`;
    const again = { label: "Try again", press: this.view.askAgain };
    this.view.say({ text, kind: "error", buttons: mayAskAgain && !missing ? [again, this.close] : [this.close] });
  }

  ended(exit: Exit): void {
    this.view.say({ text: this.view.manners().ended(exit), buttons: this.buttonsAtEnd() });
  }

  failed(message: string): void {
    this.view.say({ text: message, kind: "error", buttons: this.buttonsAtEnd() });
  }

  gone(): void {
    const text = "This terminal no longer exists on the server. Its last screen is still shown.";
    const shell = { label: "New shell here", press: this.view.startAnew };
    const { restarts, noInput } = this.view.manners();
    const mayStart = restarts && noInput === undefined;
    this.view.say({ text, kind: "error", buttons: mayStart ? [shell, this.close] : [this.close] });
  }

  /// It runs, and is shown.
  clear(): void {
    this.view.say(undefined);
  }

  private buttonsAtEnd(): NonNullable<NoticeContent["buttons"]> {
    const restart = { label: "Restart", press: this.view.restart };
    return this.view.manners().restarts ? [restart, this.close] : [this.close];
  }

  private get close(): { label: string; press: () => void } {
    return { label: "Close", press: this.view.close };
  }
}
