import type { PtydClient, Snapshot } from "../../client/src/index.ts";
import type { Appearance } from "./appearance.ts";
import type { Program } from "./program.ts";
import type { Place } from "./route.ts";
import type { Settings } from "./settings.ts";

/// The page around a view, as far as the view needs it.
export interface ViewHost {
  readonly client: PtydClient;
  readonly settings: () => Settings;
  readonly appearance: () => Appearance;
  /** False for who may only look on. */
  readonly mayAct: () => boolean;
  /** The program that an agent runs there, once it is known. */
  readonly programOf: (place: Place) => Program | undefined;
  /** The page's own keys; true when `event` was one of them. */
  readonly shortcut: (event: KeyboardEvent) => boolean;
  readonly confirm: (question: { title: string; text: string; yes: string }) => Promise<boolean>;
  readonly serverGoesDown: (reason: string) => void;
  readonly offerCopy: (text: string) => void;
  readonly hover: (target: string | undefined) => void;
  /** Ctrl was pressed on the key bar and waits for the next key. */
  readonly takeStickyCtrl: () => boolean;
  readonly opened: (snapshot: Snapshot) => void;
  readonly titled: (place: Place, title: string) => void;
  readonly noticed: (place: Place) => void;
  readonly rang: (place: Place) => void;
  readonly closeTab: (place: Place) => void;
}
