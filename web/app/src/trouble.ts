import type { PtydError } from "../../client/src/index.ts";
import { isOwn, notDone, notSent, shownInput } from "./refusal.ts";
import type { NoticeContent } from "./views/notice.ts";

/// The last thing that went wrong with one terminal, until something newer is typed or goes wrong.
export class Trouble {
  private lost = "";
  /// The request that the words are about.
  private about: string | undefined;

  constructor(private readonly say: (content: NoticeContent | undefined) => void) {}

  /// `kind`: an error is something that was asked for and not done.
  tell(text: string, kind: "info" | "error" = "info"): void {
    this.begin({ text, kind });
  }

  /// A request failed, and with it input that was `lost`.
  failed(what: string, error: PtydError, lost = ""): void {
    const text = notDone(what, { error, lost });
    if (text === undefined) return;
    this.tell(text, "error");
    this.about = what;
  }

  /// A request that failed before is done after all: words about that end.
  done(what: string): void {
    if (this.about === what) this.clear();
  }

  /// Input failed. What was typed before, and failed with it, is named with it.
  inputFailed(input: string, error: PtydError): void {
    if (isOwn(error)) return;
    this.lost += input;
    this.about = undefined;
    const isUnknown = error.code === "outcome_unknown";
    const text = isUnknown
      ? `The connection broke: “${shownInput(this.lost)}” may not have arrived.`
      : `${notSent(this.lost)} ${error.message}`;
    this.say({ text, kind: "error" });
  }

  clear(): void {
    this.begin(undefined);
  }

  private begin(content: NoticeContent | undefined): void {
    this.lost = "";
    this.about = undefined;
    this.say(content);
  }
}
