import type { Terminal as Emulator } from "@xterm/xterm";

/// Gives the program text that comes without keys (phone keyboards, dictation, pickers) in screen reader mode as well:
/// xterm.js takes none of it then, because it lets text of keys into its field for the screen reader to speak.
///
/// Call when the emulator is in the page.
export function passInsertedText(emulator: Emulator): void {
  const field = emulator.textarea;
  let isKeyDown = false;
  field?.addEventListener("keydown", () => (isKeyDown = true), { capture: true });
  field?.addEventListener("keyup", () => (isKeyDown = false), { capture: true });
  field?.addEventListener("blur", () => (isKeyDown = false));
  field?.addEventListener("input", (event) => {
    const { data, inputType, isComposing } = event as InputEvent;
    const isOurs = emulator.options.screenReaderMode === true && !isKeyDown && !isComposing;
    if (isOurs && inputType === "insertText" && data) emulator.input(data);
  });
}
