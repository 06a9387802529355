import type { PtydError } from "../../client/src/index.ts";
import type { NoticeContent } from "./views/notice.ts";

/// Of input that is named in a sentence, in UTF-16 units.
const kShownInput = 40;

/// The last thing that went wrong with one terminal, until something newer is typed or goes wrong.
export class Trouble {
  private lost = "";

  constructor(private readonly say: (content: NoticeContent | undefined) => void) {}

  /// `kind`: an error is something that was asked for and not done.
  tell(text: string, kind: "info" | "error" = "info"): void {
    this.lost = "";
    this.say({ text, kind });
  }

  /// A request failed.
  failed(what: string, error: PtydError): void {
    if (!isOwn(error)) this.tell(`${what}: ${error.message}`, "error");
  }

  /// Input failed. What was typed before, and failed with it, is named with it.
  inputFailed(input: string, error: PtydError): void {
    if (isOwn(error)) return;
    this.lost += input;
    const isUnknown = error.code === "outcome_unknown";
    const text = isUnknown
      ? `The connection broke: “${shownInput(this.lost)}” may not have arrived.`
      : `${notSent(this.lost)} ${error.message}`;
    this.say({ text, kind: "error" });
  }

  clear(): void {
    this.lost = "";
    this.say(undefined);
  }
}

/// The page itself gave it up.
function isOwn(error: PtydError): boolean {
  return error.code === "closed" || error.code === "cancelled";
}

/// A sentence about input that did not leave the page.
export function notSent(input: string): string {
  return `“${shownInput(input)}” was not sent.`;
}

/// As keys are named: Enter, Ctrl and letters; the beginning where it is long.
export function shownInput(input: string): string {
  const name = (key: string) => {
    if (key === "\r") return "⏎";
    if (key === "\x1b") return "Esc ";
    if (key === "\x7f") return "⌫";
    return `^${String.fromCharCode(key.charCodeAt(0) + 64)}`;
  };
  const named = input.replace(/[\x00-\x1f\x7f]/g, name);
  return named.length > kShownInput ? `${named.slice(0, kShownInput)}…` : named;
}
