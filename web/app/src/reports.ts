/// Whole strings that an emulator sends by itself, because a program asked it to.
const kReports: readonly RegExp[] = [
  /^\x1b\[<[\d;]+[Mm]$/, // the mouse
  /^\x1b\[M[^]{3}$/, // the mouse in the oldest form
  /^\x1b\[\d+;\d+;\d+M$/, // the mouse in urxvt's form
  /^\x1b\[[IO]$/, // the focus
  /^\x1b\[\??[\d;]+R$/, // the place of the cursor
  /^\x1b\[[?>=]?[\d;]*[cn]$/, // its kind, its state
  /^\x1b\[\??[\d;]+\$y$/, // a mode
  /^\x1b\[[\d;]+t$/, // a size
  /^\x1b\][^]*(\x07|\x1b\\)$/, // OSC: a colour
  /^\x1bP[^]*\x1b\\$/, // DCS: a setting
];
/// F3 with Shift, Alt, Ctrl: it looks like a cursor in the first row.
const kF3 = /^\x1b\[1;[2-8]R$/;

/// Whether `data` of an emulator is an answer or a report of a mode, and no input of a person.
export function isReport(data: string): boolean {
  return kReports.some((form) => form.test(data)) && !kF3.test(data);
}
