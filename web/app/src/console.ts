import type { App } from "./app.ts";

/// What whoever debugs this page finds in its console as `ptyd`: what the emulator in front has on its screen. It only
/// reads.
export function offerToConsole(app: App): void {
  const ptyd = {
    screenText: () => app.screen?.text() ?? [],
    wholeText: () => app.screen?.wholeText() ?? [],
    screenSize: () => app.screen?.size,
  };
  Object.assign(window, { ptyd });
}
