/// Bytes that the keys of the bar on touch screens send. `application` is DECCKM, which changes the arrows.

export type BarKey =
  | "Escape"
  | "Tab"
  | "ArrowUp"
  | "ArrowDown"
  | "ArrowLeft"
  | "ArrowRight"
  | "Home"
  | "End"
  | "PageUp"
  | "PageDown";

const kNumbers: Readonly<Partial<Record<BarKey, number>>> = { PageUp: 5, PageDown: 6 };

const kFinals: Readonly<Partial<Record<BarKey, string>>> = {
  ArrowUp: "A",
  ArrowDown: "B",
  ArrowRight: "C",
  ArrowLeft: "D",
  Home: "H",
  End: "F",
};

export function bytesOf(key: BarKey, ctrl: boolean, application: boolean): string {
  if (key === "Escape") return "\x1b";
  if (key === "Tab") return "\t";
  const number = kNumbers[key];
  if (number !== undefined) return ctrl ? `\x1b[${number};5~` : `\x1b[${number}~`;
  const final = kFinals[key] as string;
  if (ctrl) return `\x1b[1;5${final}`;
  return application ? `\x1bO${final}` : `\x1b[${final}`;
}

/// `text` as if Ctrl had been held for its first character; unchanged where Ctrl means nothing.
export function withCtrl(text: string): string {
  const code = text.toUpperCase().charCodeAt(0);
  if (text[0] === " ") return `\x00${text.slice(1)}`;
  if (text[0] === "?") return `\x7f${text.slice(1)}`;
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f) + text.slice(1);
  return text;
}
