import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PtydError, type Terminal } from "../../client/src/index.ts";
import { Emitter } from "../../client/src/emitter.ts";
import { type Healed, Healer } from "../src/healer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/// A terminal and a screen that note what is asked of them.
function setUp() {
  const terminal = {
    attachment: "attached",
    onResynced: new Emitter<[number]>(),
    onOutput: new Emitter<[string]>(),
    onReset: new Emitter<[]>(),
    onCleared: new Emitter<[]>(),
    heal: vi.fn((_scrollback: number, _isWanted: () => boolean) => Promise.resolve("all of it")),
  };
  const screen = { isVisible: true, mayBeReplaced: true, scrollback: 5000, replace: vi.fn(() => Promise.resolve()) };
  const healer = new Healer(screen as unknown as Healed);
  healer.watch(terminal as unknown as Terminal);
  return { terminal, screen, healer };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a screen that lacks lines", () => {
  test("heals when nothing was printed for 300 ms", async () => {
    const { terminal, screen } = setUp();
    terminal.onResynced.emit(12);
    await pass(200);
    terminal.onOutput.emit("more");
    await pass(299);
    expect(terminal.heal).not.toHaveBeenCalled();
    await pass(1);
    expect(terminal.heal).toHaveBeenCalledExactlyOnceWith(5000, expect.any(Function));
    expect(screen.replace).toHaveBeenCalledExactlyOnceWith("all of it");
    terminal.onOutput.emit("more");
    await pass(1000);
    expect(terminal.heal).toHaveBeenCalledOnce();
  });

  test("heals beside a program that prints all the time, once it skips nothing for 2 s", async () => {
    const { terminal } = setUp();
    const printed = setInterval(() => terminal.onOutput.emit("tick"), 100);
    terminal.onResynced.emit(12);
    await pass(1000);
    terminal.onResynced.emit(0);
    await pass(1999);
    expect(terminal.heal).not.toHaveBeenCalled();
    await pass(1);
    clearInterval(printed);
    expect(terminal.heal).toHaveBeenCalledOnce();
  });

  test("waits longer each time that it fails", async () => {
    const { terminal } = setUp();
    terminal.heal.mockRejectedValue(new Error("busy"));
    terminal.onResynced.emit(12);
    const calls: number[] = [];
    for (const ms of [300, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await pass(ms - 1);
      calls.push(terminal.heal.mock.calls.length);
      await pass(1);
    }
    expect(calls).toEqual([0, 1, 2, 3, 4, 5, 6]);
    terminal.heal.mockResolvedValue("all of it");
    await pass(30_000);
    terminal.onResynced.emit(12);
    await pass(300);
    expect(terminal.heal).toHaveBeenCalledTimes(9);
  });

  test("keeps what a new terminal lacks when the old one is gone meanwhile", async () => {
    const { terminal, healer } = setUp();
    let fail = (_: Error) => undefined as void;
    terminal.heal.mockImplementationOnce(() => new Promise((_, reject) => void (fail = reject)));
    terminal.onResynced.emit(12);
    await pass(300);
    const other = { ...terminal, attachment: "attached" };
    terminal.attachment = "gone";
    healer.watch(other as unknown as Terminal);
    terminal.onResynced.emit(12);
    fail(new Error("gone"));
    await pass(300);
    expect(terminal.heal).toHaveBeenCalledTimes(2);
  });

  test("waits while somebody selects or a full-screen program is shown", async () => {
    const { terminal, screen } = setUp();
    screen.mayBeReplaced = false;
    terminal.onResynced.emit(12);
    await pass(5000);
    expect(terminal.heal).not.toHaveBeenCalled();
    screen.mayBeReplaced = true;
    await pass(300);
    expect(screen.replace).toHaveBeenCalledOnce();
  });

  test.each(["printed", "skipped"] as const)("starts no wait for lines that are %s while it heals", async (what) => {
    const { terminal } = setUp();
    let fail = (_: Error) => undefined as void;
    terminal.heal.mockImplementationOnce(() => new Promise((_, reject) => void (fail = reject)));
    terminal.onResynced.emit(12);
    await pass(300);
    if (what === "printed") terminal.onOutput.emit("late repaint");
    else terminal.onResynced.emit(1);
    expect(vi.getTimerCount()).toBe(0);
    await pass(1900);
    fail(new PtydError("busy", "Lines went by."));
    await pass(1999);
    expect(terminal.heal).toHaveBeenCalledOnce();
    await pass(1);
    expect(terminal.heal).toHaveBeenCalledTimes(2);
  });

  test("is put off, no longer each time, by a selection that is made while it heals", async () => {
    const { terminal, screen } = setUp();
    terminal.heal.mockImplementation(() => {
      screen.mayBeReplaced = false;
      return Promise.reject(new PtydError("cancelled", "Not wanted any more."));
    });
    terminal.onResynced.emit(12);
    for (let selections = 1; selections < 8; selections++) {
      await pass(10_000);
      expect(terminal.heal).toHaveBeenCalledTimes(selections);
      screen.mayBeReplaced = true;
      await pass(300);
      expect(terminal.heal).toHaveBeenCalledTimes(selections + 1);
    }
  });

  test("keeps the wait of a failure when a selection puts it off", async () => {
    const { terminal } = setUp();
    terminal.heal.mockRejectedValueOnce(new PtydError("busy", "Lines went by."));
    terminal.heal.mockRejectedValueOnce(new PtydError("cancelled", "Not wanted any more."));
    terminal.heal.mockRejectedValueOnce(new PtydError("busy", "Lines went by."));
    terminal.onResynced.emit(12);
    await pass(300 + 2000 + 300);
    expect(terminal.heal).toHaveBeenCalledTimes(3);
    await pass(3999);
    expect(terminal.heal).toHaveBeenCalledTimes(3);
    await pass(1);
    expect(terminal.heal).toHaveBeenCalledTimes(4);
  });

  test("does not heal once its handle was released", async () => {
    const { terminal } = setUp();
    terminal.heal.mockImplementation(() => {
      terminal.attachment = "closed";
      return Promise.reject(new PtydError("cancelled", "Not wanted any more."));
    });
    terminal.onResynced.emit(12);
    await pass(60_000);
    expect(terminal.heal).toHaveBeenCalledOnce();
  });

  test.each([-3_600_000, 3_600_000])("waits as long when the time of day is set by %i ms", async (change) => {
    const { terminal } = setUp();
    terminal.heal.mockRejectedValue(new Error("busy"));
    terminal.onResynced.emit(12);
    await pass(300);
    vi.setSystemTime(Date.now() + change);
    terminal.onResynced.emit(12);
    await pass(1999);
    expect(terminal.heal).toHaveBeenCalledOnce();
    await pass(1);
    expect(terminal.heal).toHaveBeenCalledTimes(2);
  });

  test("tells that healing is not wanted once somebody selects", async () => {
    const { terminal, screen } = setUp();
    terminal.onResynced.emit(12);
    await pass(300);
    const isWanted = terminal.heal.mock.calls[0]?.[1];
    expect(isWanted?.()).toBe(true);
    screen.mayBeReplaced = false;
    expect(isWanted?.()).toBe(false);
  });

  test("heals once, whatever was skipped before the text comes", async () => {
    const { terminal } = setUp();
    terminal.heal.mockImplementationOnce(() => {
      terminal.onResynced.emit(5);
      return Promise.resolve("all of it");
    });
    terminal.onResynced.emit(12);
    await pass(5000);
    expect(terminal.heal).toHaveBeenCalledOnce();
  });

  test("waits until it can be seen", async () => {
    const { terminal, screen, healer } = setUp();
    screen.isVisible = false;
    terminal.onResynced.emit(12);
    await pass(5000);
    expect(terminal.heal).not.toHaveBeenCalled();
    screen.isVisible = true;
    healer.stirred();
    await pass(300);
    expect(screen.replace).toHaveBeenCalledOnce();
  });

  test("tries again when lines went by, and not when its terminal is gone", async () => {
    const { terminal, screen } = setUp();
    terminal.heal.mockRejectedValueOnce(new Error("busy"));
    terminal.onResynced.emit(12);
    await pass(2300);
    expect(screen.replace).toHaveBeenCalledOnce();
    terminal.heal.mockRejectedValue(new Error("gone"));
    terminal.attachment = "gone";
    terminal.onResynced.emit(12);
    await pass(5000);
    expect(terminal.heal).toHaveBeenCalledTimes(3);
  });

  test("needs nothing once it began anew, or where nothing was skipped", async () => {
    const { terminal, healer } = setUp();
    terminal.onResynced.emit(0);
    terminal.onResynced.emit(12);
    terminal.onCleared.emit();
    await pass(5000);
    terminal.onResynced.emit(12);
    terminal.onReset.emit();
    await pass(5000);
    terminal.onResynced.emit(12);
    healer.dispose();
    await pass(5000);
    expect(terminal.heal).not.toHaveBeenCalled();
  });
});
