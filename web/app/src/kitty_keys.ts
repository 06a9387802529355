import type { Terminal as Emulator } from "@xterm/xterm";

/// Programs that push more than this have lost count; the oldest goes.
const kMostPushed = 32;
const kDisambiguate = 1;

/// The wishes of a program in kitty's keyboard protocol, of which the emulator knows nothing: push `CSI > flags u`, pop
/// `CSI < number u`, set `CSI = flags ; mode u`.
export class KittyKeys {
  private flags = [0];

  constructor(emulator: Emulator) {
    const on = (prefix: string, change: (parameters: readonly number[]) => void) =>
      emulator.parser.registerCsiHandler({ prefix, final: "u" }, (parameters) => {
        change(parameters.map((each) => (typeof each === "number" ? each : (each[0] ?? 0))));
        return true;
      });
    on(">", ([flags = 0]) => (this.flags = [...this.flags, flags].slice(-kMostPushed)));
    on("<", ([count = 1]) => (this.flags = this.flags.slice(0, Math.max(1, this.flags.length - (count || 1)))));
    on("=", ([flags = 0, mode = 1]) => this.set(flags, mode));
    emulator.parser.registerEscHandler({ final: "c" }, () => {
      this.flags = [0];
      return false;
    });
  }

  /// Keys that look alike otherwise are told apart.
  get areWanted(): boolean {
    return ((this.flags.at(-1) ?? 0) & kDisambiguate) !== 0;
  }

  /// `mode`: 1 sets all flags, 2 adds, 3 takes away.
  private set(flags: number, mode: number): void {
    const before = this.flags.pop() ?? 0;
    this.flags.push(mode === 2 ? before | flags : mode === 3 ? before & ~flags : flags);
  }
}

/// The bytes of a key that is like another one without kitty's keys: Shift+Enter sends what Enter does.
export function kittyBytes(event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "altKey" | "metaKey">): string | undefined {
  if (event.key !== "Enter" || event.metaKey) return undefined;
  const modifiers = Number(event.shiftKey) + 2 * Number(event.altKey) + 4 * Number(event.ctrlKey);
  return modifiers === 0 ? undefined : `\x1b[13;${modifiers + 1}u`;
}
