/// The longest `data` of one terminal.write, in UTF-16 units; the protocol's bound.
export const kMaxWrite = 65536;

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;

/// `text` in pieces of at most `limit` UTF-16 units, none of which ends inside a surrogate pair.
export function chunks(text: string, limit = kMaxWrite): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + limit, text.length);
    if (end < text.length && end - start > 1 && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/// How many bytes `text` takes as UTF-8; a lone surrogate counts as U+FFFD.
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isHighSurrogate(unit) && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i += 1;
    } else bytes += 3;
  }
  return bytes;
}
