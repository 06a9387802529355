import { element } from "../dom.ts";

export interface NoticeContent {
  readonly text: string;
  readonly kind?: "info" | "error";
  readonly buttons?: readonly { readonly label: string; readonly press: () => void }[];
}

/// Notices, the most urgent first.
const kTopics = ["state", "trouble", "input", "size", "program"] as const;
export type Topic = (typeof kTopics)[number];

/// One line below a terminal that says what is the matter with it, and what can be done.
export class Notice {
  readonly element = element("div", { class: "notice", hidden: true, attributes: { role: "status" } });
  private readonly words: { [About in Topic]?: NoticeContent } = {};
  private shown: NoticeContent | undefined;

  /// Of what there is to say the most urgent is shown; nothing to say hides it.
  say(about: Topic, content: NoticeContent | undefined): void {
    this.words[about] = content;
    const topic = kTopics.find((each) => this.words[each] !== undefined);
    this.show(topic && this.words[topic]);
  }

  private show(content: NoticeContent | undefined): void {
    this.element.hidden = content === undefined;
    if (content === undefined || content === this.shown) return;
    this.shown = content;
    const buttons = (content.buttons ?? []).map(({ label, press }) =>
      element("button", { class: "button", text: label, attributes: { type: "button" }, on: { click: press } }),
    );
    this.element.className = `notice ${content.kind ?? "info"}`;
    this.element.replaceChildren(element("span", { class: "notice-text", text: content.text }), ...buttons);
  }
}
