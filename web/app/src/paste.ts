/// What is done to text from the clipboard before a program sees it.

const kMarkers = /(?:\x1b\[|\x9b)20[01]~/g;

/// `text` without the markers of bracketed paste, which would let pasted text end the bracket and be taken for typed
/// commands. Repeated until nothing changes: removing one must not join the pieces of another.
export function withoutPasteMarkers(text: string): string {
  for (;;) {
    const shorter = text.replace(kMarkers, "");
    if (shorter === text) return text;
    text = shorter;
  }
}

/// Lines that a shell without bracketed paste would run at once, each for itself; 0 when there is nothing to worry about.
export function linesRunAtOnce(text: string, bracketed: boolean): number {
  if (bracketed) return 0;
  const lines = text.replace(/\r?\n$/, "").split(/\r\n|\r|\n/).length;
  return lines > 1 ? lines : 0;
}
