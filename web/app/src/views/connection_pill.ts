import type { ConnectionState } from "../../../client/src/index.ts";
import { element } from "../dom.ts";

/// How it stands with the connection: one word, and a button while there is something to do.
export class ConnectionPill {
  readonly element = element("div", { class: "connection", attributes: { role: "status" } });
  private readonly words = element("span", { class: "words" });
  private readonly seconds = element("span", { class: "seconds", attributes: { "aria-hidden": "true" } });
  private readonly retry: HTMLButtonElement;
  private timer: number | undefined;

  constructor(retryNow: () => void) {
    this.retry = element("button", {
      class: "button",
      text: "Retry now",
      attributes: { type: "button" },
      on: { click: retryNow },
    });
    this.element.append(
      element("span", { class: "lamp", attributes: { "aria-hidden": "true" } }),
      this.words,
      this.seconds,
      this.retry,
    );
  }

  show(state: ConnectionState): void {
    clearInterval(this.timer);
    const isUnanswered = state.name === "open" && state.unansweredSince !== undefined;
    this.element.dataset.state = isUnanswered ? "unanswered" : state.name;
    this.words.textContent = isUnanswered ? "No answer" : kWords[state.name];
    this.retry.hidden = state.name !== "reconnecting";
    this.seconds.textContent = secondsOf(state);
    if (this.seconds.textContent === "") return;
    this.timer = window.setInterval(() => (this.seconds.textContent = secondsOf(state)), 250);
  }
}

function secondsOf(state: ConnectionState): string {
  if (state.name === "open" && state.unansweredSince !== undefined)
    return `for ${Math.floor((Date.now() - state.unansweredSince) / 1000)} s`;
  const left = state.name === "reconnecting" ? Math.ceil((state.retryAt - Date.now()) / 1000) : 0;
  return left > 0 ? `in ${left} s` : "";
}

const kWords: Readonly<Record<ConnectionState["name"], string>> = {
  connecting: "Connecting",
  open: "Live",
  reconnecting: "Reconnecting",
  unauthorised: "Signed out",
  closed: "Closed",
};
