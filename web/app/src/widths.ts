import { Unicode11Addon } from "@xterm/addon-unicode11";
import type { Terminal } from "@xterm/xterm";

/// Makes the emulator count cells by the rules that the server's screen counts by. This is the only place that decides
/// it: a table shared with the server is registered here, by `screen.unicode.register`.
export function useOurWidths(screen: Terminal): void {
  screen.loadAddon(new Unicode11Addon());
  screen.unicode.activeVersion = "11";
}
