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
    this.element.dataset.state = state.name;
    this.words.textContent = kWords[state.name];
    this.retry.hidden = state.name !== "reconnecting";
    this.seconds.textContent = "";
    if (state.name !== "reconnecting") return;
    this.countDown(state.retryAt);
    this.timer = window.setInterval(() => this.countDown(state.retryAt), 250);
  }

  private countDown(until: number): void {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
    this.seconds.textContent = left > 0 ? `in ${left} s` : "";
  }
}

const kWords: Readonly<Record<ConnectionState["name"], string>> = {
  connecting: "Connecting",
  open: "Live",
  reconnecting: "Reconnecting",
  unauthorised: "Signed out",
  closed: "Closed",
};
