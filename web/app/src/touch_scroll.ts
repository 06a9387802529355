import type { Terminal as Emulator } from "@xterm/xterm";

/// How much of its speed a flick keeps per millisecond, and below what speed (pixels per millisecond) it rests.
const kKeeps = 0.996;
const kRest = 0.05;
/// A finger that did not move for so long (ms) before it left the glass let go of what it held: no flick.
const kHeld = 100;

/// Scrolls a terminal by a finger, which xterm.js 6 does not. Its lines follow the finger; where the program takes the
/// wheel or shows its other screen, it is given turns of a wheel. What is typed shows the last line, so it ends a flick.
export class TouchScroll {
  private lastY = 0;
  private lastTime = 0;
  private speed = 0;
  private rest = 0;
  private glide: number | undefined;
  private turning = false;

  constructor(
    private readonly emulator: Emulator,
    private readonly area: HTMLElement,
  ) {
    const passive = { passive: true };
    area.addEventListener("touchstart", (event) => this.begin(event), passive);
    area.addEventListener("touchmove", (event) => this.move(event), passive);
    area.addEventListener("touchend", (event) => this.end(event), passive);
    emulator.onData(() => this.turning || this.halt());
  }

  private begin(event: TouchEvent): void {
    this.halt();
    this.lastY = event.touches[0]?.clientY ?? 0;
    this.lastTime = event.timeStamp;
  }

  private halt(): void {
    if (this.glide !== undefined) cancelAnimationFrame(this.glide);
    this.glide = undefined;
    this.speed = this.rest = 0;
  }

  private move(event: TouchEvent): void {
    const finger = event.touches[0];
    if (!finger || event.touches.length > 1) return;
    const pixels = this.lastY - finger.clientY;
    this.speed = pixels / Math.max(event.timeStamp - this.lastTime, 1);
    this.lastY = finger.clientY;
    this.lastTime = event.timeStamp;
    this.scroll(pixels, finger);
  }

  private end(event: TouchEvent): void {
    if (event.timeStamp - this.lastTime > kHeld) return;
    let before = performance.now();
    const step = (now: number) => {
      const elapsed = Math.max(now - before, 0);
      before = now;
      this.speed *= kKeeps ** elapsed;
      this.scroll(this.speed * elapsed);
      this.glide = Math.abs(this.speed) > kRest ? requestAnimationFrame(step) : undefined;
    };
    if (Math.abs(this.speed) > kRest) this.glide = requestAnimationFrame(step);
  }

  private scroll(pixels: number, at?: { clientX: number; clientY: number }): void {
    if (this.movesArea(pixels)) return;
    const height = this.area.querySelector(".xterm-screen")?.clientHeight ?? 0;
    if (height === 0) return;
    this.rest += (pixels * this.emulator.rows) / height;
    const lines = Math.trunc(this.rest);
    this.rest -= lines;
    if (lines === 0) return;
    const { mouseTrackingMode } = this.emulator.modes;
    if (this.emulator.buffer.active.type === "normal" && mouseTrackingMode === "none") this.emulator.scrollLines(lines);
    else this.turnWheel(lines, at);
  }

  /// A screen that is higher than its area is moved in it first. Sideways the browser does that.
  private movesArea(pixels: number): boolean {
    if (getComputedStyle(this.area).overflowY !== "auto") return false;
    const before = this.area.scrollTop;
    this.area.scrollTop += pixels;
    return this.area.scrollTop !== before;
  }

  private turnWheel(lines: number, at: { clientX: number; clientY: number } = { clientX: 0, clientY: 0 }): void {
    const { clientX, clientY } = at;
    const deltaY = Math.sign(lines);
    this.turning = true; // what the emulator makes of a turn is not typed
    for (let turn = 0; turn < Math.abs(lines); turn++) {
      const options = {
        deltaY,
        deltaMode: WheelEvent.DOM_DELTA_LINE,
        clientX,
        clientY,
        bubbles: true,
        cancelable: true,
      };
      this.emulator.element?.dispatchEvent(new WheelEvent("wheel", options));
    }
    this.turning = false;
  }
}
