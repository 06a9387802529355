import type { OpenOptions, Terminal } from "../../client/src/index.ts";
import type { Appearance } from "./appearance.ts";
import type { Screen } from "./screen.ts";
import { announcedColours } from "./theme.ts";

type Look = Pick<OpenOptions, "colors" | "cellSize" | "emulator">;

const kEmulator = "xterm.js(6.0.0)";

/// The look of an emulator as the server knows it, which programs are told when they ask.
export class ToldLook {
  private told: Appearance | undefined;

  constructor(
    private readonly screen: Pick<Screen, "cellSize">,
    private readonly appearance: () => Appearance,
  ) {}

  /// The look as it is, for a request that tells it.
  take(): Look {
    this.told = this.appearance();
    return { colors: announcedColours(this.told), cellSize: this.screen.cellSize(), emulator: kEmulator };
  }

  /// Tells the server of `terminal` what has changed since.
  renew(terminal: Pick<Terminal, "describe"> | undefined): void {
    if (!terminal || this.told === this.appearance()) return;
    terminal.describe(this.take()).catch(() => undefined); // the next attach tells it
  }
}
