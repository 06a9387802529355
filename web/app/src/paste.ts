/// Treatment of text from the clipboard before a program sees it.

const kMarkers = ["\x1b[200~", "\x1b[201~", "\x9b200~", "\x9b201~"];
const kTilde = 0x7e;
/// Arguments that a call may have safely.
const kPortion = 8192;

/// `text` without the markers of bracketed paste, which would let pasted text end the bracket and be taken for typed
/// commands; also without those that only come about when one between their pieces is removed. In one pass: what is
/// pasted may be large and made to be slow.
export function withoutPasteMarkers(text: string): string {
  if (!kMarkers.some((marker) => text.includes(marker))) return text;
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    kept[length++] = text.charCodeAt(i);
    if (kept[length - 1] === kTilde) length -= markerAtEnd(kept.subarray(Math.max(0, length - 6), length));
  }
  let clean = "";
  for (let i = 0; i < length; i += kPortion)
    clean += String.fromCharCode(...kept.subarray(i, Math.min(i + kPortion, length)));
  return clean;
}

/// The length of the marker that `units` end with, or 0.
function markerAtEnd(units: Uint16Array): number {
  const tail = String.fromCharCode(...units);
  return kMarkers.find((marker) => tail.endsWith(marker))?.length ?? 0;
}

/// Lines that a shell without bracketed paste would run at once, each for itself; 0 when there is nothing to worry
/// about.
export function linesRunAtOnce(text: string, bracketed: boolean): number {
  if (bracketed) return 0;
  const lines = text.replace(/\r?\n$/, "").split(/\r\n|\r|\n/).length;
  return lines > 1 ? lines : 0;
}
