import type { App } from "./app.ts";

/// `ptyd` in the console, for debugging this page: what the emulator in front has on its screen. It only
/// reads.
export function offerToConsole(app: App): void {
  const ptyd = {
    screenText: () => app.screen?.text() ?? [],
    wholeText: () => app.screen?.wholeText() ?? [],
    screenSize: () => app.screen?.size,
  };
  Object.assign(window, { ptyd });
}
