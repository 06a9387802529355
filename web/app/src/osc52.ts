/// The longest text that a program may offer to the clipboard, in characters of its base64.
export const kMaxOffer = 256 * 1024;

/// Text that a program wants on the clipboard by `OSC 52 ; <where> ; <base64>`. Nothing when it asks what is there (which is
/// never told), when it is too long, or no base64 of UTF-8.
export function offeredText(parameters: string): string | undefined {
  const data = parameters.slice(parameters.indexOf(";") + 1);
  if (data === "" || data === "?" || data.length > kMaxOffer) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes) || undefined;
  } catch {
    return undefined;
  }
}
