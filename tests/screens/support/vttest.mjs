// Debian's vttest, walked through: what is chosen in its menus, and where it waits.
import { folder, Program } from "./program.mjs";

/// Menus on the way, then what is chosen in the last one, each of which is gone through with RETURN until the menu comes
/// back. Left out is what needs a keyboard, a printer, a mouse, fonts, a terminal that is no xterm, or DECCARA and
/// DECRARA, which neither emulator obeys.
export const kWalks = {
  "1 cursor movements": [[], ["1"]],
  "2 screen features": [[], ["2"]],
  "3 character sets": [[], ["3"]],
  "4 double-sized characters": [[], ["4"]],
  "8 insert and delete": [[], ["8"]],
  "9 known bugs": [["9"], ["1", "2", "3", "5", "7", "8", "9"]],
  "11.1 VT220": [["11", "1"], ["6"]],
  "11.1.2 VT220 screen display": [["11", "1", "2"], ["2", "3", "4"]],
  "11.3.2 VT420 cursor movement": [["11", "3", "2"], ["7", "8", "9", "10"]],
  "11.3.2 VT420 cursor movement between margins": [["11", "3", "2"], ["3", "4", "5", "7", "8", "9", "10"]],
  "11.3.2 VT420 cursor movement in origin mode": [["11", "3", "2"], ["2", "3", "4", "5", "7", "8", "9", "10"]],
  "11.3.3 VT420 editing": [["11", "3", "3"], ["9", "10", "11", "12", "13"]],
  "11.3.3 VT420 editing between margins": [["11", "3", "3"], ["2", "3", "4", "9", "10", "11", "12", "13"]],
  "11.3.6 rectangles": [["11", "3", "6"], ["8", "9", "10", "12"]],
  "11.5 ISO 6429 cursor movement": [["11", "5"], ["1", "2", "3", "4", "5", "6", "7", "8", "9"]],
  "11.6 colours": [["11", "6"], ["2", "3", "4", "5", "8", "9"]],
  "11.6.6 colours and VT102 features": [["11", "6", "6"], ["1", "2", "3"]],
  "11.7 other ISO 6429": [["11", "7"], ["2", "3", "4", "5", "6"]],
  "11.8.7 alternate screen": [["11", "8", "7"], ["1", "2", "3", "4"]],
};

const kPrompt = /Push <RETURN>|Enter choice number \(.*?\): $/;

class Walk {
  constructor(context) {
    this.program = new Program(context, { argv: ["vttest"], home: folder(context), env: { LANG: "C", LC_ALL: "C" } });
    this.from = 0;
  }

  /// Waits until it asks again; the text of what it printed since.
  async prompt() {
    const printed = () => this.program.output.subarray(this.from).toString("latin1");
    await this.program.wait(() => kPrompt.test(printed()), "a prompt");
    return printed();
  }

  answer(text) {
    this.from = this.program.output.length;
    this.program.type(`${text}\r`);
  }
}

/// Output of vttest and the places where it waited, each a screen to look at.
export async function walk(context, [menus, tests]) {
  const at = new Walk(context);
  await at.prompt();
  for (const menu of menus) {
    at.answer(menu);
    await at.prompt();
  }
  const places = [];
  for (const choice of tests) {
    at.answer(choice);
    while ((await at.prompt()).includes("Push <RETURN>")) {
      places.push(at.program.output.length);
      at.answer("");
    }
  }
  return { output: at.program.output, places };
}
