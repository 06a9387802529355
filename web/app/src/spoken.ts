import { element } from "./dom.ts";
import { FailedPrograms } from "./failed_programs.ts";
import { wholeCommand } from "./program.ts";
import { Announcer } from "./views/announcer.ts";
import { setText } from "./views/keyed.ts";
import { labelOf, stateOf, type Entry, type Thread } from "./entry.ts";

/// Tells those who do not see the page: the name of what is in front as its heading, and what happens.
export class Spoken {
  readonly heading = element("h1", { class: "visually-hidden", text: "ptyd" });
  readonly announcer = new Announcer();
  private readonly failedPrograms = new FailedPrograms();

  /// Tells the name of the terminal in front, with a mark while there is news of others, and programs that failed.
  show(front: Entry | undefined, threads: readonly Thread[]): void {
    const name = front ? `${labelOf(front)} – ptyd` : "ptyd";
    const hasNews = threads.some((thread) => thread.entries.some((entry) => entry.unread));
    document.title = hasNews ? `● ${name}` : name;
    setText(this.heading, name);
    for (const failed of this.failedPrograms.newIn(threads))
      this.announcer.say(`An agent's program failed, ${stateOf(failed)}: ${wholeCommand(failed.program)}`);
  }

  cameToFront(entry: Entry): void {
    this.announcer.say(`${labelOf(entry)}, ${stateOf(entry)}`);
  }

  rang(entry: Entry): void {
    this.announcer.say(`Bell in ${labelOf(entry)}`);
  }

  screenReaderMode(isOn: boolean): void {
    this.announcer.say(`Screen reader mode is ${isOn ? "on" : "off"}.`);
  }
}
