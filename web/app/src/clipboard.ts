/// Copying works on plain HTTP too, where browsers offer no clipboard object; reading does not, there the browser's own
/// paste (Ctrl+Shift+V, the context menu) has to be used.

export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // not allowed here; the old way may be
  }
  return copyByCommand(text);
}

/// The text on the clipboard, or nothing when the page may not know.
export async function readText(): Promise<string | undefined> {
  try {
    return await navigator.clipboard?.readText();
  } catch {
    return undefined;
  }
}

function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const carrier = document.createElement("textarea");
  carrier.className = "copy-carrier";
  carrier.value = text;
  document.body.append(carrier);
  carrier.select();
  document.addEventListener("copy", onCopy, { capture: true });
  try {
    return document.execCommand("copy");
  } finally {
    document.removeEventListener("copy", onCopy, { capture: true });
    carrier.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
