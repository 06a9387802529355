import { expect, test, vi } from "vitest";
import type { Size, Terminal } from "../../client/src/index.ts";
import type { Screen } from "../src/screen.ts";
import { type Sized, SizeKeeper } from "../src/size_keeper.ts";
import type { Notice, NoticeContent } from "../src/views/notice.ts";

/// A keeper, the size that fits into its window, and the words below its screen.
function setUp() {
  const made = { fits: { cols: 80, rows: 24 } as Size, words: undefined as string | undefined };
  const say = (_topic: string, content: NoticeContent | undefined) => void (made.words = content?.text);
  const screen = { fittingSize: () => made.fits, setSize: () => undefined };
  const terminal = { snapshot: { cols: 80, rows: 24, status: "running" }, resize: vi.fn(async (_size: Size) => undefined) };
  const view: Sized = {
    screen: screen as unknown as Screen,
    element: { classList: { toggle: () => false } } as unknown as HTMLElement,
    notice: { say } as unknown as Notice,
    terminal: () => terminal as unknown as Terminal,
    isShown: () => true,
    keepsSize: () => false,
    mayClaim: () => true,
    failed: () => undefined,
    focus: () => undefined,
  };
  return { made, terminal, keeper: new SizeKeeper(view) };
}

test("the size of another window is told", () => {
  const { made, keeper } = setUp();
  keeper.changedElsewhere({ cols: 60, rows: 20 });
  expect(keeper.isForeign).toBe(true);
  expect(made.words).toBe("Sized 60 × 20 by another window.");
  keeper.changedElsewhere({ cols: 80, rows: 24 });
  expect(keeper.isForeign).toBe(false);
  expect(made.words).toBeUndefined();
});

test.each(["opened", "resized"])("a size that this window had when it %s a program is its own, though it comes late", (how) => {
  const { made, terminal, keeper } = setUp();
  made.fits = { cols: 80, rows: 22 };
  if (how === "opened") expect(keeper.sizeToOpen()).toEqual(made.fits);
  else keeper.claim();
  expect(terminal.resize).toHaveBeenCalledTimes(how === "opened" ? 0 : 1);
  made.fits = { cols: 80, rows: 24 };
  keeper.changedElsewhere({ cols: 80, rows: 22 });
  expect(keeper.isForeign).toBe(false);
  expect(made.words).toBeUndefined();
  keeper.changedElsewhere({ cols: 60, rows: 20 });
  expect(keeper.isForeign).toBe(true);
  keeper.changedElsewhere({ cols: 80, rows: 22 });
  expect(keeper.isForeign).toBe(true);
});

test("a size that was taken back before it was confirmed is asked for again", () => {
  vi.useFakeTimers();
  const { made, terminal, keeper } = setUp();
  made.fits = { cols: 80, rows: 12 };
  keeper.claim();
  made.fits = { cols: 80, rows: 24 };
  keeper.claim();
  terminal.snapshot.rows = 12;
  keeper.changedElsewhere({ cols: 80, rows: 12 });
  vi.runAllTimers();
  vi.useRealTimers();
  expect(terminal.resize).toHaveBeenLastCalledWith({ cols: 80, rows: 24 });
  expect(made.words).toBeUndefined();
});
